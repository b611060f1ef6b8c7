// SPDX-License-Identifier: MIT
// One run for the roofline: the roofs of the processor that computes a view, the view's kernel, and
// the Compute tab's kernels, so that all were measured under the same conditions.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/engine/roof_meter.h"
#include "kernels/engine/roofline.h"
#include "kernels/engine/timing.h"
#include "kernels/lab/lab.h"

namespace warpscope {

/// Which kernels are held against the roofs.
enum class RooflineScope : std::uint8_t { kView, kViewAndDemos };

/// What is measured.
struct RooflineRequest {
    std::string backend;  ///< computes the view; its processor's roofs are measured
    int cuda_device = 0;
    FrameJob job;
    Tuning tuning;
    RooflineScope scope = RooflineScope::kViewAndDemos;
};

/// One kernel under the roofs.
struct RooflinePoint {
    std::string kernel;   ///< "this view", or a demo of the Compute tab
    std::string variant;  ///< rung
    Precision type = Precision::kFloat;
    KernelWork work;
    Distribution time;    ///< of the kernel alone, milliseconds
    std::string problem;  ///< why there are no figures; empty where there are
};

/// What the run found.
struct RooflineReport {
    RooflineRequest request;
    BackendInfo backend;
    MachineRoofs machine;
    std::vector<RooflinePoint> points;  ///< the view's first
};

/// Called between steps: 0 to 1, and what is going on.
using RooflineProgress = std::function<void(double fraction, std::string label)>;

/// Measures the roofs before and after the kernels, and keeps the best. A kernel that fails keeps
/// its reason; a stop keeps what is done. Throws BackendError where the processor does not work.
RooflineReport measure_roofline(const RooflineRequest& request, const std::stop_token& stop,
                                const RooflineProgress& progress = {});

/// A verified run of a demo; its problem says so where it was not.
RooflinePoint point_of(const LabResult& result);

/// The name of one of kMethods, or "own combination".
std::string method_name(const Method& method);

}  // namespace warpscope
