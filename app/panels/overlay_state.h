// SPDX-License-Identifier: MIT
// What is laid over the fractal, as panels and keys choose it. Nothing of it is computed anew.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/overlay_values.h"

namespace warpscope {

/// Two number types to compare, different ones.
using TypePair = std::array<Precision, 2>;

struct OverlayChoice {
    OverlayKind kind = OverlayKind::kNone;
    float opacity = 0.85f;
    /// The moment of the trace that is shown, in its microseconds; absent: when all is over.
    std::optional<double> clock_us;
    bool playing = false;           ///< the clock runs
    float ms_per_second = 0;        ///< of the trace, in slow motion; 0: all of it in some seconds
    std::optional<TypePair> types;  ///< that are compared; absent: as the view suggests
    std::string rival;              ///< backend on the right of the split; empty: the usual one
    /// Where the picture is split, a share of the window's width; absent: in the middle of what no
    /// panel covers.
    std::optional<float> split;
};

}  // namespace warpscope
