// SPDX-License-Identifier: MIT
// Coordinates that people type, and what to say of a view. No ImGui.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/deep/precision.h"

namespace warpscope {

/// A decimal number of any length as people type or paste it: spaces around it, underscores or
/// spaces between digits and a typographic minus are accepted. Throws NumberError.
BigFloat parse_typed(std::string_view text);

/// The view that the three fields ask for; an empty field keeps what `now` has. Throws NumberError
/// that names the field and what is accepted.
View typed_view(const View& now, std::string_view re, std::string_view im, std::string_view zoom);

/// One sentence on which number type `scene` runs in and why, in a window `height` pixels high.
std::string precision_sentence(const Scene& scene, int height, Df64Speed df64 = Df64Speed::kSlower);

}  // namespace warpscope
