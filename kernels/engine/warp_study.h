// SPDX-License-Identifier: MIT
// What the 32 lanes of one warp do with their pixels, step by step, and what other processors would
// spend on the same pixels. Follows from the counts: which kernel runs makes no difference to it.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/occupancy.h"

namespace warpscope {

/// A lane and the pixel of its thread.
struct WarpLane {
    bool idle =
        true;  ///< no thread of the block, or one outside the frame: the guard sends it away
    int x = 0, y = 0;         ///< pixel in the frame
    std::complex<double> c;   ///< the pixel's point of the plane
    std::uint32_t steps = 0;  ///< of the plain loop: the count, or the limit where it stays inside
    bool escapes = false;
    bool operator==(const WarpLane&) const = default;
};

/// The warp of a block that computes a pixel.
struct WarpStudy {
    FrameJob job;
    BlockShape block;
    int block_x = 0, block_y = 0;  ///< the block in its grid
    int warp = 0;                  ///< the warp in its block
    int lane = 0;                  ///< the pixel's lane in that warp
    std::array<WarpLane, kWarpThreads> lanes;
};

/// The warp for pixel (x, y) of the frame in blocks of this shape, with `job`'s number type. Absent
/// after a stop. Throws BackendError on a bad job or block, or a pixel outside the frame.
std::optional<WarpStudy> study_warp(const FrameJob& job, BlockShape block, int x, int y,
                                    const std::stop_token& stop = {});

/// Steps that the warp takes: those of its slowest lane.
std::uint32_t longest(const WarpStudy& study) noexcept;

/// Whether the lane still runs after `steps` steps of its warp.
bool runs_after(const WarpLane& lane, std::uint32_t steps) noexcept;
int running_after(const WarpStudy& study, std::uint32_t steps) noexcept;

/// What a processor spends whose instructions work on `lanes` numbers at once: the lanes of a group
/// go on until the slowest has escaped.
struct GroupCost {
    int lanes = 1;
    std::uint64_t instructions = 0;  ///< steps issued, over all groups
    std::uint64_t lane_steps = 0;    ///< lanes * instructions
    std::uint64_t useful = 0;        ///< steps of pixels among them
    double efficiency() const noexcept {
        return lane_steps > 0 ? static_cast<double>(useful) / static_cast<double>(lane_steps) : 0;
    }
};
/// Of the study's pixels taken `lanes` at a time, in the lanes' order; 1 is a scalar loop, 16
/// floats or 8 doubles a vector of AVX-512, 32 a warp. A power of two up to 32.
GroupCost group_cost(const WarpStudy& study, int lanes) noexcept;

/// z_0, z_1, … of a pixel's orbit in double, up to and with the first outside the bailout radius;
/// at most `most` of them.
std::vector<std::complex<double>> orbit_of(const FrameJob& job, int x, int y, std::size_t most);

}  // namespace warpscope
