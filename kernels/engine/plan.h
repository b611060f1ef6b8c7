// SPDX-License-Identifier: MIT
// Checks and sizes that every backend shares.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

/// Throws BackendError that names the field and what is accepted, unless `job` can be run.
void check_job(const FrameJob& job);

/// Throws BackendError unless x, y >= 1 and x * y <= 1024.
void check_block(BlockShape block);

/// Throws BackendError unless `parts` are at most kMaxParts, not empty and within the frame.
void check_parts(const FrameJob& job, std::span<const Part> parts);

/// All of the frame.
Part whole(const FrameJob& job) noexcept;

/// What a frame `job` lacks when the samples of `before` that both have are kept: at most two
/// parts, none where nothing is new. Absent unless the two differ by a whole shift alone.
std::optional<std::vector<Part>> uncovered(const FrameJob& before, const FrameJob& job);

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
