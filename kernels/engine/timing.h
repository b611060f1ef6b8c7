// SPDX-License-Identifier: MIT
// How a figure is sampled and summed up: warm-up first, then enough samples for a median, with the
// spread and the reason for stopping kept beside it. Knows no clock: the caller measures one sample
// (CUDA events, steady_clock, …) and returns milliseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpscope {

/// Why sampling ended.
enum class StopReason : std::uint8_t {
    kEnough,     ///< both minimums were met
    kTimeLimit,  ///< max_seconds of measured time passed before
    kCancelled,  ///< a stop was requested before
};

/// "enough samples", "time limit" or "cancelled".
std::string_view stop_reason_name(StopReason reason) noexcept;

/// Robust summary of samples. All zero where count is.
struct Distribution {
    std::size_t count = 0;
    double median = 0;
    double first_quartile = 0,
           third_quartile = 0;  ///< linear interpolation between order statistics
    double min = 0, max = 0;
    double iqr() const noexcept { return third_quartile - first_quartile; }
};

/// Summary of `samples`, in their unit. Not-a-number among them makes every figure NaN.
Distribution summarize(std::vector<double> samples);

/// When to stop. Seconds are sums of measured samples, so that no clock but the caller's counts.
struct SamplingPlan {
    int warm_up = 1;                 ///< untimed runs before, at least 0
    std::size_t min_samples = 10;    ///< at least 1
    double min_seconds = 0.5;        ///< of measured time, at least 0
    std::size_t max_samples = 1000;  ///< ends as kEnough: very short work needs no more
    double max_seconds = 15;         ///< of measured time, above 0
};

/// What sampling found.
struct Sampling {
    std::vector<double> samples;  ///< in the order they were measured; milliseconds
    Distribution distribution;
    StopReason stop = StopReason::kEnough;
};

/// Called between samples with how much of the plan is done, 0 to 1.
using SamplingProgress = std::function<void(double fraction)>;

/// Runs `measure_ms` by `plan`. A sample during which a stop was requested is dropped. Passes on
/// what `measure_ms` throws; throws std::invalid_argument naming the field on an impossible plan.
Sampling sample(const SamplingPlan& plan, const std::function<double()>& measure_ms,
                std::stop_token stop = {}, const SamplingProgress& progress = {});

}  // namespace warpscope
