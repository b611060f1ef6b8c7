// SPDX-License-Identifier: MIT
#include "app/session/palette.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include "assets/assets.h"

namespace warpscope {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& problem) {
    throw PaletteError{"palette '" + name + "': " + problem};
}

// --- reading ---

std::optional<Rgb> parse_hex(std::string_view text) {
    if (text.size() != 7 || text[0] != '#') return std::nullopt;
    if (text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string_view::npos) {
        return std::nullopt;
    }
    const unsigned long value = std::stoul(std::string{text.substr(1)}, nullptr, 16);
    const auto channel = [value](int shift) {
        return static_cast<double>((value >> shift) & 255) / 255;
    };
    return Rgb{channel(16), channel(8), channel(0)};
}

Rgb read_triple(const toml::table& table, const std::string& name, std::string_view key) {
    const toml::array* array = table[key].as_array();
    Rgb triple{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto value = array && array->size() == 3 ? (*array)[i].value<double>() : std::nullopt;
        if (!value || !std::isfinite(*value)) {
            fail(name, "'" + std::string{key} + "' must be three numbers, as in [0.5, 0.5, 0.5]");
        }
        triple[i] = *value;
    }
    return triple;
}

CosineWave read_cosine(const toml::table& table, const std::string& name) {
    const CosineWave wave{read_triple(table, name, "a"), read_triple(table, name, "b"),
                          read_triple(table, name, "c"), read_triple(table, name, "d")};
    for (double cycles : wave.c) {
        if (cycles != std::floor(cycles)) {
            fail(name, "'c' must be whole numbers, or the palette has a seam");
        }
    }
    return wave;
}

ColorStop read_stop(const toml::node& node, const std::string& name) {
    const toml::array* pair = node.as_array();
    if (pair && pair->size() == 2) {
        const auto position = (*pair)[0].value<double>();
        const auto color = parse_hex((*pair)[1].value_or(std::string_view{}));
        if (position && *position >= 0 && *position < 1 && color) return {*position, *color};
    }
    fail(name, "a stop must be [position, \"#rrggbb\"] with 0 <= position < 1");
}

Gradient read_gradient(const toml::table& table, const std::string& name) {
    Gradient gradient;
    const std::string_view space = table["space"].value_or(std::string_view{"oklab"});
    if (space != "oklab" && space != "linear") {
        fail(name, "'space' must be \"oklab\" or \"linear\", got \"" + std::string{space} + "\"");
    }
    gradient.space = space == "linear" ? BlendSpace::kLinear : BlendSpace::kOklab;
    if (const toml::array* stops = table["stops"].as_array()) {
        for (const toml::node& node : *stops) gradient.stops.push_back(read_stop(node, name));
    }
    const auto not_ascending = [](const ColorStop& a, const ColorStop& b) {
        return a.position >= b.position;
    };
    if (gradient.stops.size() < 2 ||
        std::ranges::adjacent_find(gradient.stops, not_ascending) != gradient.stops.end()) {
        fail(name, "'stops' must be at least two stops at ascending positions");
    }
    return gradient;
}

Palette read_palette(const toml::table& table) {
    const std::string name = table["name"].value_or(std::string{});
    if (name.empty()) fail("?", "'name' is missing");
    if (table.contains("stops")) return {name, read_gradient(table, name)};
    if (table.contains("a")) return {name, read_cosine(table, name)};
    fail(name, "either 'stops' or 'a', 'b', 'c', 'd' is needed");
}

// --- interpolation ---

Rgb into_space(const Rgb& srgb, BlendSpace space) {
    const Rgb linear = linear_from_srgb(srgb);
    return space == BlendSpace::kLinear ? linear : oklab_from_linear(linear);
}

Rgb from_space(const Rgb& color, BlendSpace space) {
    return srgb_from_linear(space == BlendSpace::kLinear ? color : linear_from_oklab(color));
}

/// A closed curve through knots, one channel: smooth, and never beyond its knots.
/// [M. Steffen, "A simple method for monotonic interpolation in one dimension", 1990]
struct ClosedCurve {
    std::vector<double> x, y;  ///< knots, ascending in x within one turn

    std::size_t next(std::size_t i) const { return (i + 1) % x.size(); }
    double width(std::size_t i) const { return next(i) == 0 ? x[0] + 1 - x[i] : x[i + 1] - x[i]; }
    double slope(std::size_t i) const { return (y[next(i)] - y[i]) / width(i); }

    double tangent(std::size_t i) const {
        const std::size_t before = (i + x.size() - 1) % x.size();
        const double left = slope(before), right = slope(i);
        if (left * right <= 0) return 0;
        const double parabola =
            (left * width(i) + right * width(before)) / (width(before) + width(i));
        return std::copysign(
            std::min({2 * std::abs(left), 2 * std::abs(right), std::abs(parabola)}), left);
    }

    /// The value at t in [0, 1).
    double at(double t) const {
        const auto above = std::ranges::upper_bound(x, t) - x.begin();
        const std::size_t i = (static_cast<std::size_t>(above) + x.size() - 1) % x.size();
        const double h = width(i);
        const double u = (t < x[i] ? t + 1 - x[i] : t - x[i]) / h;
        const double v = 1 - u;
        return y[i] * v * v * (1 + 2 * u) + y[next(i)] * u * u * (1 + 2 * v) +
               h * u * v * (tangent(i) * v - tangent(next(i)) * u);
    }
};

std::array<ClosedCurve, 3> curves_of(const Gradient& gradient) {
    std::array<ClosedCurve, 3> curves;
    for (const ColorStop& stop : gradient.stops) {
        const Rgb color = into_space(stop.color, gradient.space);
        for (std::size_t i = 0; i < 3; ++i) {
            curves[i].x.push_back(stop.position);
            curves[i].y.push_back(color[i]);
        }
    }
    return curves;
}

PaletteTable tabulate_source(const CosineWave& wave) {
    PaletteTable table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double t = static_cast<double>(i) / kPaletteSize;
        Rgb color{};
        for (std::size_t k = 0; k < 3; ++k) {
            color[k] = wave.a[k] +
                       wave.b[k] * std::cos(2 * std::numbers::pi * (wave.c[k] * t + wave.d[k]));
        }
        table[i] = pack(color);
    }
    return table;
}

PaletteTable tabulate_source(const Gradient& gradient) {
    const std::array<ClosedCurve, 3> curves = curves_of(gradient);
    PaletteTable table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double t = static_cast<double>(i) / kPaletteSize;
        const Rgb color{curves[0].at(t), curves[1].at(t), curves[2].at(t)};
        table[i] = pack(from_space(color, gradient.space));
    }
    return table;
}

}  // namespace

std::vector<Palette> parse_palettes(std::string_view text) {
    toml::table root;
    try {
        root = toml::parse(text);
    } catch (const toml::parse_error& error) {
        throw PaletteError{"palettes, line " + std::to_string(error.source().begin.line) + ": " +
                           std::string{error.description()}};
    }
    std::vector<Palette> palettes;
    if (const toml::array* entries = root["palette"].as_array()) {
        for (const toml::node& entry : *entries) {
            if (!entry.is_table()) fail("?", "each entry must be a [[palette]] table");
            palettes.push_back(read_palette(*entry.as_table()));
        }
    }
    if (palettes.empty()) throw PaletteError{"palettes: no [[palette]] in the file"};
    return palettes;
}

std::vector<Palette> load_palettes() {
    return parse_palettes(asset("assets/palettes/palettes.toml"));
}

PaletteTable tabulate(const Palette& palette) {
    return std::visit([](const auto& source) { return tabulate_source(source); }, palette.source);
}

}  // namespace warpscope
