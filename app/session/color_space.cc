// SPDX-License-Identifier: MIT
#include "app/session/color_space.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

// IEC 61966-2-1.
double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

double to_srgb(double c) {
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

}  // namespace

Rgb linear_from_srgb(const Rgb& srgb) {
    return {to_linear(srgb[0]), to_linear(srgb[1]), to_linear(srgb[2])};
}

Rgb srgb_from_linear(const Rgb& linear) {
    Rgb srgb = linear;
    for (double& channel : srgb) channel = to_srgb(std::clamp(channel, 0.0, 1.0));
    return srgb;
}

Rgb oklab_from_linear(const Rgb& c) {
    const double l = std::cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
    const double m = std::cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
    const double s = std::cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb linear_from_oklab(const Rgb& c) {
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(c[0] + 0.3963377774 * c[1] + 0.2158037573 * c[2]);
    const double m = cube(c[0] - 0.1055613458 * c[1] - 0.0638541728 * c[2]);
    const double s = cube(c[0] - 0.0894841775 * c[1] - 1.2914855480 * c[2]);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint32_t pack(const Rgb& srgb) {
    const auto byte = [](double c) {
        return static_cast<std::uint32_t>(std::lround(std::clamp(c, 0.0, 1.0) * 255));
    };
    return byte(srgb[0]) | byte(srgb[1]) << 8 | byte(srgb[2]) << 16 | 0xff000000u;
}

}  // namespace warpscope
