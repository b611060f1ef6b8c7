// SPDX-License-Identifier: MIT
// Matrix product on the GPU, out = a * b, all (n, n) and row-major: arithmetic decides, if the data
// are reused near the arithmetic.
//   1. naive   one thread per entry; x runs along a row, so b and out are read and written
//   coalesced
//   2. shared  a block loads tiles into shared memory once, all its threads reuse them
//   3. tiled   shared tiles, and each thread keeps 8x8 entries in registers: 64 products per 16
//   reads
//   4. cuBLAS  NVIDIA's library (cublas.cc)
// Rungs 2 and 3 after Volkov and Demmel (Benchmarking GPUs to tune dense linear algebra, 2008). The
// CPU reference is matmul in cpu_scalar.cc.
#include <algorithm>

#include "kernels/lab/cuda_kernels.h"

namespace warpscope::lab {
namespace {

// rung: matmul/naive
__global__ void matmul_naive(const float* a, const float* b, float* out, unsigned n) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;  // x: coalesced in b and out
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    const std::size_t width = n;
    float sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + column];
    out[row * width + column] = sum;
}
// end

// rung: matmul/shared
// A block of kTile x kTile threads makes a kTile x kTile tile of out; beyond the edge it adds
// zeros.
template <unsigned kTile>
__global__ void matmul_shared(const float* a, const float* b, float* out, unsigned n) {
    __shared__ float a_tile[kTile][kTile];
    __shared__ float b_tile[kTile][kTile];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const std::size_t width = n;
    const std::size_t row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (std::size_t start = 0; start < width; start += kTile) {
        const std::size_t a_column = start + x, b_row = start + y;
        a_tile[y][x] = row < width && a_column < width ? a[row * width + a_column] : 0;
        b_tile[y][x] = b_row < width && column < width ? b[b_row * width + column] : 0;
        __syncthreads();  // both tiles are complete
        for (unsigned k = 0; k < kTile; ++k) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();  // nobody still reads what the next turn overwrites
    }
    if (row < width && column < width) out[row * width + column] = sum;
}
// end

constexpr unsigned kEdge = 128;  // of a block's tile of out
constexpr unsigned kDepth = 16;  // steps of k per turn
constexpr unsigned kThreads = 256;
constexpr unsigned kPadding = 4;  // columns of a land in different banks, float4 stay aligned

// How rows may be read: four floats at once only where n is a multiple of four.
enum class Access { kVector, kScalar };

// Four neighbours of a row from `column` on; zeros beyond the (n, n) matrix.
template <Access kAccess>
__device__ float4 load_four(const float* matrix, unsigned n, unsigned row, unsigned column) {
    const float* const from = matrix + static_cast<std::size_t>(row) * n + column;
    if (row >= n) return make_float4(0, 0, 0, 0);
    if constexpr (kAccess == Access::kVector) {
        return column < n ? *reinterpret_cast<const float4*>(from) : make_float4(0, 0, 0, 0);
    } else {
        return make_float4(column < n ? from[0] : 0, column + 1 < n ? from[1] : 0,
                           column + 2 < n ? from[2] : 0, column + 3 < n ? from[3] : 0);
    }
}

template <Access kAccess>
__device__ void store_four(float* matrix, unsigned n, unsigned row, unsigned column,
                           const float* values) {
    if (row >= n) return;
    float* const to = matrix + static_cast<std::size_t>(row) * n + column;
    if constexpr (kAccess == Access::kVector) {
        if (column >= n) return;
        *reinterpret_cast<float4*>(to) = make_float4(values[0], values[1], values[2], values[3]);
    } else {
        for (unsigned i = 0; i < 4; ++i) {
            if (column + i < n) to[i] = values[i];
        }
    }
}

struct alignas(16) Tiles {
    float a[kDepth][kEdge + kPadding];  // transposed: a column of a is read as float4
    float b[kDepth][kEdge];
};

// What one thread carries from device to shared memory per turn: 2 x 4 floats of a and of b.
template <Access kAccess>
struct Carried {
    float4 a[2], b[2];

    __device__ void load(const float* from_a, const float* from_b, unsigned n, unsigned k) {
        const unsigned t = threadIdx.x;
        for (unsigned i = 0; i < 2; ++i) {
            a[i] =
                load_four<kAccess>(from_a, n, blockIdx.y * kEdge + t / 4 + 64 * i, k + t % 4 * 4);
            b[i] =
                load_four<kAccess>(from_b, n, k + t / 32 + 8 * i, blockIdx.x * kEdge + t % 32 * 4);
        }
    }

    __device__ void store(Tiles& tiles) const {
        const unsigned t = threadIdx.x;
        for (unsigned i = 0; i < 2; ++i) {
            const unsigned row = t / 4 + 64 * i, column = t % 4 * 4;
            tiles.a[column][row] = a[i].x;
            tiles.a[column + 1][row] = a[i].y;
            tiles.a[column + 2][row] = a[i].z;
            tiles.a[column + 3][row] = a[i].w;
            *reinterpret_cast<float4*>(&tiles.b[t / 32 + 8 * i][t % 32 * 4]) = b[i];
        }
    }
};

