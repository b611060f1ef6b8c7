// SPDX-License-Identifier: MIT
// Linked instead of the CUDA sources where no toolkit was found.
#include "kernels/engine/cuda/cuda_backend.h"

namespace warpscope {
namespace {

constexpr const char* kReason =
    "this program was built without CUDA; install the CUDA toolkit (12.0 or newer) and build again";

}  // namespace

CudaStatus cuda_status() {
    CudaStatus status;
    status.problem = kReason;
    return status;
}

std::unique_ptr<Backend> make_cuda_backend(int) { throw BackendError{kReason}; }
KernelResources cuda_kernel_resources(const FrameJob&, const Tuning&, int) {
    throw BackendError{kReason};
}
std::vector<RegisterUse> cuda_register_uses(const FrameJob&, const Tuning&) { return {}; }
int cuda_max_active_blocks(const FrameJob&, const Tuning&, int) { throw BackendError{kReason}; }

}  // namespace warpscope
