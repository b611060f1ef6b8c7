// SPDX-License-Identifier: MIT
// Pictures and raw counts as files, whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "kernels/math/sample.h"

namespace warpscope {

/// Writes an 8-bit sRGB PNG. `rgba` has width * height pixels, row 0 on top, R in the lowest byte.
/// `place` (a place in TOML, may be empty) is stored as text under "warpscope", so that opening the
/// picture brings the place back. Throws FileError naming path and reason.
void write_png(const std::filesystem::path& path, int width, int height,
               std::span<const std::uint32_t> rgba, std::string_view place);

/// Writes the counts as a version-1 NumPy array, '<u4', shape (height, width), row 0 on top, 0 for
/// points that never escaped. Throws FileError.
void write_npy(const std::filesystem::path& path, int width, int height,
               std::span<const Sample> samples);

/// The TOML of a place: the file's text, or what write_png() stored in a PNG. Throws FileError.
std::string location_text(const std::filesystem::path& path);

}  // namespace warpscope
