// SPDX-License-Identifier: MIT
// Colours in sRGB, in linear light and in Oklab, where equal distances look equal.
#pragma once

#include <array>
#include <cstdint>

namespace warpscope {

/// Three channels, in whichever space.
using Rgb = std::array<double, 3>;

Rgb linear_from_srgb(const Rgb& srgb);

/// Clamped to what sRGB can show.
Rgb srgb_from_linear(const Rgb& linear);

/// Oklab: lightness 0 to 1, green to red, blue to yellow. [Bjorn Ottosson, "A perceptual color
/// space for image processing", 2020]
Rgb oklab_from_linear(const Rgb& linear);
Rgb linear_from_oklab(const Rgb& lab);

/// RGBA, 8 bits each, R in the lowest byte, A 255. Clamps.
std::uint32_t pack(const Rgb& srgb);

}  // namespace warpscope
