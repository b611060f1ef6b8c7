// SPDX-License-Identifier: MIT
// Palettes: read from the packed assets/palettes/palettes.toml and sampled into the cyclic table
// that shader and export read.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/color_space.h"
#include "shaders/coloring_params.h"

namespace warpscope {

/// A palette file cannot be read; the message names the palette, what is wrong and what is
/// accepted.
struct PaletteError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// a + b cos(2 pi (c t + d)) for each of R, G, B, sRGB-encoded. c is whole, so t = 1 meets t = 0.
/// [Inigo Quilez, "Procedural color palettes", iquilezles.org/articles/palettes]
struct CosineWave {
    Rgb a{}, b{}, c{}, d{};
};

/// A colour of a gradient.
struct ColorStop {
    double position = 0;  ///< turns, 0 <= position < 1
    Rgb color{};          ///< sRGB-encoded, 0 to 1
};

/// The space in which a gradient is interpolated.
enum class BlendSpace : std::uint8_t { kOklab, kLinear };

/// Stops in ascending order, at least two; the last blends into the first.
struct Gradient {
    std::vector<ColorStop> stops;
    BlendSpace space = BlendSpace::kOklab;
};

struct Palette {
    std::string name;
    std::variant<CosineWave, Gradient> source;
};

/// All built-in palettes, in the order in which they are offered.
std::vector<Palette> load_palettes();

/// Reads the palettes of a file: see assets/palettes/palettes.toml. Throws PaletteError.
std::vector<Palette> parse_palettes(std::string_view toml);

/// Samples one turn of `palette`.
PaletteTable tabulate(const Palette& palette);

}  // namespace warpscope
