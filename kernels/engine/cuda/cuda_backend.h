// SPDX-License-Identifier: MIT
// The CUDA backend as the rest of the program sees it: without a CUDA header, so that no_cuda.cc
// can stand in where there is no toolkit.
#pragma once

#include <memory>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/device_info.h"

namespace warpscope {

/// Throws BackendError where CUDA or the device does not work.
std::unique_ptr<Backend> make_cuda_backend(int device);

/// Resources of the kernel that runs `job` so, on `device`. Throws BackendError.
KernelResources cuda_kernel_resources(const FrameJob& job, const Tuning& tuning, int device);

/// The variants of registers that there are of the kernel that runs `job` so, kCompiled first.
std::vector<RegisterUse> cuda_register_uses(const FrameJob& job, const Tuning& tuning);

/// cudaOccupancyMaxActiveBlocksPerMultiprocessor of that kernel. Throws BackendError.
int cuda_max_active_blocks(const FrameJob& job, const Tuning& tuning, int device);

}  // namespace warpscope
