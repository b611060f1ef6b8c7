// SPDX-License-Identifier: MIT
// A place as a TOML file: decimal strings of any length, so that nothing is lost on a round trip.
//
//     title = "Seahorse valley"
//     re = "-0.743643887037151"        # the centre, and the zoom: half-height 2/zoom
//     im = "0.131825904205330"
//     zoom = "1.2e4"
//     formula = "mandelbrot"           # key and power as on the command line
//     power = 2
//     max_iter = 5000                  # 1 to 1e9
//     bailout = 256                    # 2 to 1e9
//     precision = "auto"               # auto, f32, df64 or f64
//     julia = true                     # with julia_re and julia_im: the Julia set of that c
//     [color]                          # optional, see ColorSettings
//
// Only re, im and zoom must be there. Fraktaler-3's location.real, .imag, .zoom,
// bailout.iterations, .escape_radius and one [[formula]] are read too, and rust-fractal's real,
// imag, zoom, iterations.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/state.h"

namespace warpscope {

/// A place could not be read. The message says what was wrong and what is accepted.
struct LocationError : std::runtime_error {
    /// `line` from 1; 0 where there is none. Where there is one, the message begins with it.
    LocationError(int line, const std::string& what);
    int line;
};

/// A place and what stood beside it in its file.
struct Location {
    std::string title, credit;
    Scene scene;
    std::optional<ColorSettings> color;
    std::string unknown;             ///< TOML text of keys that are not ours; kept on rewriting
    std::vector<std::string> notes;  ///< sentences on what was changed while reading
};

/// Most bytes that a place may have.
inline constexpr std::size_t kMaxLocationBytes = std::size_t{4} << 20;

/// Reads a place. Throws LocationError (with line) on malformed text, missing or impossible values.
/// Unknown keys are kept, not rejected. A limit beyond 1e9 in a foreign file is clamped with a
/// note.
Location parse_location(std::string_view text);

/// The place as TOML; parse_location() gives back the same values.
std::string to_toml(const Location& location);

/// Reads a file: TOML, or a PNG that write_png() gave a place. A missing title becomes the file's
/// name. Throws LocationError naming the path.
Location read_location(const std::filesystem::path& path);

/// Writes a file, whole or not at all. Throws FileError.
void write_location(const std::filesystem::path& path, const Location& location);

/// The formula of a key and power as on the command line; power 0 takes the key's first. Throws
/// std::invalid_argument listing what is accepted.
Formula find_formula(std::string_view key, int power);

/// auto, f32, f64 and back. The latter throws std::invalid_argument.
std::string_view precision_key(PrecisionChoice precision);
PrecisionChoice find_precision(std::string_view key);

}  // namespace warpscope
