// SPDX-License-Identifier: MIT
// Values over two axes of named steps, as coloured cells: the chart component's flat relative.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpscope {

/// One cell. Its level parts it from neighbours of another level by a line.
struct HeatCell {
    std::optional<float> value;  ///< above 0; absent: not measured, nothing is drawn
    std::string level;
    std::string text;  ///< written into the cell
};

struct HeatMap {
    const char* id = "";
    std::string x_label, y_label;            ///< with their units
    std::vector<std::string> columns, rows;  ///< names; rows from the bottom up; at least one each
    std::vector<HeatCell> cells;             ///< row by row
    std::string low, high;                   ///< names of the smallest and the largest value
    std::string level_name;                  ///< what the lines part; empty: none are drawn
    std::optional<ImVec2> best, current;     ///< in columns and rows from 0, between them too
    std::function<std::string(std::size_t cell)> hover;
};

/// Draws into a box of `size` pixels at the cursor: light cells are low, dark ones high, on a
/// logarithmic scale. Returns the cell that was clicked.
std::optional<std::size_t> draw_heat_map(const HeatMap& map, ImVec2 size);

}  // namespace warpscope
