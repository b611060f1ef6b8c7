// SPDX-License-Identifier: MIT
#include "kernels/engine/plan.h"

#include <cmath>

namespace warpscope {
namespace {

constexpr int kWarp = 32;

void require(bool good, const std::string& what) {
    if (!good) throw BackendError{what};
}

}  // namespace

void check_job(const FrameJob& job) {
    constexpr int kMaxEdge = 32768;
    require(job.width >= 1 && job.width <= kMaxEdge && job.height >= 1 && job.height <= kMaxEdge,
            "size " + std::to_string(job.width) + "x" + std::to_string(job.height) +
                " is not within 1x1 to 32768x32768 pixels");
    require(job.limit >= 1, "the iteration limit must be at least 1");
    require(job.bailout >= 2 && job.bailout <= 1e9,
            "bailout " + std::to_string(job.bailout) + " is not within 2 to 1e9");
    require(std::isfinite(job.center_re) && std::isfinite(job.center_im) &&
                std::isfinite(job.julia_re) && std::isfinite(job.julia_im),
            "the centre and the Julia constant must be finite numbers");
    require(std::isfinite(job.spacing) && job.spacing > 0,
            "the pixel spacing must be a positive number");
}

void check_block(BlockShape block) {
    require(block.x >= 1 && block.y >= 1 && block.x <= 1024 && block.y <= 1024 / block.x,
            "block " + std::to_string(block.x) + "x" + std::to_string(block.y) +
                " is not accepted: x and y must be at least 1 and x * y at most 1024 threads");
}

GridShape grid_for(int width, int height, BlockShape block) noexcept {
    return {(width + block.x - 1) / block.x, (height + block.y - 1) / block.y};
}

WarpUse warp_use(BlockShape block) noexcept {
    const int threads = block.x * block.y;
    const int warps = (threads + kWarp - 1) / kWarp;
    return {warps, warps * kWarp - threads, static_cast<double>(threads) / (warps * kWarp)};
}

}  // namespace warpscope
