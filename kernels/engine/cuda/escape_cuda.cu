// SPDX-License-Identifier: MIT
// Picks the kernel and launches it.
#include "kernels/engine/cuda/escape_cuda.h"

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope {

namespace {

using kernels::kWarp;

template <class T>
constexpr std::size_t regroup_shared() {
    return kWarp * kernels::Moving<T>::kBytes;
}

unsigned warps_of(BlockShape block) { return static_cast<unsigned>(warp_use(block).warps); }

dim3 threads_of(BlockShape block) {
    return {static_cast<unsigned>(block.x), static_cast<unsigned>(block.y)};
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
    if (method.schedule == Schedule::kRefill) return CudaLoop::kRefill;
    if (method.schedule == Schedule::kRegroup) return CudaLoop::kRegroup;
    return method.in_flight == InFlight::kSeveral ? CudaLoop::kSeveral : CudaLoop::kBlocks;
}

unsigned long long queue_length(std::span<const Part> parts) noexcept {
    unsigned long long places = 0;
    for (const Part& part : parts) {
        const auto tiles_x = static_cast<unsigned>(part.columns() + 7) / 8;
        const auto tiles_y = static_cast<unsigned>(part.rows() + 3) / 4;
        places += static_cast<unsigned long long>(tiles_x) * tiles_y * kWarp;
    }
    return places;
}

std::size_t waiting_capacity(int blocks, BlockShape block) noexcept {
    constexpr std::size_t kPerWarp = kWarp + kernels::kChunk;
    return static_cast<std::size_t>(blocks) * warps_of(block) * kPerWarp;
}

CudaKernel escape_kernel(const FrameJob& job, const Method& method) {
    constexpr const char* kNames[] = {"escape_every_step", "escape_blocks", "escape_several",
                                      "escape_regroup", "escape_refill"};
    const CudaLoop loop = cuda_loop(job, method);
    CudaKernel kernel{};
    kernel.name = std::string{kNames[static_cast<std::size_t>(loop)]} + "<" +
                  std::string{info(job.formula).title} + ", " +
                  std::string{precision_name(job.precision)} + ">";
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        if (loop == CudaLoop::kRefill) {
            kernel.function = reinterpret_cast<const void*>(kernels::refill_kernel<T>(job.formula));
            kernel.shared_per_warp = sizeof(kernels::Aside<T>);
        } else {
            kernel.function =
                reinterpret_cast<const void*>(kernels::pixel_kernel<T>(job.formula, loop));
            if (loop == CudaLoop::kRegroup) kernel.shared_per_warp = regroup_shared<T>();
        }
    });
    return kernel;
}

void launch_band(const FrameJob& job, CudaLoop loop, const Band& band, BlockShape block,
                 cudaStream_t stream) {
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        const int each = loop == CudaLoop::kSeveral ? kernels::kPixels<CudaLoop::kSeveral, T> : 1;
        const GridShape grid = grid_for((band.part.columns() + each - 1) / each,
                                        band.last_row - band.first_row, block);
        const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
        const std::size_t shared =
            loop == CudaLoop::kRegroup ? warps_of(block) * regroup_shared<T>() : 0;
        kernels::pixel_kernel<T>(job.formula, loop)<<<blocks, threads_of(block), shared, stream>>>(
            make_plane<T>(job), band);
    });
    CUDA_CHECK(cudaGetLastError());
}

void launch_queue(const FrameJob& job, const Queue& queue, int blocks, BlockShape block,
                  cudaStream_t stream) {
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        const std::size_t shared = warps_of(block) * sizeof(kernels::Aside<T>);
        kernels::refill_kernel<T>(
            job.formula)<<<static_cast<unsigned>(blocks), threads_of(block), shared, stream>>>(
            make_plane<T>(job), queue);
    });
    CUDA_CHECK(cudaGetLastError());
}

}  // namespace warpscope
