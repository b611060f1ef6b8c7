// SPDX-License-Identifier: MIT
// The CUDA backend as the rest of the program sees it: without a CUDA header, so that no_cuda.cc
// can stand in where there is no toolkit.
#pragma once

#include <memory>

#include "kernels/engine/backend.h"
#include "kernels/engine/device_info.h"

namespace warpscope {

/// Throws BackendError where CUDA or the device does not work.
std::unique_ptr<Backend> make_cuda_backend(int device);

/// Resources of the kernel that runs `method` on `job`, on `device`. Throws BackendError.
KernelResources cuda_kernel_resources(const FrameJob& job, const Method& method, BlockShape block,
                                      int device);

/// cudaOccupancyMaxActiveBlocksPerMultiprocessor of that kernel. Throws BackendError.
int cuda_max_active_blocks(const FrameJob& job, const Method& method, BlockShape block, int device);

}  // namespace warpscope
