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
    constexpr double kMaxShift = 65536;
    require(std::abs(job.shift_x) <= kMaxShift && std::abs(job.shift_y) <= kMaxShift,
            "the shift of the pixel grid must be within 65536 pixels");
}

void check_block(BlockShape block) {
    require(block.x >= 1 && block.y >= 1 && block.x <= 1024 && block.y <= 1024 / block.x,
            "block " + std::to_string(block.x) + "x" + std::to_string(block.y) +
                " is not accepted: x and y must be at least 1 and x * y at most 1024 threads");
}

void check_parts(const FrameJob& job, std::span<const Part> parts) {
    require(parts.size() <= kMaxParts, "a frame can be computed in at most " +
                                           std::to_string(kMaxParts) + " parts, not " +
                                           std::to_string(parts.size()));
    for (const Part& part : parts) {
        require(part.x0 >= 0 && part.x0 < part.x1 && part.x1 <= job.width && part.y0 >= 0 &&
                    part.y0 < part.y1 && part.y1 <= job.height && part.step_x >= 1 &&
                    part.step_y >= 1,
                "part " + std::to_string(part.x0) + "," + std::to_string(part.y0) + " to " +
                    std::to_string(part.x1) + "," + std::to_string(part.y1) +
                    " is empty or not within the frame of " + std::to_string(job.width) + "x" +
                    std::to_string(job.height) + " pixels");
    }
}

Part whole(const FrameJob& job) noexcept { return {0, 0, job.width, job.height}; }

std::optional<std::vector<Part>> uncovered(const FrameJob& before, const FrameJob& job) {
    FrameJob moved = before;
    moved.shift_x = job.shift_x;
    moved.shift_y = job.shift_y;
    const double right = job.shift_x - before.shift_x, down = job.shift_y - before.shift_y;
    if (!(moved == job) || right != std::floor(right) || down != std::floor(down)) {
        return std::nullopt;
    }
    if (std::abs(right) >= job.width || std::abs(down) >= job.height) {
        return std::vector{whole(job)};
    }
    const int dx = static_cast<int>(right), dy = static_cast<int>(down);
    std::vector<Part> parts;
    // Rows that are new over the whole width, then columns beside the rows that are kept.
    const int top = dy < 0 ? -dy : 0, bottom = dy > 0 ? job.height - dy : job.height;
    if (dy < 0) parts.push_back({0, 0, job.width, top});
    if (dy > 0) parts.push_back({0, bottom, job.width, job.height});
    if (dx < 0) parts.push_back({0, top, -dx, bottom});
    if (dx > 0) parts.push_back({job.width - dx, top, job.width, bottom});
    return parts;
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
