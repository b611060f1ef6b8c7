// SPDX-License-Identifier: MIT
#include "render/cells.h"

namespace warpscope {

std::vector<std::size_t> first_cells(const Trace& trace) {
    std::vector<std::size_t> first{0};
    for (const TraceGrid& grid : trace.grids) {
        first.push_back(first.back() +
                        static_cast<std::size_t>(grid.x) * static_cast<std::size_t>(grid.y));
    }
    return first;
}

std::optional<std::size_t> cell_at(const Trace& trace, int x, int y) {
    std::optional<std::size_t> found;
    std::size_t first = 0;
    for (const TraceGrid& grid : trace.grids) {
        const std::size_t base = first;
        first += static_cast<std::size_t>(grid.x) * static_cast<std::size_t>(grid.y);
        if (!grid.part) continue;
        const Part& part = *grid.part;
        if (x < part.x0 || y < part.y0 || x >= part.x1 || y >= part.y1) continue;
        const int dx = x - part.x0, dy = y - part.y0;
        const int block_x = dx / part.step_x / trace.shape.x;
        const int block_y = dy / part.step_y / trace.shape.y;
        if (block_x >= grid.x || block_y >= grid.y) continue;
        found = base + static_cast<std::size_t>(block_y) * static_cast<std::size_t>(grid.x) +
                static_cast<std::size_t>(block_x);
        if (dx % part.step_x == 0 && dy % part.step_y == 0) return found;
    }
    return found;
}

}  // namespace warpscope
