// SPDX-License-Identifier: MIT
// Which worker computed which tile, and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/trace.h"

namespace warpscope {

/// Workers write without a lock, each tile one entry.
class TileLog {
  public:
    using Clock = std::chrono::steady_clock;

    /// Entries for the tiles of `grids`, row by row and grid by grid, each to be written once.
    void open(std::vector<TraceGrid> grids);

    void add(int tile, int worker, Clock::time_point start, const Work& work) {
        entries_[static_cast<std::size_t>(tile)] = {worker, start, Clock::now(), work};
    }

    /// Moves grids and spans into `trace`, once all tiles are written and their writers have been
    /// waited for.
    void close_into(Trace& trace);

  private:
    struct Entry {
        int worker;
        Clock::time_point start, end;
        Work work;
    };
    std::vector<TraceGrid> grids_;
    std::vector<Entry> entries_;
};

}  // namespace warpscope
