// SPDX-License-Identifier: MIT
#include "kernels/lab/ladder.h"

#include <array>

namespace warpscope {
namespace {

constexpr std::array<LabDemo, 3> kDemos{{
    {"vector_add", "Vector add",
     "One addition per twelve bytes: whoever moves memory fastest wins.", LabRate::kBandwidth,
     10'000'000, std::size_t{1} << 36},
    {"saxpy", "SAXPY",
     "A scaled vector plus a vector, the first routine of every linear-algebra library.",
     LabRate::kBandwidth, 10'000'000, std::size_t{1} << 36},
    {"matmul", "Matrix product",
     "n multiply-adds per entry: whoever keeps data near the arithmetic wins.", LabRate::kCompute,
     1024, 65535},
}};

}  // namespace

std::span<const LabDemo> lab_demos() noexcept { return kDemos; }

namespace lab {
namespace {

constexpr std::string_view kScalarFile = "kernels/lab/cpu_scalar.cc";
constexpr std::string_view kSimdFile = "kernels/lab/cpu_simd.cc";
constexpr std::string_view kVectorAddFile = "kernels/lab/vector_add.cu";
constexpr std::string_view kSaxpyFile = "kernels/lab/saxpy.cu";
constexpr std::string_view kMatmulFile = "kernels/lab/matmul.cu";

constexpr RungSpec cpu(std::string_view name, std::string_view title, std::string_view idea,
                       std::string_view file, std::string_view marker) {
    return {name, name, title, idea, LabBlock::kNone, 0, 0, file, marker};
}

constexpr std::string_view kScalarIdea = "The problem itself: one loop, one element at a time.";
constexpr std::string_view kSimdIdea =
    "One instruction takes 4 to 16 elements; large results bypass the caches.";
constexpr std::string_view kThreadsIdea = "The plain loop, shared out over all threads.";
constexpr std::string_view kBothIdea = "SIMD on all threads: the best this processor does here.";
constexpr std::string_view kPlainIdea =
    "One thread per element; neighbours in a warp touch neighbouring memory.";
constexpr std::string_view kFloat4Idea =
    "Four elements per load, and only as many blocks as are resident, striding over the grid.";

constexpr std::array kVectorAdd{
    cpu("cpu-scalar", "Scalar, 1 thread", kScalarIdea, kScalarFile, "vector_add/scalar"),
    cpu("cpu-simd", "SIMD, 1 thread", kSimdIdea, kSimdFile, "vector_add/simd"),
    cpu("cpu-threads", "Scalar, all threads", kThreadsIdea, kScalarFile, "vector_add/scalar"),
    cpu("cpu", "SIMD, all threads", kBothIdea, kSimdFile, "vector_add/simd"),
    RungSpec{"cuda-plain", "cuda", "CUDA, plain", kPlainIdea, LabBlock::kLinear, 256, 1,
             kVectorAddFile, "vector_add/plain"},
    RungSpec{"cuda-float4", "cuda", "CUDA, float4 and grid stride", kFloat4Idea, LabBlock::kLinear,
             256, 1, kVectorAddFile, "vector_add/float4"},
};

constexpr std::array kSaxpy{
    cpu("cpu-scalar", "Scalar, 1 thread", kScalarIdea, kScalarFile, "saxpy/scalar"),
    cpu("cpu-simd", "SIMD, 1 thread", kSimdIdea, kSimdFile, "saxpy/simd"),
    cpu("cpu-threads", "Scalar, all threads", kThreadsIdea, kScalarFile, "saxpy/scalar"),
    cpu("cpu", "SIMD, all threads", kBothIdea, kSimdFile, "saxpy/simd"),
    RungSpec{"cuda-plain", "cuda", "CUDA, plain", kPlainIdea, LabBlock::kLinear, 256, 1, kSaxpyFile,
             "saxpy/plain"},
    RungSpec{"cuda-float4", "cuda", "CUDA, float4 and grid stride", kFloat4Idea, LabBlock::kLinear,
             256, 1, kSaxpyFile, "saxpy/float4"},
};

constexpr std::array kMatmul{
    cpu("cpu-scalar", "Naive, 1 thread",
        "Row times column, one entry at a time; every step down a column of b is a new cache line.",
        kScalarFile, "matmul/scalar"),
    cpu("cpu-simd", "Blocked and SIMD, 1 thread",
        "A packed strip of b stays in the first cache, a small tile of the product in registers.",
        kSimdFile, "matmul/simd"),
    cpu("cpu-threads", "Naive, all threads", "The naive loop, shared out over all threads.",
        kScalarFile, "matmul/scalar"),
    cpu("cpu", "Blocked and SIMD, all threads", kBothIdea, kSimdFile, "matmul/simd"),
    RungSpec{"cuda-naive", "cuda", "CUDA, naive (coalesced)",
             "One thread per entry; x runs along a row, so that a warp reads b in one piece.",
             LabBlock::kRectangle, 32, 8, kMatmulFile, "matmul/naive"},
    RungSpec{"cuda-shared", "cuda", "CUDA, shared memory",
             "A block loads tiles into shared memory once and all its threads reuse them.",
             LabBlock::kSquare, 32, 32, kMatmulFile, "matmul/shared"},
    RungSpec{"cuda-tiled", "cuda", "CUDA, tiled in shared memory and registers",
             "Shared tiles, and 8 by 8 entries per thread in registers: 64 products per 16 reads.",
             LabBlock::kFixed, 256, 1, kMatmulFile, "matmul/tiled"},
    RungSpec{"cublas", "cuda", "cuBLAS",
             "NVIDIA's own library in plain float: what years of tuning add.", LabBlock::kNone, 0,
             0, "kernels/lab/cublas.cc", "matmul/cublas"},
};

}  // namespace

std::span<const RungSpec> ladder(std::size_t demo) noexcept {
    const std::array<std::span<const RungSpec>, 3> all{kVectorAdd, kSaxpy, kMatmul};
    return all[demo];
}

}  // namespace lab
}  // namespace warpscope
