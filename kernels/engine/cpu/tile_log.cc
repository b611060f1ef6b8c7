// SPDX-License-Identifier: MIT
#include "kernels/engine/cpu/tile_log.h"

#include <algorithm>
#include <utility>

namespace warpscope {

void TileLog::open(std::vector<TraceGrid> grids) {
    grids_ = std::move(grids);
    std::size_t tiles = 0;
    for (const TraceGrid& grid : grids_) {
        tiles += static_cast<std::size_t>(grid.x) * static_cast<std::size_t>(grid.y);
    }
    entries_.assign(tiles, {});
}

void TileLog::close_into(Trace& trace) {
    Clock::time_point first = Clock::time_point::max();
    for (const Entry& entry : entries_) first = std::min(first, entry.start);
    // Of whole nanoseconds, so that files hold few digits.
    const auto us = [&](Clock::time_point at) {
        return static_cast<double>(std::chrono::nanoseconds{at - first}.count()) / 1e3;
    };
    std::size_t tile = 0;
    trace.spans.clear();
    trace.spans.reserve(entries_.size());
    for (std::uint32_t grid = 0; grid < grids_.size(); ++grid) {
        for (int y = 0; y < grids_[grid].y; ++y) {
            for (int x = 0; x < grids_[grid].x; ++x) {
                const Entry& entry = entries_[tile++];
                Span span{grid,
                          x,
                          y,
                          entry.worker,
                          0,
                          us(entry.start),
                          us(entry.end),
                          entry.work.executed,
                          entry.work.lane_steps};
                span.warp_us = span.duration_us();
                trace.spans.push_back(span);
            }
        }
    }
    trace.grids = std::move(grids_);
    entries_.clear();
}

}  // namespace warpscope
