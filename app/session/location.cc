// SPDX-License-Identifier: MIT
#include "app/session/location.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/atomic_file.h"
#include "app/session/clamp.h"
#include "app/session/export.h"
#include "app/session/location_numbers.h"
#include "app/session/palette.h"
#include "app/session/toml_fields.h"

namespace warpscope {
namespace {

std::string error_text(int line, const std::string& what) {
    return line > 0 ? "line " + std::to_string(line) + ": " + what : what;
}

std::string single_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

[[noreturn]] void fail(int line, const std::string& what) { throw LocationError{line, what}; }

/// Where a kind of file keeps its numbers.
struct Names {
    std::string_view re, im, zoom;
};

/// One reading of one file. Keys that are taken leave `root`; the rest is unknown.
class Reader {
  public:
    explicit Reader(toml::table root) : root_{std::move(root)} {}

    Location read() {
        Fields fields = fields_of(root_, "");
        fields.take("title", place_.title);
        fields.take("credit", place_.credit);
        const bool own = fields.has("re") || fields.has("im");
        const toml::node* location = root_.get("location");
        if (!own && location && location->is_table()) {
            read_fraktaler();
        } else if (!own && fields.has("real")) {
            read_rust_fractal();
        } else {
            read_own();
        }
        if (toml::table* color = fields.subtable("color")) {
            place_.color = take_color(fields_of(*color, "color."));
            note_palette(place_.color->palette);
            drop_if_empty("color");
        }
        place_.unknown = to_text(root_);
        return std::move(place_);
    }

  private:
    Fields fields_of(toml::table& table, std::string prefix) const {
        return {table, std::move(prefix), fail};
    }

    void drop_if_empty(std::string_view key) {
        if (const toml::table* table = root_[key].as_table(); table && table->empty()) {
            root_.erase(key);
        }
    }

    /// Takes `key`, a decimal string; `missing` where it is not there.
    static void take_number(Fields& fields, std::string_view key, long bits, BigFloat& out) {
        DecimalText decimal{{}, bits};
        const int line = fields.take(key, decimal.text);
        if (line < 0) return;
        try {
            out = decimal_value(decimal);
        } catch (const NumberError& error) {
            fields.report(line, key, std::string{"must be a decimal string: "} + error.what());
        }
    }

    static void require(Fields& fields, std::string_view key) {
        if (!fields.has(key)) {
            fields.report(line_of(fields.rest()), key,
                          "is missing; a place needs re, im and zoom as decimal strings");
        }
    }

    void read_view(Fields& fields, const Names& names, const toml::table& bits) {
        View& view = place_.scene.view;
        for (const std::string_view key : {names.re, names.im, names.zoom}) require(fields, key);
        take_number(fields, names.re, bits_of(bits, "re"), view.re);
        take_number(fields, names.im, bits_of(bits, "im"), view.im);
        const int line = line_of(*fields.rest().get(names.zoom));
        take_number(fields, names.zoom, bits_of(bits, "zoom"), view.zoom);
        if (view.zoom.sign() <= 0) {
            fields.report(line, names.zoom,
                          "must be above 0, got '" + view.zoom.to_string(6) + "'");
        }
    }

    static long bits_of(const toml::table& bits, std::string_view key) {
        const toml::node* node = bits.get(key);
        if (!node) return 0;
        const auto value = node->value<std::int64_t>();
        if (!node->is_integer() || *value < 2 || *value > kMaxDecimalBits) {
            fail(line_of(*node), "bits." + std::string{key} + " must be an integer from 2 to " +
                                     std::to_string(kMaxDecimalBits));
        }
        return static_cast<long>(*value);
    }

    void read_own() {
        Fields fields = fields_of(root_, "");
        toml::table bits;
        if (toml::table* table = fields.subtable("bits")) bits = std::move(*table);
        root_.erase("bits");
        read_view(fields, {"re", "im", "zoom"}, bits);
        Scene& scene = place_.scene;
        scene.julia = fields.has("julia_re") || fields.has("julia_im");
        take_number(fields, "julia_re", bits_of(bits, "julia_re"), scene.julia_re);
        take_number(fields, "julia_im", bits_of(bits, "julia_im"), scene.julia_im);
        fields.take("julia", scene.julia);
        read_formula(fields);
        read_limits(fields);
        std::string precision{precision_key(scene.precision)};
        const int line = fields.take("precision", precision);
        try {
            scene.precision = find_precision(precision);
        } catch (const std::invalid_argument& error) {
            fail(line, error.what());
        }
    }

