// SPDX-License-Identifier: MIT
// Files that are built into the program, by their path from the project's root.
#pragma once

#include <string_view>
#include <vector>

namespace warpscope {

/// The content of a packed file, e.g. "shaders/coloring.glsl". Throws std::out_of_range with the
/// path.
std::string_view asset(std::string_view path);

/// Paths of all packed files that begin with `prefix`, sorted.
std::vector<std::string_view> asset_paths(std::string_view prefix);

namespace packed {  // written by pack.cmake
struct Entry {
    std::string_view path, content;
};
extern const Entry entries[];
extern const unsigned long count;
}  // namespace packed

}  // namespace warpscope
