// SPDX-License-Identifier: MIT
// The rungs' own text: the build packs the files that it compiles, and a rung is cut out between
// "// rung: NAME" and "// end".
#pragma once

#include <string_view>
#include <vector>

namespace warpscope::lab {

/// The text between the marker lines of `rung` in `file` (a path from the project's root), without
/// them. Throws std::out_of_range naming file and rung when either is missing.
std::string_view rung_source(std::string_view file, std::string_view rung);

namespace packed {  // written by pack_sources.cmake
struct Source {
    std::string_view path, content;
};
extern const Source sources[];
extern const unsigned long source_count;
}  // namespace packed

}  // namespace warpscope::lab
