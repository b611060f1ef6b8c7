// SPDX-License-Identifier: MIT
// What a launch may take before anything was measured. Plain arithmetic, for any compiler.
#pragma once

#include <algorithm>

#include "kernels/math/sample.h"

namespace warpscope {

/// Guesses on the slow side for one GPU: a first launch must not freeze the window on any.
class LaunchGuess {
  public:
    LaunchGuess(double clock_khz, int sm_count)
        : clocks_per_ms_{std::max(clock_khz, 1.0)}, sm_count_{std::max(sm_count, 1)} {}

    /// Milliseconds if each of `pixels` pixels takes `steps` steps of `job`'s formula and type. Few
    /// pixels do not make it short: an orbit's steps follow each other, however idle the GPU is.
    double worst_ms(const FrameJob& job, double pixels, double steps) const {
        const double throughput = pixels * clocks_busy(job) / sm_count_;
        return steps * std::max(throughput, clocks_of_a_step(job)) / clocks_per_ms_;
    }

  private:
    /// A power takes up to six times the operations of a square (multibrot 7).
    static double work(const FrameJob& job) { return info(job.formula).power > 2 ? 6 : 1; }

    /// Clocks of a multiprocessor per step: four instructions on a quarter of the float lanes, or
    /// on a 64th of a quarter (GeForce) of them for double. df64 takes some 50 for 4.
    static double clocks_busy(const FrameJob& job) {
        return (job.precision == Precision::kFloat ? 1.0 / 8 : 4.0) * work(job);
    }

    /// From one step to the next: dependent instructions, and the test after each.
    static double clocks_of_a_step(const FrameJob& job) {
        return (job.precision == Precision::kFloat ? 40 : 250) * work(job);
    }

    double clocks_per_ms_;
    int sm_count_;
};

}  // namespace warpscope
