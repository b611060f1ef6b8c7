// SPDX-License-Identifier: MIT
// Times and verifies one CPU rung.
#pragma once

#include <cstdint>
#include <stop_token>

#include "kernels/lab/cpu_kernels.h"
#include "kernels/lab/lab.h"

namespace warpscope::lab {

/// A CPU rung: which loop, on how many threads.
struct CpuRung {
    CpuKernel kernel;
    int threads = 1;
    std::string instruction_set;  ///< "scalar" or as simd_name() calls it
};

/// `request` is complete: n, seed and threads chosen. Fills everything but demo, rung and backend.
LabResult run_cpu(Demo demo, const CpuRung& rung, const LabRequest& request,
                  const std::stop_token& stop, const LabProgress& progress);

}  // namespace warpscope::lab
