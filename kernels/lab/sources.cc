// SPDX-License-Identifier: MIT
#include "kernels/lab/sources.h"

#include <span>
#include <stdexcept>
#include <string>

namespace warpscope::lab {

std::string_view rung_source(std::string_view file, std::string_view rung) {
    for (const packed::Source& source : std::span{packed::sources, packed::source_count}) {
        if (source.path != file) continue;
        const std::string opening = "\n// rung: " + std::string{rung} + "\n";
        const std::size_t marker = source.content.find(opening);
        if (marker == std::string_view::npos) break;
        const std::size_t begin = marker + opening.size();
        const std::size_t end = source.content.find("\n// end\n", begin);
        if (end == std::string_view::npos) break;
        return source.content.substr(begin, end + 1 - begin);
    }
    throw std::out_of_range{"no text of rung '" + std::string{rung} + "' in " + std::string{file}};
}

}  // namespace warpscope::lab
