// SPDX-License-Identifier: MIT
// Frames to compare, and how tests of backends compute and compare them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

inline std::size_t pixels(const FrameJob& job) {
    return static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height);
}

/// A view worth comparing: near the boundary, of any size and shift, at a random depth of the type.
inline FrameJob random_job(std::mt19937& random, const FormulaInfo& row, Precision precision) {
    std::uniform_real_distribution<double> unit{0, 1};
    FrameJob job;
    job.formula = row.formula;
    job.precision = precision;
    job.julia = unit(random) < 0.4;
    job.center_re = row.home_re + (unit(random) - 0.5) * 0.8;
    job.center_im = row.home_im + (unit(random) - 0.5) * 0.8;
    const double depth = precision == Precision::kFloat ? 2 : 8;
    job.spacing = 4 / row.home_zoom / 64 * std::pow(10, -depth * unit(random));
    // One Julia set in five has |c| > bailout, where blocks would be wrong.
    job.julia_re = unit(random) < 0.2 ? 2.5 : unit(random) * 1.6 - 1.2;
    job.julia_im = unit(random) * 1.2 - 0.6;
    job.width = 1 + static_cast<int>(unit(random) * 80);
    job.height = 1 + static_cast<int>(unit(random) * 50);
    job.shift_x = std::floor(unit(random) * 640) / 64 - 5;
    job.shift_y = std::floor(unit(random) * 640) / 64 - 5;
    job.limit = 1 + static_cast<std::uint32_t>(std::pow(700, unit(random)));
    job.bailout = unit(random) < 0.5 ? 256 : 2;
    return job;
}

/// The whole frame through the Backend interface.
inline std::vector<Sample> compute(Backend& backend, const FrameJob& job,
                                   const Tuning& tuning = {}) {
    const HostSamples samples = backend.allocate_host(pixels(job));
    std::fill_n(samples.get(), pixels(job), Sample{0xdeadbeef, -7});
    backend.start(job, tuning);
    while (!backend.advance({samples.get(), Memory::kHost}, 50).done) {
    }
    return {samples.get(), samples.get() + pixels(job)};
}

inline std::size_t differing(const std::vector<Sample>& a, const std::vector<Sample>& b) {
    std::size_t count = a.size() == b.size() ? 0 : a.size() + b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        count += a[i].count != b[i].count;
    }
    return count;
}

inline float worst_fraction(const std::vector<Sample>& a, const std::vector<Sample>& b) {
    float worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i].fraction - b[i].fraction));
    }
    return worst;
}

// Logarithms of several libraries; at bailout 2 the outer logarithm is steep.
inline constexpr float kFractionTolerance = 2e-4f;

/// Calls `visit` with random jobs of every formula and type; the seed is in the trace.
template <class Visit>
void for_random_jobs(int each, Visit visit) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision :
             {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
            for (int i = 0; i < each; ++i) {
                const FrameJob job = random_job(random, row, precision);
                SCOPED_TRACE(std::string{row.title} + (job.julia ? " Julia" : "") + " " +
                             std::to_string(job.width) + "x" + std::to_string(job.height));
                visit(job);
            }
        }
    }
}

/// The method of a rung of the ladder.
inline Tuning tuning_of(std::string_view rung) {
    Tuning tuning;
    tuning.method = find_method(rung)->method;
    return tuning;
}

/// All points inside: without shortcuts only a cancel ends it soon.
inline FrameJob endless_job() {
    FrameJob job;
    job.spacing = 1e-5;
    job.width = job.height = 512;
    job.limit = 1'000'000'000;
    return job;
}

}  // namespace warpscope
