// SPDX-License-Identifier: MIT
// The nouns that every room shares: what is to be computed (FrameJob) and what comes out (Sample).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/math/formula.h"

namespace warpscope {

/// Result for one pixel, 8 bytes, read as it is by CPU, CUDA and GLSL.
/// Integer count and fraction are kept apart, so that smooth colour stays smooth at any count.
struct Sample {
    std::uint32_t count;  ///< smallest n >= 1 with |z_n| > bailout; 0 where there is none
    float fraction;       ///< in [0, 1]; the smooth count is count - 1 + fraction; 0 where count is
};
static_assert(sizeof(Sample) == 8 && std::is_trivially_copyable_v<Sample>);

/// The number type of the iteration: 24, 48 (two floats, see Df64) and 53 bits of mantissa.
enum class Precision : std::uint8_t { kFloat, kDf64, kDouble };

/// "float", "df64", "double".
constexpr std::string_view precision_name(Precision precision) noexcept {
    constexpr std::string_view kNames[] = {"float", "df64", "double"};
    return kNames[static_cast<std::size_t>(precision)];
}

/// Everything a backend needs to compute one frame. Trivially copyable: passed by value to threads
/// and kernels. Pixel (x, y), row 0 on top, stands at
/// center + spacing * ((x + shift_x + 1/2 - width/2) + i (height/2 - y - shift_y - 1/2)).
struct FrameJob {
    Formula formula = Formula::kMandelbrot;
    bool julia =
        false;  ///< z_0 is the pixel and c is julia_re + i julia_im; else z_0 = 0, c = pixel
    Precision precision = Precision::kFloat;
    double center_re = 0, center_im = 0;
    double spacing = 0;  ///< complex-plane units per pixel, > 0
    /// Pixels by which the grid lies right of and below the centre. Jobs that differ by whole
    /// numbers here alone share pixels, bit for bit. Multiples of 1/64, at most 65536 in size.
    double shift_x = 0, shift_y = 0;
    double julia_re = 0, julia_im = 0;
    int width = 0, height = 0;  ///< pixels, 1 to 32768 each
    std::uint32_t limit = 0;    ///< most iterations per pixel; 0 is invalid
    double bailout = 256;       ///< escape radius, 2 to 1e9
    bool operator==(const FrameJob&) const = default;
};
static_assert(std::is_trivially_copyable_v<FrameJob>);

}  // namespace warpscope
