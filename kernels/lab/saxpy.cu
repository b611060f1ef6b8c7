// SPDX-License-Identifier: MIT
// SAXPY on the GPU, out = alpha * x + y: one fused multiply-add per twelve bytes, still
// memory-bound.
//   1. plain   one thread per element
//   2. float4  four elements per load and only as many blocks as are resident
// The CPU reference is saxpy in cpu_scalar.cc.
#include "kernels/lab/cuda_kernels.h"

namespace warpscope::lab {
namespace {

// rung: saxpy/plain
__global__ void saxpy(float alpha, const float* x, const float* y, float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaf(alpha, x[i], y[i]);
}
// end

// rung: saxpy/float4
__global__ void saxpy_float4(float alpha, const float* __restrict__ x, const float* __restrict__ y,
                             float* __restrict__ out, std::size_t n) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t vectors = n / 4;
    for (std::size_t i = first; i < vectors; i += stride) {
        const float4 left = reinterpret_cast<const float4*>(x)[i];
        const float4 right = reinterpret_cast<const float4*>(y)[i];
        reinterpret_cast<float4*>(out)[i] =
            make_float4(fmaf(alpha, left.x, right.x), fmaf(alpha, left.y, right.y),
                        fmaf(alpha, left.z, right.z), fmaf(alpha, left.w, right.w));
    }
    // Up to three elements are left; a tiny grid may have fewer threads than that.
    for (std::size_t rest = vectors * 4 + first; rest < n; rest += stride)
        out[rest] = fmaf(alpha, x[rest], y[rest]);
}
// end

const void* plain_function(std::size_t, BlockShape) { return reinterpret_cast<const void*>(saxpy); }

const void* float4_function(std::size_t, BlockShape) {
    return reinterpret_cast<const void*>(saxpy_float4);
}

CudaShape float4_shape(std::size_t n, BlockShape block, const CudaDevice& device) {
    return grid_stride(n, block, device, float4_function(n, block));
}

void launch_plain(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    saxpy<<<shape.grid(), shape.threads(), 0, stream>>>(data.alpha, data.a, data.b, data.out,
                                                        data.n);
}

void launch_float4(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    saxpy_float4<<<shape.grid(), shape.threads(), 0, stream>>>(data.alpha, data.a, data.b, data.out,
                                                               data.n);
}

constexpr CudaKernel kKernels[]{
    {"cuda-plain", plain_function, thread_per_element, launch_plain},
    {"cuda-float4", float4_function, float4_shape, launch_float4},
};

}  // namespace

std::span<const CudaKernel> saxpy_kernels() noexcept { return kKernels; }

}  // namespace warpscope::lab
