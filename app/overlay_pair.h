// SPDX-License-Identifier: MIT
// Overlays that set two frames of one view against each other: which two, and what must be computed
// for them beside the picture. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/companions.h"
#include "app/panels/overlay_state.h"

namespace warpscope {

/// The number types to compare where the user has not said: what the program chooses for the view
/// and its neighbour on the ladder, the coarser one first. Double where `automatic` is absent.
TypePair usual_types(std::optional<Precision> automatic, Df64Speed df64);

/// Whether there is a GPU that can compute. To be asked for once: the answer takes milliseconds.
enum class Gpu : std::uint8_t { kAbsent, kPresent };

/// The backend to set against `running`: a GPU where there is one, against that the CPU; without
/// one the CPU's other end.
std::string usual_rival(std::string_view running, Gpu gpu);

/// All that may be set against the picture's backend.
std::vector<std::string> rivals(Gpu gpu);

/// What the picture is, as far as pairs depend on it.
struct PairContext {
    Precision shown = Precision::kFloat;  ///< the picture's number type
    std::optional<Precision> automatic;   ///< what the program would choose
    Df64Speed df64 = Df64Speed::kSlower;
    std::string running;  ///< name of the picture's backend
    Gpu gpu = Gpu::kAbsent;
};

/// Of what `explorer` last took in, in a window `height` pixels high. It must have a backend.
PairContext pair_context(const Explorer& explorer, const State& state, int height, Gpu gpu);

/// The two types that are compared.
TypePair types_of(const OverlayChoice& choice, const PairContext& context);
/// The backend that is set against the picture's.
std::string rival_of(const OverlayChoice& choice, const PairContext& context);

/// What must be computed beside the picture; empty for overlays that compare nothing.
std::vector<Companion> companions_for(const OverlayChoice& choice, const PairContext& context);

/// The other number type keeps the one it had: a pair is never twice the same.
TypePair with_type(TypePair pair, std::size_t index, Precision precision);

}  // namespace warpscope
