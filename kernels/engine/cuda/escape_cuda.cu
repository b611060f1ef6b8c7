// SPDX-License-Identifier: MIT
// Picks the kernel and launches it.
#include "kernels/engine/cuda/escape_cuda.h"

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope {

namespace {

/// Dynamic shared memory for each warp of a block, in bytes.
template <class T>
constexpr std::size_t shared_per_warp(CudaLoop loop) {
    return loop == CudaLoop::kRegroup ? kernels::kWarp * kernels::Moving<T>::kBytes : 0;
}

/// Calls `visit` with a value of the job's number type.
template <class Visit>
auto with_number(Precision precision, const Visit& visit) {
    switch (precision) {
        case Precision::kFloat:
            return visit(float{});
        case Precision::kDf64:
            return visit(Df64{});
        case Precision::kDouble:
            break;
    }
    return visit(double{});
}

}  // namespace

CudaLoop cuda_loop(const FrameJob& job, const Method& method) noexcept {
    if (method.test == Test::kEveryStep || make_plane<double>(job).test_always) {
        return CudaLoop::kEveryStep;
    }
    return method.schedule == Schedule::kRefill ? CudaLoop::kRegroup : CudaLoop::kBlocks;
}

CudaKernel escape_kernel(const FrameJob& job, const Method& method) {
    constexpr const char* kNames[] = {"escape_every_step", "escape_blocks", "escape_regroup"};
    const CudaLoop loop = cuda_loop(job, method);
    CudaKernel kernel{};
    kernel.name = std::string{kNames[static_cast<std::size_t>(loop)]} + "<" +
                  std::string{info(job.formula).title} + ", " +
                  std::string{precision_name(job.precision)} + ">";
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        kernel.function = reinterpret_cast<const void*>(kernels::kernel_of<T>(job.formula, loop));
        kernel.shared_per_warp = shared_per_warp<T>(loop);
    });
    return kernel;
}

void launch_band(const FrameJob& job, CudaLoop loop, const Band& band, BlockShape block,
                 cudaStream_t stream) {
    const GridShape grid = grid_for(band.part.columns(), band.last_row - band.first_row, block);
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
    const dim3 threads(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
    const auto warps = static_cast<std::size_t>(warp_use(block).warps);
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        kernels::kernel_of<T>(job.formula,
                              loop)<<<blocks, threads, warps * shared_per_warp<T>(loop), stream>>>(
            make_plane<T>(job), band);
    });
    CUDA_CHECK(cudaGetLastError());
}

}  // namespace warpscope
