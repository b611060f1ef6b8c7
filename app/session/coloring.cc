// SPDX-License-Identifier: MIT
#include "app/session/coloring.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <stdexcept>
#include <string>

namespace warpscope {
namespace {

// The shader's text becomes the members of a struct, which lends it the palette.
namespace shader {

using namespace glm;
using uint = std::uint32_t;

struct Colorizer {
    const PaletteTable& table;

    vec3 palette_entry(uint index) const {
        const std::uint32_t rgba = table[index];
        return vec3(float(rgba & 255u), float(rgba >> 8 & 255u), float(rgba >> 16 & 255u)) / 255.0f;
    }
    static uint multiply_high(uint a, uint b) {
        return static_cast<uint>(std::uint64_t{a} * b >> 32);
    }

#include "shaders/coloring.glsl"
};

static_assert(sizeof(Colorizer::Coloring) == sizeof(ColoringParams));
static_assert(sizeof(Colorizer::Sample) == sizeof(warpscope::Sample));

}  // namespace shader

/// The samples as a grid that continues as its own mirror image.
struct Grid {
    std::span<const Sample> samples;
    int width, height;

    static int mirrored(int i, int size) {
        const int inside = i < 0 ? -i : i >= size ? 2 * size - 2 - i : i;
        return std::clamp(inside, 0, size - 1);
    }
    shader::Colorizer::Sample at(int x, int y) const {
        const auto index =
            static_cast<std::size_t>(mirrored(y, height)) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(mirrored(x, width));
        return std::bit_cast<shader::Colorizer::Sample>(samples[index]);
    }
    shader::Colorizer::Neighborhood around(int x, int y) const {
        return {at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1), 1.0f};
    }
};

std::uint32_t pack(const glm::vec3& color) {
    const auto byte = [](float c) {
        return static_cast<std::uint32_t>(std::clamp(c, 0.0f, 1.0f) * 255.0f + 0.5f);
    };
    return byte(color.x) | byte(color.y) << 8 | byte(color.z) << 16 | 0xff000000u;
}

}  // namespace

ColoringParams coloring_params(const ColorSettings& settings, double cycle_phase, Formula formula,
                               int width, int height) {
    ColoringParams params;
    const double offset = static_cast<double>(settings.offset) + cycle_phase;
    params.density = settings.density;
    params.offset = static_cast<float>(offset - std::floor(offset));
    params.transfer = static_cast<float>(settings.transfer);
    params.smooth = settings.smooth ? 1.0f : 0.0f;
    std::ranges::copy(settings.interior, params.interior);
    params.shading = settings.shading;
    params.power = static_cast<float>(info(formula).power);
    params.width = static_cast<float>(width);
    params.height = static_cast<float>(height);
    return params;
}

void colorize(std::span<const Sample> samples, const ColoringParams& params,
              const PaletteTable& palette, std::span<std::uint32_t> rgba) {
    const Grid grid{samples, static_cast<int>(params.width), static_cast<int>(params.height)};
    const auto count = static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height);
    if (samples.size() != count || rgba.size() != count) {
        throw std::invalid_argument{"colorize: a grid of " + std::to_string(grid.width) + " x " +
                                    std::to_string(grid.height) + " needs as many samples and " +
                                    "pixels, got " + std::to_string(samples.size()) + " and " +
                                    std::to_string(rgba.size())};
    }
    shader::Colorizer colorizer{palette};
    const auto coloring = std::bit_cast<shader::Colorizer::Coloring>(params);
    auto pixel = rgba.begin();
    for (int y = 0; y < grid.height; ++y) {
        for (int x = 0; x < grid.width; ++x) {
            *pixel++ = pack(colorizer.pixel_color(grid.around(x, y), coloring));
        }
    }
}

}  // namespace warpscope
