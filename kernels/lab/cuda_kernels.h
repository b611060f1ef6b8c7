// SPDX-License-Identifier: MIT
// CUDA rungs: how each kernel is shaped and launched. Included by CUDA-built files only.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/engine/backend.h"
#include "kernels/lab/problem.h"

namespace warpscope::lab {

/// A grid for one launch.
struct CudaShape {
    std::uint64_t grid_x = 1,
                  grid_y = 1;  ///< checked against the device's limits before the launch
    BlockShape block;
    std::size_t shared = 0;     ///< dynamic shared memory per block, bytes
    std::uint64_t covered = 0;  ///< outputs that the grid would write without guards

    dim3 grid() const { return {static_cast<unsigned>(grid_x), static_cast<unsigned>(grid_y), 1}; }
    dim3 threads() const {
        return {static_cast<unsigned>(block.x), static_cast<unsigned>(block.y), 1};
    }
};

/// A rung. `shape` and `launch` run on the chosen device.
struct CudaKernel {
    std::string_view name;
    /// The kernel that would run, for cudaFuncGetAttributes.
    const void* (*function)(std::size_t n, BlockShape block);
    CudaShape (*shape)(std::size_t n, BlockShape block, const CudaDevice& device);
    void (*launch)(const Arrays& data, const CudaShape& shape, cudaStream_t stream);
};

std::span<const CudaKernel> vector_add_kernels() noexcept;
std::span<const CudaKernel> saxpy_kernels() noexcept;
std::span<const CudaKernel> matmul_kernels() noexcept;

/// Grid of one thread per element.
CudaShape thread_per_element(std::size_t n, BlockShape block, const CudaDevice& device);

/// As many blocks as are resident at once (at most as needed), each thread striding over the grid
/// by four elements a step. Needs the kernel's resident blocks per SM.
CudaShape grid_stride(std::size_t n, BlockShape block, const CudaDevice& device,
                      const void* function);

/// Reads `count` floats, so that nothing else is left in L2, and leaves only clean lines there.
void launch_flush(const float* data, std::size_t count, float* sink, cudaStream_t stream);

}  // namespace warpscope::lab
