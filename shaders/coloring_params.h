// SPDX-License-Identifier: MIT
// The uniform block that coloring.glsl reads, as C++ sees it (std140: every 16 bytes one vec4).
#pragma once

#include <array>
#include <cstdint>

namespace warpscope {

/// Entries of a palette; a power of two, cyclic.
inline constexpr int kPaletteSize = 1024;

/// A palette as the shader samples it: RGBA, 8 bits each, sRGB-encoded, R in the lowest byte.
using PaletteTable = std::array<std::uint32_t, kPaletteSize>;

/// How counts become colours. No field has any effect on iteration. Member for member the struct
/// `Coloring` of coloring.glsl.
struct ColoringParams {
    float density = 0.02f;  ///< palette cycles per unit of the transferred smooth count, > 0
    float offset = 0;       ///< turns, 0 to 1
    float transfer = 0;     ///< 0 linear, 1 square root, 2 logarithm; all of slope 1 at count 1
    float smooth = 1;       ///< 1 uses the fraction, 0 shows bands
    float interior[4] = {0, 0, 0, 1};  ///< sRGB colour of points that never escape
    float shading = 0;                 ///< strength of distance-estimate shading, 0 to 1
    float power = 2;                   ///< degree of the formula, for the distance estimate
    float width = 0, height = 0;       ///< size of the sample grid in pixels
    bool operator==(const ColoringParams&) const = default;
};
static_assert(sizeof(ColoringParams) == 48);

}  // namespace warpscope
