// SPDX-License-Identifier: MIT
// Picks the kernel and launches it.
#include "kernels/engine/cuda/escape_cuda.h"

#include <algorithm>

#include "kernels/engine/cuda/block_log.h"
#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope {

namespace {

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

template <class T>
const void* main_kernel(const kernels::KernelSet<T>& set, CudaLoop loop) {
    switch (loop) {
        case CudaLoop::kEveryStep:
            return reinterpret_cast<const void*>(set.every_step);
        case CudaLoop::kBlocks:
            return reinterpret_cast<const void*>(set.blocks);
        case CudaLoop::kRows:
            return reinterpret_cast<const void*>(set.rows);
        case CudaLoop::kCompact:
            break;
    }
    return reinterpret_cast<const void*>(set.first);
}

int device_attribute(cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

cudaLaunchConfig_t launch_config(GridShape grid, BlockShape block, cudaStream_t stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
    config.blockDim = dim3(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
    config.stream = stream;
    return config;
}

/// The rows of a band alone.
Part rows_of(const Band& band) {
    Part part = band.part;
    part.y1 = std::min(part.y1, part.y0 + band.last_row * part.step_y);
    part.y0 += band.first_row * part.step_y;
    return part;
}

/// The band with room for the records of the launch's blocks, where there is a log.
Band with_records(Band band, BlockLog* log, GridShape grid, BlockShape block,
                  const std::optional<Part>& part) {
    if (log == nullptr) return band;
    band.records = log->add(grid, block, part);
    band.work = log->pixel_work();
    return band;
}

/// The band in as many launches as the table of rows takes.
template <class T>
void launch_rows(const kernels::RowKernel<T>& kernel, const Plane<T>& plane, Band band,
                 BlockShape block, cudaStream_t stream, BlockLog* log) {
    const int end = band.last_row;
    const auto columns = static_cast<std::size_t>(band.part.columns());
    for (; band.first_row < end; band.first_row = band.last_row) {
        band.last_row = std::min(end, band.first_row + kTableRows);
        const int rows = band.last_row - band.first_row;
        kernels::RowTable<T> table{};
        for (int i = 0; i < rows; ++i) {
            const int y = band.part.y0 + (band.first_row + i) * band.part.step_y;
            table.im[i] = plane.julia ? plane.julia_im : scalar::point_of(plane, 0, y).y;
        }
        const GridShape grid = grid_for(band.part.columns(), rows, block);
        const auto config = launch_config(grid, block, stream);
        CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, plane,
                                      with_records(band, log, grid, block, rows_of(band)), table));
        if (band.waiting != nullptr) {
            band.waiting = static_cast<kernels::Complex<T>*>(band.waiting) +
                           static_cast<std::size_t>(rows) * columns;
        }
    }
}

/// A launch over a queue whose length only the GPU knows.
template <class T>
void launch_next(const kernels::Kernel<T>& kernel, const Plane<T>& plane, const Band& band,
                 cudaStream_t stream, BlockLog* log) {
    constexpr BlockShape kBlock{128, 1};
    const int resident = device_attribute(cudaDevAttrMultiProcessorCount) *
                         device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock.x;
    const std::int64_t needed = (band.pixels() + kBlock.x - 1) / kBlock.x;
    const GridShape grid{static_cast<int>(std::min<std::int64_t>(resident, needed)), 1};
    const auto config = launch_config(grid, kBlock, stream);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, plane,
                                  with_records(band, log, grid, kBlock, std::nullopt)));
}

}  // namespace

CudaLoop cuda_loop(const FrameJob& job, const Method& method, BlockShape block) noexcept {
    if (method.test == Test::kEveryStep || make_plane<double>(job).test_always) {
        return CudaLoop::kEveryStep;
    }
    if (method.schedule == Schedule::kRefill) return CudaLoop::kCompact;
    return block.y == 1 && job.precision != Precision::kDf64 ? CudaLoop::kRows : CudaLoop::kBlocks;
}

CudaKernel escape_kernel(const FrameJob& job, CudaLoop loop, Instance instance) {
    constexpr const char* kNames[] = {"escape_every_step", "escape_blocks", "escape_rows",
                                      "escape_compact"};
    return {with_number(job.precision,
                        [&](auto number) {
                            using T = decltype(number);
                            return main_kernel(kernels::kernels_of<T>(job.formula, instance), loop);
                        }),
            std::string{kNames[static_cast<std::size_t>(loop)]} + "<" +
                std::string{info(job.formula).title} + ", " +
                std::string{precision_name(job.precision)} + ">"};
}

void launch_band(const FrameJob& job, CudaLoop loop, const Band& band, BlockShape block,
                 cudaStream_t stream, BlockLog* log) {
    const Instance instance = log != nullptr ? Instance::kRecording : Instance::kPlain;
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        const kernels::KernelSet<T> set = kernels::kernels_of<T>(job.formula, instance);
        const Plane<T> plane = make_plane<T>(job);
        if (loop == CudaLoop::kRows) {
            return launch_rows<T>(set.rows, plane, band, block, stream, log);
        }
        if (loop == CudaLoop::kCompact && band.from > 0) {
            return launch_next<T>(set.next, plane, band, stream, log);
        }
        kernels::Kernel<T> kernel = set.blocks;
        if (loop == CudaLoop::kEveryStep) kernel = set.every_step;
        if (loop == CudaLoop::kCompact) kernel = set.first;
        const GridShape grid = grid_for(band.part.columns(), band.last_row - band.first_row, block);
        const auto config = launch_config(grid, block, stream);
        CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, plane,
                                      with_records(band, log, grid, block, rows_of(band))));
    });
}

}  // namespace warpscope