    void read_formula(Fields& fields) {
        std::string key{info(place_.scene.formula).key};
        std::int64_t power = 0;
        const int line = fields.take("formula", key);
        const int power_line = fields.take("power", power);
        if (power_line >= 0 && (power < 2 || power > 8)) {
            fail(power_line, "power must be 2 to 8, got " + std::to_string(power));
        }
        try {
            place_.scene.formula = find_formula(key, static_cast<int>(power));
        } catch (const std::invalid_argument& error) {
            fail(std::max(line, power_line), error.what());
        }
    }

    void read_limits(Fields& fields) {
        std::int64_t limit = place_.scene.limit;
        int line = fields.take("max_iter", limit);
        if (limit < 1 || limit > kMaxLimit) {
            fail(line, "max_iter must be 1 to 1000000000, got " + std::to_string(limit));
        }
        place_.scene.limit = static_cast<std::uint32_t>(limit);
        line = fields.take("bailout", place_.scene.bailout);
        const double bailout = place_.scene.bailout;
        if (!(bailout >= kMinBailout && bailout <= kMaxBailout)) {
            fail(line, "bailout must be 2 to 1e9, got " + short_number(bailout));
        }
    }

    void read_fraktaler() {
        Fields location = fields_of(*root_["location"].as_table(), "location.");
        read_view(location, {"real", "imag", "zoom"}, {});
        drop_if_empty("location");
        Fields root = fields_of(root_, "");
        if (toml::table* table = root.subtable("bailout")) {
            Fields bailout = fields_of(*table, "bailout.");
            take_foreign_limit(bailout);
            double radius = place_.scene.bailout;
            if (bailout.take("escape_radius", radius) >= 0) {
                note(clamp_bailout(radius));
                place_.scene.bailout = radius;
            }
            drop_if_empty("bailout");
        }
        if (const toml::node* formula = root_.get("formula")) {
            place_.scene.formula = fraktaler_formula(*formula);
            root_.erase("formula");
        }
    }

    void read_rust_fractal() {
        Fields fields = fields_of(root_, "");
        read_view(fields, {"real", "imag", "zoom"}, {});
        take_foreign_limit(fields);
    }

    void take_foreign_limit(Fields& fields) {
        std::int64_t limit = place_.scene.limit;
        const int line = fields.take("iterations", limit);
        if (limit < 1) {
            fields.report(line, "iterations", "must be at least 1, got " + std::to_string(limit));
        }
        note(clamp_limit(limit));
        place_.scene.limit = static_cast<std::uint32_t>(limit);
    }

    /// One block of abs_x, abs_y, neg_x, neg_y, power, where it is a formula of ours.
    static Formula fraktaler_formula(const toml::node& node) {
        const toml::array* blocks = node.as_array();
        const toml::table* block =
            blocks && blocks->size() == 1 ? blocks->at(0).as_table() : nullptr;
        if (!block) {
            fail(line_of(node), "formula must be one [[formula]] table; hybrids are not supported");
        }
        const auto flag = [&](std::string_view key) { return (*block)[key].value_or(false); };
        const std::int64_t power = (*block)["power"].value_or(std::int64_t{2});
        const bool plain = !flag("abs_x") && !flag("abs_y") && !flag("neg_x") && !flag("neg_y");
        if (plain && power == 2) return Formula::kMandelbrot;
        if (plain && power >= 3 && power <= 8) {
            return find_formula("multibrot", static_cast<int>(power));
        }
        const bool square = power == 2 && !flag("neg_x");
        if (square && flag("abs_x") && flag("abs_y") && !flag("neg_y")) {
            return Formula::kBurningShip;
        }
        if (square && !flag("abs_x") && !flag("abs_y")) return Formula::kTricorn;
        fail(line_of(node),
             "formula is none of Mandelbrot, Burning Ship, Tricorn, Multibrot 3 to 8");
    }

    /// The name is kept: another version may know it.
    void note_palette(const std::string& name) {
        const std::string usual = ColorSettings{}.palette;
        if (name == usual) return;
        const std::vector<Palette> known = load_palettes();
        const auto has_name = [&](const Palette& palette) { return palette.name == name; };
        if (std::any_of(known.begin(), known.end(), has_name)) return;
        note("palette '" + name.substr(0, 40) + "' is not known here; " + usual + " is used");
    }

    void note(std::string sentence) {
        if (!sentence.empty()) place_.notes.push_back(std::move(sentence));
    }

