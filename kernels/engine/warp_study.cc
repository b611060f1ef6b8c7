// SPDX-License-Identifier: MIT
#include "kernels/engine/warp_study.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "kernels/engine/frame_run.h"
#include "kernels/engine/plan.h"
#include "kernels/math/escape.h"

namespace warpscope {
namespace {

void check_pixel(const FrameJob& job, int x, int y) {
    if (x >= 0 && x < job.width && y >= 0 && y < job.height) return;
    throw BackendError{"pixel " + std::to_string(x) + ", " + std::to_string(y) +
                       " is outside the frame; accepted: 0 to " + std::to_string(job.width - 1) +
                       ", 0 to " + std::to_string(job.height - 1)};
}

/// The job whose frame is the rectangle [x0, x0 + width) x [y0, y0 + height) of `job`'s: its pixels
/// stand for the same points, bit for bit.
FrameJob window_of(FrameJob job, int x0, int y0, int width, int height) {
    job.shift_x += 0.5 * (width - job.width) + x0;
    job.shift_y += 0.5 * (height - job.height) + y0;
    job.width = width;
    job.height = height;
    return job;
}

/// Samples of a small job; absent after a stop.
std::optional<std::vector<Sample>> samples_of(const FrameJob& job, const std::stop_token& stop) {
    if (stop.stop_requested()) return std::nullopt;
    const std::unique_ptr<Backend> backend = make_backend("cpu-simd");
    const HostSamples samples = backend->allocate_host(pixel_count(job));
    if (run_frame(*backend, job, {}, samples.get(), stop) != FrameEnd::kDone) return std::nullopt;
    return std::vector<Sample>{samples.get(), samples.get() + pixel_count(job)};
}

std::complex<double> point(const FrameJob& job, int x, int y) {
    const auto at = scalar::point_of(make_plane<double>(job), x, y);
    return {at.x, at.y};
}

template <class F>
void iterate(scalar::Complex<double> z, scalar::Complex<double> c, double radius2, std::size_t most,
             std::vector<std::complex<double>>& orbit) {
    while (orbit.size() < most) {
        orbit.emplace_back(z.x, z.y);
        if (!(z.x * z.x + z.y * z.y <= radius2)) return;
        z = F::step(z, c);
    }
}

}  // namespace

std::optional<WarpStudy> study_warp(const FrameJob& job, BlockShape block, int x, int y,
                                    const std::stop_token& stop) {
    check_job(job);
    check_block(block);
    check_pixel(job, x, y);
    WarpStudy study;
    study.job = job;
    study.block = block;
    study.block_x = x / block.x;
    study.block_y = y / block.y;
    const int x0 = study.block_x * block.x, y0 = study.block_y * block.y;
    const int own = (y - y0) * block.x + (x - x0);
    study.warp = own / kWarpThreads;
    study.lane = own % kWarpThreads;
    // The rows of the block that the warp has threads in.
    const int threads = block.x * block.y, first = study.warp * kWarpThreads;
    const int last = std::min(first + kWarpThreads, threads) - 1;
    const int top = y0 + first / block.x, bottom = std::min(y0 + last / block.x, job.height - 1);
    const int width = std::min(block.x, job.width - x0), height = bottom - top + 1;
    const auto samples = samples_of(window_of(job, x0, top, width, height), stop);
    if (!samples) return std::nullopt;
    for (int thread = first; thread <= last; ++thread) {
        const int column = thread % block.x, row = y0 + thread / block.x;
        if (column >= width || row > bottom) continue;
        const Sample& sample =
            (*samples)[static_cast<std::size_t>(row - top) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(column)];
        const bool escapes = sample.count > 0;
        study.lanes[static_cast<std::size_t>(thread - first)] = {false,
                                                                 x0 + column,
                                                                 row,
                                                                 point(job, x0 + column, row),
                                                                 escapes ? sample.count : job.limit,
                                                                 escapes};
    }
    return study;
}

std::uint32_t longest(const WarpStudy& study) noexcept {
    std::uint32_t most = 0;
    for (const WarpLane& lane : study.lanes) most = std::max(most, lane.steps);
    return most;
}

bool runs_after(const WarpLane& lane, std::uint32_t steps) noexcept {
    return !lane.idle && lane.steps > steps;
}

int running_after(const WarpStudy& study, std::uint32_t steps) noexcept {
    return static_cast<int>(
        std::count_if(study.lanes.begin(), study.lanes.end(),
                      [steps](const WarpLane& lane) { return runs_after(lane, steps); }));
}

GroupCost group_cost(const WarpStudy& study, int lanes) noexcept {
    assert(lanes >= 1 && kWarpThreads % lanes == 0);
    GroupCost cost{lanes};
    for (auto group = study.lanes.begin(); group != study.lanes.end(); group += lanes) {
        std::uint32_t slowest = 0;
        for (auto lane = group; lane != group + lanes; ++lane) {
            slowest = std::max(slowest, lane->steps);
            cost.useful += lane->steps;
        }
        cost.instructions += slowest;
    }
    cost.lane_steps = cost.instructions * static_cast<std::uint64_t>(lanes);
    return cost;
}

std::vector<std::complex<double>> orbit_of(const FrameJob& job, int x, int y, std::size_t most) {
    check_job(job);
    check_pixel(job, x, y);
    const std::complex<double> at = point(job, x, y);
    const scalar::Complex<double> p{at.real(), at.imag()};
    const scalar::Complex<double> z = job.julia ? p : scalar::Complex<double>{0, 0};
    const scalar::Complex<double> c =
        job.julia ? scalar::Complex<double>{job.julia_re, job.julia_im} : p;
    std::vector<std::complex<double>> orbit;
    switch (job.formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom)                \
    case Formula::k##Name:                                                   \
        iterate<scalar::Name>(z, c, job.bailout * job.bailout, most, orbit); \
        break;
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return orbit;
}

}  // namespace warpscope
