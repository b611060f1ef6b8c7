// SPDX-License-Identifier: MIT
// Traces small enough to work out by hand.
#pragma once

#include "kernels/engine/trace.h"

namespace warpscope {

inline Part whole_of(const FrameJob& job) { return {0, 0, job.width, job.height}; }

/// 16 x 16 pixels in four blocks of 8 x 8.
inline Trace four_blocks() {
    Trace trace;
    trace.backend = "list";
    trace.device = "paper";
    trace.detail = "by hand";
    trace.kernel = "pencil";
    trace.job.width = trace.job.height = 16;
    trace.job.spacing = 0.25;
    trace.job.limit = 100;
    trace.shape = {8, 8};
    trace.units = 2;
    trace.kernel_ms = 0.011;
    trace.grids = {{2, 2, whole_of(trace.job)}};
    return trace;
}

/// thread 0  |--------||------------|
/// thread 1    |----|    |--|
///           0 1    3 4 5   6       10
inline Trace two_threads() {
    Trace trace = four_blocks();
    trace.slots = 1;
    trace.spans = {{0, 0, 0, 0, 0, 0, 4, 10, 20, 4, 0, 0},
                   {0, 1, 0, 1, 0, 1, 3, 10, 10, 2, 0, 1},
                   {0, 0, 1, 0, 0, 4, 10, 5, 5, 6, 0, 4},
                   {0, 1, 1, 1, 0, 5, 6, 5, 5, 1, 0, 5}};
    return trace;
}

/// SM 0, slot 0  |------------------|
///       slot 1  |-------||----|
/// SM 1, slot 0  |----------|
///               0       4  6  7    10
inline Trace two_multiprocessors() {
    Trace trace = four_blocks();
    trace.unit = TraceUnit::kMultiprocessor;
    trace.slots = 2;
    trace.unit_warps = 8;
    trace.grids[0].warps = 2;
    // The third block's other warp ended a microsecond before it.
    trace.spans = {{0, 0, 0, 0, 0, 0, 10, 30, 40, 20, 5},
                   {0, 1, 0, 0, 1, 0, 4, 10, 10, 8, 2},
                   {0, 0, 1, 1, 0, 0, 6, 20, 32, 11, 0},
                   {0, 1, 1, 0, 1, 4, 7, 9, 10, 6, 2, 4}};
    return trace;
}

}  // namespace warpscope
