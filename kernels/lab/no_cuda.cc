// SPDX-License-Identifier: MIT
// Stands in for cuda_run.cc and cublas.cc in a build without CUDA.
#include "kernels/lab/cuda_run.h"

namespace warpscope::lab {

LabResult run_cuda(Demo, const LabRequest& request, const std::stop_token&, const LabProgress&) {
    throw LabError{"rung " + request.rung + " needs CUDA, and this program was built without it"};
}

std::string cublas_problem() { return "this program was built without CUDA"; }

}  // namespace warpscope::lab
