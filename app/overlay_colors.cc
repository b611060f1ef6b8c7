// SPDX-License-Identifier: MIT
#include "app/overlay_colors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "app/session/color_space.h"

namespace warpscope {
namespace {

/// Lightness, chroma and hue in turns, as Oklab.
Rgb lab_from(double lightness, double chroma, double hue) {
    const double angle = 2 * std::numbers::pi * hue;
    return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

std::uint32_t packed(const Rgb& lab) { return pack(srgb_from_linear(linear_from_oklab(lab))); }

double distance(const Rgb& a, const Rgb& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// The Bezier curve of these points, by de Casteljau's algorithm.
Rgb curve_at(std::array<Rgb, 5> points, double t) {
    for (std::size_t left = points.size() - 1; left > 0; --left) {
        for (std::size_t i = 0; i < left; ++i) {
            for (std::size_t k = 0; k < 3; ++k)
                points[i][k] = std::lerp(points[i][k], points[i + 1][k], t);
        }
    }
    return points[0];
}

/// Steps of equal length along a curve from indigo over blue and green to yellow.
std::array<std::uint32_t, kOverlayColors> scale_colors() {
    const std::array points{lab_from(0.25, 0.12, 0.79), lab_from(0.38, 0.24, 0.765),
                            lab_from(0.62, 0.14, 0.60), lab_from(0.78, 0.28, 0.375),
                            lab_from(0.96, 0.12, 0.29)};
    constexpr int kFine = 8192;
    std::vector<double> length{0};
    Rgb last = points.front();
    for (int i = 1; i <= kFine; ++i) {
        const Rgb next = curve_at(points, static_cast<double>(i) / kFine);
        length.push_back(length.back() + distance(last, next));
        last = next;
    }
    std::array<std::uint32_t, kOverlayColors> colors{};
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const double wanted = length.back() * static_cast<double>(i) / (kOverlayColors - 1);
        const auto at = std::ranges::lower_bound(length, wanted) - length.begin();
        colors[i] = packed(curve_at(points, static_cast<double>(at) / kFine));
    }
    return colors;
}

std::array<std::uint32_t, kOverlayColors> category_colors() {
    constexpr double kFirstHue = 0.69, kChroma = 0.13;
    constexpr std::array kLightness{0.72, 0.56, 0.86};
    std::array<std::uint32_t, kOverlayColors> colors{};
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const double hue = kFirstHue + static_cast<double>(i) * (std::numbers::phi - 1);
        const double lightness = kLightness[i % kLightness.size()];
        // As colourful as sRGB can show at this lightness and hue.
        double chroma = kChroma;
        Rgb lab = lab_from(lightness, chroma, hue);
        const auto shown = [](const Rgb& color) {
            return std::ranges::all_of(linear_from_oklab(color),
                                       [](double c) { return c >= 0 && c <= 1; });
        };
        while (!shown(lab) && chroma > 0) {
            chroma -= 0.005;
            lab = lab_from(lightness, chroma, hue);
        }
        colors[i] = packed(lab);
    }
    return colors;
}

}  // namespace

OverlayColors overlay_colors() {
    return {.scale = scale_colors(),
            .categories = category_colors(),
            .interior = packed({0.42, 0, 0}),
            .missing = packed({0.21, 0, -0.01}),
            .running = packed({1, 0, 0}),
            .differing = packed(lab_from(0.7, 0.32, 0.93))};
}

}  // namespace warpscope
