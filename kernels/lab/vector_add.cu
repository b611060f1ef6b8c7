// SPDX-License-Identifier: MIT
// Vector add on the GPU, out = a + b: no arithmetic to speak of, so memory decides.
//   1. plain   one thread per element: neighbours in a warp read neighbouring floats
//   2. float4  four elements per load and only as many blocks as are resident: fewer instructions
// The CPU reference is vector_add in cpu_scalar.cc.
#include "kernels/lab/cuda_kernels.h"

namespace warpscope::lab {
namespace {

// rung: vector_add/plain
__global__ void vector_add(const float* a, const float* b, float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];  // the guard: the last block may reach past the end
}
// end

// rung: vector_add/float4
__global__ void vector_add_float4(const float* __restrict__ a, const float* __restrict__ b,
                                  float* __restrict__ out, std::size_t n) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t vectors = n / 4;
    for (std::size_t i = first; i < vectors; i += stride) {
        const float4 left = reinterpret_cast<const float4*>(a)[i];
        const float4 right = reinterpret_cast<const float4*>(b)[i];
        reinterpret_cast<float4*>(out)[i] =
            make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
    }
    // Up to three elements are left; a tiny grid may have fewer threads than that.
    for (std::size_t rest = vectors * 4 + first; rest < n; rest += stride)
        out[rest] = a[rest] + b[rest];
}
// end

const void* plain_function(std::size_t, BlockShape) {
    return reinterpret_cast<const void*>(vector_add);
}

const void* float4_function(std::size_t, BlockShape) {
    return reinterpret_cast<const void*>(vector_add_float4);
}

CudaShape float4_shape(std::size_t n, BlockShape block, const CudaDevice& device) {
    return grid_stride(n, block, device, float4_function(n, block));
}

void launch_plain(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    vector_add<<<shape.grid(), shape.threads(), 0, stream>>>(data.a, data.b, data.out, data.n);
}

void launch_float4(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    vector_add_float4<<<shape.grid(), shape.threads(), 0, stream>>>(data.a, data.b, data.out,
                                                                    data.n);
}

constexpr CudaKernel kKernels[]{
    {"cuda-plain", plain_function, thread_per_element, launch_plain},
    {"cuda-float4", float4_function, float4_shape, launch_float4},
};

}  // namespace

std::span<const CudaKernel> vector_add_kernels() noexcept { return kKernels; }

}  // namespace warpscope::lab
