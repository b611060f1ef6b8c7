// SPDX-License-Identifier: MIT
#include "app/text_table.h"

#include <algorithm>
#include <iostream>

#include "app/format.h"

namespace warpscope {
namespace {

/// Width in characters, not bytes: figures contain µ and ×.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void print_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        const bool whole = row.size() == rows.front().size();
        for (std::size_t i = 0; i + (whole ? 0 : 1) < row.size(); ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::size_t wide = width(row[i]);
            const std::string pad(widths[i] > wide ? widths[i] - wide : 0, ' ');
            const bool whole = row.size() == rows.front().size();
            const bool text = i == 0 || (!whole && i + 1 == row.size());
            line += (i == 0 ? "" : "  ") + (text ? row[i] + pad : pad + row[i]);
        }
        std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
}

std::string spread(const Distribution& distribution) {
    if (distribution.count == 0) return "—";
    const double median = distribution.median;
    return format_ms(median) + " ±" + format_percent(median > 0 ? distribution.iqr() / median : 0);
}

}  // namespace warpscope
