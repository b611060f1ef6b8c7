// SPDX-License-Identifier: MIT
// The ladder of escape loops on one view and backend, each rung timed.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/timing.h"

namespace warpscope {

/// What one way of running the loop took for a frame.
struct RungTime {
    Method method;
    std::string problem;            ///< why there are no figures; empty where there are
    Distribution kernel;            ///< milliseconds
    FrameStats stats;               ///< of the last frame: iterations, executed, lane_steps
    std::uint64_t counts_hash = 0;  ///< equal on every rung, or something is wrong
    /// Of iterations that the counts stand for; what shortcuts skip counts.
    double effective_per_second() const noexcept { return per_second(stats.iterations); }
    /// Of iterations that were executed.
    double executed_per_second() const noexcept { return per_second(stats.executed); }

  private:
    double per_second(std::uint64_t count) const noexcept {
        return kernel.median > 0 ? static_cast<double>(count) / (kernel.median * 1e-3) : 0;
    }
};

/// What is timed.
struct RungsRequest {
    std::string backend;
    int cuda_device = 0;
    FrameJob job;
    Tuning tuning;  ///< its method is replaced
    std::vector<Method> methods;
    double seconds = 0.3;    ///< of measured time a rung
    double patience_s = 10;  ///< a frame that takes longer is given up, with the reason
};

/// Times `request.methods` in their order: at least 3 frames each. Figures whose counts differ
/// from the first rung's are withheld with the reason. A stop keeps the rungs that are done.
/// Throws BackendError where the backend cannot be made.
std::vector<RungTime> time_rungs(const RungsRequest& request, const std::stop_token& stop,
                                 const std::function<void(double fraction)>& progress = {});

}  // namespace warpscope
