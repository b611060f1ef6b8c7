// SPDX-License-Identifier: MIT
#include "kernels/engine/number_types.h"

#include <algorithm>
#include <array>

#include "kernels/engine/frame_run.h"

namespace warpscope {
namespace {

/// Around 0, where z stays small and nothing escapes.
FrameJob inside(int edge, Precision precision) {
    FrameJob job;
    job.precision = precision;
    job.width = job.height = edge;
    job.spacing = 0.1 / edge;
    job.limit = 1000;
    return job;
}

double kernel_ms(Backend& backend, const FrameJob& job) {
    Tuning tuning;
    tuning.method.closed_form = tuning.method.periodicity = false;  // they would leave nothing
    const HostSamples samples = backend.allocate_host(pixel_count(job));
    run_frame(backend, job, tuning, samples.get(), {});
    return backend.stats().kernel_ms;
}

double median_ms(Backend& backend, const FrameJob& job) {
    std::array<double, 3> ms{};
    for (double& sample : ms) sample = kernel_ms(backend, job);
    std::ranges::sort(ms);
    return ms[1];
}

}  // namespace

Df64Speed measure_df64(Backend& backend) {
    // Enough pixels to fill the processor: a few milliseconds of double say so on any.
    constexpr double kEnoughMs = 2;
    constexpr int kMostPixels = 1024;
    int edge = 64;
    while (edge < kMostPixels && kernel_ms(backend, inside(edge, Precision::kDouble)) < kEnoughMs) {
        edge *= 2;
    }
    const double double_ms = median_ms(backend, inside(edge, Precision::kDouble));
    const double df64_ms = median_ms(backend, inside(edge, Precision::kDf64));
    return df64_ms < double_ms ? Df64Speed::kFaster : Df64Speed::kSlower;
}

}  // namespace warpscope
