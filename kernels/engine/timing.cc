// SPDX-License-Identifier: MIT
// Stopping rule after NVIDIA's nvbench: at least 10 samples and half a second of measured time.
#include "kernels/engine/timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace warpscope {
namespace {

// Quantile of ascending values with linear interpolation (R's type 7, NumPy's default).
double quantile(const std::vector<double>& ascending, double q) {
    const double place = q * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double part = place - static_cast<double>(below);
    return std::lerp(ascending[below], ascending[above], part);
}

void validate(const SamplingPlan& plan) {
    const char* wrong = nullptr;
    if (plan.warm_up < 0) wrong = "warm_up must be at least 0";
    if (plan.min_samples < 1) wrong = "min_samples must be at least 1";
    if (plan.max_samples < plan.min_samples) wrong = "max_samples must be at least min_samples";
    if (!(plan.min_seconds >= 0)) wrong = "min_seconds must be at least 0";
    if (!(plan.max_seconds > 0)) wrong = "max_seconds must be above 0";
    if (wrong != nullptr) throw std::invalid_argument{std::string{"sampling plan: "} + wrong};
}

double done(const SamplingPlan& plan, std::size_t count, double seconds) {
    const double by_count = static_cast<double>(count) / static_cast<double>(plan.min_samples);
    const double by_time = plan.min_seconds > 0 ? seconds / plan.min_seconds : 1;
    const double enough =
        std::max(std::min(by_count, by_time),
                 static_cast<double>(count) / static_cast<double>(plan.max_samples));
    return std::clamp(std::max(enough, seconds / plan.max_seconds), 0.0, 1.0);
}

}  // namespace

std::string_view stop_reason_name(StopReason reason) noexcept {
    constexpr std::array<std::string_view, 3> kNames{"enough samples", "time limit", "cancelled"};
    return kNames[static_cast<std::size_t>(reason)];
}

Distribution summarize(std::vector<double> samples) {
    if (samples.empty()) return {};
    // NaN has no order: sorting it is undefined and a median over the rest would hide it.
    if (std::ranges::any_of(samples, [](double x) { return std::isnan(x); })) {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        return {samples.size(), kNan, kNan, kNan, kNan, kNan};
    }
    std::ranges::sort(samples);
    Distribution result;
    result.count = samples.size();
    result.median = quantile(samples, 0.5);
    result.first_quartile = quantile(samples, 0.25);
    result.third_quartile = quantile(samples, 0.75);
    result.min = samples.front();
    result.max = samples.back();
    return result;
}

Sampling sample(const SamplingPlan& plan, const std::function<double()>& measure_ms,
                std::stop_token stop, const SamplingProgress& progress) {
    validate(plan);
    Sampling result;
    for (int i = 0; i < plan.warm_up && !stop.stop_requested(); ++i) measure_ms();
    double seconds = 0;
    while (true) {
        const std::size_t count = result.samples.size();
        if (stop.stop_requested()) {
            result.stop = StopReason::kCancelled;
            break;
        }
        if (count >= plan.max_samples) break;
        if (count >= plan.min_samples && seconds >= plan.min_seconds) break;
        if (count > 0 && seconds >= plan.max_seconds) {
            result.stop = StopReason::kTimeLimit;
            break;
        }
        const double ms = measure_ms();
        if (stop.stop_requested()) continue;  // cut short: not a measurement
        result.samples.push_back(ms);
        seconds += ms / 1000;
        if (progress) progress(done(plan, result.samples.size(), seconds));
    }
    result.distribution = summarize(result.samples);
    return result;
}

}  // namespace warpscope
