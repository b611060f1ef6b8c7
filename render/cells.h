// SPDX-License-Identifier: MIT
// The blocks of a trace as places in the picture: cells, grid by grid and row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/engine/trace.h"

namespace warpscope {

/// What an overlay shows of one block. Member for member struct Cell of shaders/overlay.comp.glsl.
struct Cell {
    static constexpr std::uint32_t kHasValue = 1;
    static constexpr std::uint32_t kShaded =
        2;  ///< a little darker, to tell it from its neighbours
    float value = 0;
    std::uint32_t flags = 0;
    float start_us = 0, end_us = 0;  ///< for overlays with a clock
};
static_assert(sizeof(Cell) == 16);

/// Index of each grid's first cell, and at the end how many cells there are.
std::vector<std::size_t> first_cells(const Trace& trace);

/// The cell that computed pixel (x, y) of the trace's frame. Where a grid computed every second
/// pixel only, those between belong to their neighbour's cell unless another grid computed them.
/// Absent where no grid reaches.
std::optional<std::size_t> cell_at(const Trace& trace, int x, int y);

}  // namespace warpscope
