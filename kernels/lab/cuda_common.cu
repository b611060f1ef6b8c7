// SPDX-License-Identifier: MIT
// Grids that several rungs share, and the kernel that empties the L2 cache.
#include <algorithm>

#include "kernels/engine/cuda/check.h"
#include "kernels/lab/cuda_kernels.h"

namespace warpscope::lab {
namespace {

constexpr unsigned kFlushThreads = 256;

__global__ void read_all(const float4* data, std::size_t count, float* sink) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    float sum = 0;
    for (std::size_t i = first; i < count; i += stride) {
        const float4 value = data[i];
        sum += value.x + value.y + value.z + value.w;
    }
    if (sum == 12345.0F) *sink = sum;  // never for zeros, but the compiler must keep the reads
}

}  // namespace

CudaShape thread_per_element(std::size_t n, BlockShape block, const CudaDevice&) {
    const auto threads = static_cast<std::uint64_t>(block.x);
    CudaShape shape;
    shape.block = block;
    shape.grid_x = (n + threads - 1) / threads;
    shape.covered = shape.grid_x * threads;
    return shape;
}

CudaShape grid_stride(std::size_t n, BlockShape block, const CudaDevice& device,
                      const void* function) {
    int per_sm = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, function, block.x, 0));
    const auto threads = static_cast<std::uint64_t>(block.x);
    const std::uint64_t needed = ((n + 3) / 4 + threads - 1) / threads;
    const auto resident = static_cast<std::uint64_t>(std::max(per_sm, 1)) *
                          static_cast<std::uint64_t>(std::max(device.sm_count, 1));
    CudaShape shape;
    shape.block = block;
    shape.grid_x = std::max<std::uint64_t>(std::min(needed, resident), 1);
    shape.covered = std::max<std::uint64_t>(shape.grid_x * threads * 4, n);
    return shape;
}

void launch_flush(const float* data, std::size_t count, float* sink, cudaStream_t stream) {
    constexpr unsigned kBlocks = 1024;
    read_all<<<kBlocks, kFlushThreads, 0, stream>>>(reinterpret_cast<const float4*>(data),
                                                    count / 4, sink);
    CUDA_CHECK(cudaGetLastError());
}

}  // namespace warpscope::lab
