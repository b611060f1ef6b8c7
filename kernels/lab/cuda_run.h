// SPDX-License-Identifier: MIT
// Times and verifies one CUDA rung. Linked against cuda_run.cc or, without CUDA, its stand-in.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "kernels/lab/lab.h"
#include "kernels/lab/problem.h"

namespace warpscope::lab {

/// `request` is complete: n, block and seed chosen. Fills everything but demo, rung and backend.
/// Throws LabError (no such device, memory, grid too large) and BackendError (CUDA failed).
LabResult run_cuda(Demo demo, const LabRequest& request, const std::stop_token& stop,
                   const LabProgress& progress);

/// Why cuBLAS cannot be used, or empty. Loads the library on the first call.
std::string cublas_problem();

}  // namespace warpscope::lab