__device__ void read_eight(float* to, const float* from, unsigned apart) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
    *reinterpret_cast<float4*>(to + 4) = *reinterpret_cast<const float4*>(from + apart);
}

// rung: matmul/tiled
// A block of 256 threads makes a 128x128 tile of out. Its 8 warps lie 4 by 2 over it, 32x64 each; a
// thread has 2x2 patches of 4x4 entries, so that a warp's reads of shared memory meet no bank
// twice. While the block multiplies one pair of tiles it already fetches the next.
template <Access kAccess>
__global__ void __launch_bounds__(kThreads, 2)
    matmul_tiled(const float* a, const float* b, float* out, unsigned n) {
    __shared__ Tiles tiles[2];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned row = warp / 2 * 32 + lane / 8 * 4, column = warp % 2 * 64 + lane % 8 * 4;
    float sums[8][8] = {};

    Carried<kAccess> next;
    next.load(a, b, n, 0);
    next.store(tiles[0]);
    __syncthreads();
    unsigned turn = 0;
    for (unsigned start = 0; start < n; start += kDepth, turn ^= 1) {
        const bool more = start + kDepth < n;
        if (more) next.load(a, b, n, start + kDepth);
        const Tiles& now = tiles[turn];
#pragma unroll
        for (unsigned k = 0; k < kDepth; ++k) {
            alignas(16) float left[8], right[8];
            read_eight(left, &now.a[k][row], 16);
            read_eight(right, &now.b[k][column], 32);
#pragma unroll
            for (unsigned i = 0; i < 8; ++i) {
#pragma unroll
                for (unsigned j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
            }
        }
        if (more) next.store(tiles[turn ^ 1]);
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned to_row = blockIdx.y * kEdge + row + i % 4 + i / 4 * 16;
        const unsigned to_column = blockIdx.x * kEdge + column;
        store_four<kAccess>(out, n, to_row, to_column, sums[i]);
        store_four<kAccess>(out, n, to_row, to_column + 32, sums[i] + 4);
    }
}
// end

using Kernel = void (*)(const float*, const float*, float*, unsigned);

Kernel shared_kernel(BlockShape block) {
    if (block.x >= 32) return matmul_shared<32>;
    return block.x >= 16 ? matmul_shared<16> : matmul_shared<8>;
}

Kernel tiled_kernel(std::size_t n) {
    return n % 4 == 0 ? matmul_tiled<Access::kVector> : matmul_tiled<Access::kScalar>;
}

const void* naive_function(std::size_t, BlockShape) {
    return reinterpret_cast<const void*>(matmul_naive);
}

const void* shared_function(std::size_t, BlockShape block) {
    return reinterpret_cast<const void*>(shared_kernel(block));
}

const void* tiled_function(std::size_t n, BlockShape) {
    return reinterpret_cast<const void*>(tiled_kernel(n));
}

// A grid whose blocks make tiles of `width` by `height` entries.
CudaShape tile_grid(std::size_t n, BlockShape block, std::uint64_t width, std::uint64_t height) {
    CudaShape shape;
    shape.block = block;
    shape.grid_x = (n + width - 1) / width;
    shape.grid_y = (n + height - 1) / height;
    shape.covered = shape.grid_x * width * shape.grid_y * height;
    return shape;
}

CudaShape naive_shape(std::size_t n, BlockShape block, const CudaDevice&) {
    return tile_grid(n, block, static_cast<std::uint64_t>(block.x),
                     static_cast<std::uint64_t>(block.y));
}

CudaShape shared_shape(std::size_t n, BlockShape block, const CudaDevice&) {
    const int edge = block.x >= 32 ? 32 : (block.x >= 16 ? 16 : 8);
    const auto tile = static_cast<std::uint64_t>(edge);
    return tile_grid(n, {edge, edge}, tile, tile);
}

CudaShape tiled_shape(std::size_t n, BlockShape, const CudaDevice&) {
    return tile_grid(n, {static_cast<int>(kThreads), 1}, kEdge, kEdge);
}

void launch(Kernel kernel, const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    kernel<<<shape.grid(), shape.threads(), 0, stream>>>(data.a, data.b, data.out,
                                                         static_cast<unsigned>(data.n));
}

void launch_naive(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    launch(matmul_naive, data, shape, stream);
}

void launch_shared(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    launch(shared_kernel(shape.block), data, shape, stream);
}

void launch_tiled(const Arrays& data, const CudaShape& shape, cudaStream_t stream) {
    launch(tiled_kernel(data.n), data, shape, stream);
}

constexpr CudaKernel kKernels[]{
    {"cuda-naive", naive_function, naive_shape, launch_naive},
    {"cuda-shared", shared_function, shared_shape, launch_shared},
    {"cuda-tiled", tiled_function, tiled_shape, launch_tiled},
};

}  // namespace

std::span<const CudaKernel> matmul_kernels() noexcept { return kKernels; }

}  // namespace warpscope::lab