    toml::table root_;
    Location place_;
};

/// Appends a number; its precision goes to `bits` where the digits alone do not tell it.
void append(std::string& text, std::string& bits, std::string_view key, const BigFloat& value) {
    const DecimalText decimal = decimal_text(value);
    text += std::string{key} + " = \"" + decimal.text + "\"\n";
    if (decimal.bits == 0) return;
    if (!bits.empty()) bits += ", ";
    bits += std::string{key} + " = " + std::to_string(decimal.bits);
}

toml::table parsed_unknown(const std::string& text) {
    if (text.empty()) return {};
    return parse_toml(text, "unknown keys");
}

}  // namespace

LocationError::LocationError(int line_, const std::string& what)
    : std::runtime_error{error_text(line_, single_line(what))}, line{line_} {}

Location parse_location(std::string_view text) {
    if (text.size() > kMaxLocationBytes) fail(0, "a place has at most 4 MiB of text");
    try {
        return Reader{parse_toml(text, "place")}.read();
    } catch (const toml::parse_error& error) {
        fail(static_cast<int>(error.source().begin.line),
             "not a place in TOML: " + std::string{error.description()});
    }
}

std::string to_toml(const Location& location) {
    const Scene& scene = location.scene;
    std::string text, bits;
    if (!location.title.empty()) text += "title = " + toml_string(location.title) + "\n";
    if (!location.credit.empty()) text += "credit = " + toml_string(location.credit) + "\n";
    append(text, bits, "re", scene.view.re);
    append(text, bits, "im", scene.view.im);
    append(text, bits, "zoom", scene.view.zoom);
    const FormulaInfo& formula = info(scene.formula);
    text += "formula = " + toml_string(formula.key) + "\n";
    text += "power = " + std::to_string(formula.power) + "\n";
    text += "max_iter = " + std::to_string(scene.limit) + "\n";
    text += to_text(toml::table{{"bailout", scene.bailout}});
    text += "precision = " + toml_string(precision_key(scene.precision)) + "\n";
    text += std::string{"julia = "} + (scene.julia ? "true" : "false") + "\n";
    const Scene usual;
    if (scene.julia || scene.julia_re != usual.julia_re || scene.julia_im != usual.julia_im) {
        append(text, bits, "julia_re", scene.julia_re);
        append(text, bits, "julia_im", scene.julia_im);
    }
    if (!bits.empty()) text += "bits = { " + bits + " }\n";

    toml::table rest = parsed_unknown(location.unknown);
    if (location.color) {
        toml::table color = color_table(*location.color);
        if (const toml::table* unknown = rest["color"].as_table()) {
            for (const auto& [key, value] : *unknown) color.insert(key, value);
        }
        rest.insert_or_assign("color", std::move(color));
    }
    return text + to_text(rest);
}

Location read_location(const std::filesystem::path& path) {
    try {
        Location location = parse_location(location_text(path));
        if (location.title.empty()) location.title = path.stem().string();
        return location;
    } catch (const FileError& error) {
        throw LocationError{0, error.what()};
    } catch (const LocationError& error) {
        LocationError named{0, "cannot open the place '" + path.string() + "': " + error.what()};
        named.line = error.line;
        throw named;
    }
}

void write_location(const std::filesystem::path& path, const Location& location) {
    write_file(path, to_toml(location));
}

Formula find_formula(std::string_view key, int power) {
    std::string accepted;
    for (const FormulaInfo& row : kFormulas) {
        if (row.key == key && (power == 0 || row.power == power)) return row.formula;
        accepted += (accepted.empty() ? "" : ", ") + std::string{row.key} + " of power " +
                    std::to_string(row.power);
    }
    const std::string asked = power == 0 ? "" : " of power " + std::to_string(power);
    throw std::invalid_argument{"there is no formula '" + std::string{key.substr(0, 40)} + "'" +
                                asked + "; there are " + accepted};
}

std::string_view precision_key(PrecisionChoice precision) {
    switch (precision) {
        case PrecisionChoice::kFloat:
            return "f32";
        case PrecisionChoice::kDf64:
            return "df64";
        case PrecisionChoice::kDouble:
            return "f64";
        case PrecisionChoice::kAuto:
            break;
    }
    return "auto";
}

PrecisionChoice find_precision(std::string_view key) {
    for (const PrecisionChoice choice : {PrecisionChoice::kAuto, PrecisionChoice::kFloat,
                                         PrecisionChoice::kDf64, PrecisionChoice::kDouble}) {
        if (precision_key(choice) == key) return choice;
    }
    throw std::invalid_argument{"precision must be auto, f32, df64 or f64, got '" +
                                std::string{key.substr(0, 40)} + "'"};
}

}  // namespace warpscope
