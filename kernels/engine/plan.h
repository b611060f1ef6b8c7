// SPDX-License-Identifier: MIT
// Checks and sizes that every backend shares.
#pragma once

#include "kernels/engine/backend.h"

namespace warpscope {

/// Throws BackendError that names the field and what is accepted, unless `job` can be run.
void check_job(const FrameJob& job);

/// Throws BackendError unless x, y >= 1 and x * y <= 1024.
void check_block(BlockShape block);

/// Blocks that cover `width` x `height` pixels.
struct GridShape {
    int x, y;
    long long blocks() const noexcept { return static_cast<long long>(x) * y; }
};
GridShape grid_for(int width, int height, BlockShape block) noexcept;

/// Warps are made of 32 consecutive threads of a block, x first; the last may be partial.
struct WarpUse {
    int warps;          ///< per block
    int idle_lanes;     ///< lanes per block that belong to no thread
    double efficiency;  ///< threads / (32 * warps)
};
WarpUse warp_use(BlockShape block) noexcept;

}  // namespace warpscope
