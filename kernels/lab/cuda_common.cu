// SPDX-License-Identifier: MIT
// Grids that several rungs share, and the kernels that measure what the GPU can do at best.
#include <algorithm>

#include "kernels/engine/cuda/check.h"
#include "kernels/lab/cuda_kernels.h"

namespace warpscope::lab {
namespace {

constexpr unsigned kFlushThreads = 256;
constexpr unsigned kFmaThreads = 256;
constexpr int kFmaRounds = 4096;
constexpr int kChains = 8;

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

// One more store than arithmetic needs, or the compiler would drop the chains.
__global__ void fma_chains(float* sink, float factor, float term) {
    float chain[kChains];
    for (int i = 0; i < kChains; ++i) chain[i] = static_cast<float>(threadIdx.x + i);
    for (int round = 0; round < kFmaRounds; ++round) {
#pragma unroll
        for (int i = 0; i < kChains; ++i) chain[i] = fmaf(chain[i], factor, term);
    }
    float sum = 0;
    for (int i = 0; i < kChains; ++i) sum += chain[i];
    if (sum == 12345.0F) *sink = sum;
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

double launch_fma_chains(const CudaDevice& device, float* sink, cudaStream_t stream) {
    const unsigned blocks = static_cast<unsigned>(std::max(device.sm_count, 1)) * 8;
    fma_chains<<<blocks, kFmaThreads, 0, stream>>>(sink, 0.999F, 0.001F);
    CUDA_CHECK(cudaGetLastError());
    return 2.0 * kChains * kFmaRounds * kFmaThreads * blocks;
}

}  // namespace warpscope::lab
