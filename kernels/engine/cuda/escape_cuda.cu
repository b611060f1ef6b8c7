// SPDX-License-Identifier: MIT
// Picks the kernel and launches it.
#include "kernels/engine/cuda/escape_cuda.h"

#include <algorithm>
#include <type_traits>

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

/// Of a launch whose threads keep their pixels: the kernel in its variant of registers.
template <class T>
kernels::Kernel<T> blocks_kernel(const kernels::KernelSet<T>& set, RegisterUse registers,
                                 Instance instance) {
    if constexpr (!std::is_same_v<T, Df64>) {
        if (registers != RegisterUse::kCompiled) {
            return kernels::register_variant<T>(registers, instance);
        }
    }
    return set.blocks;
}

template <class T>
const void* main_kernel(Formula formula, const EscapeLaunch& launch, Instance instance) {
    const kernels::KernelSet<T> set = kernels::kernels_of<T>(formula, instance);
    switch (launch.loop) {
        case CudaLoop::kEveryStep:
            return reinterpret_cast<const void*>(set.every_step);
        case CudaLoop::kBlocks:
            return reinterpret_cast<const void*>(
                blocks_kernel<T>(set, launch.what_if.registers, instance));
        case CudaLoop::kRows:
            return reinterpret_cast<const void*>(set.rows);
        case CudaLoop::kCompact:
            break;
    }
    return reinterpret_cast<const void*>(set.first);
}

bool has_variant(const FrameJob& job, RegisterUse registers) noexcept {
    if (job.formula != Formula::kMandelbrot || job.precision == Precision::kDf64) return false;
    return kernels::register_variant<float>(registers, Instance::kPlain) != nullptr;
}

std::string variant_text(const WhatIf& what_if) {
    const int most = most_registers(what_if.registers);
    return most > 0 ? ", " + std::to_string(most) + " registers" : "";
}

int device_attribute(cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

/// What launches of a band have in common.
struct Launcher {
    const EscapeLaunch& launch;
    cudaStream_t stream;
    BlockLog* log;
    SharedAllowance& allowance;

    template <class Kernel, class... Arguments>
    void run(const Kernel& kernel, GridShape grid, BlockShape block,
             const Arguments&... arguments) const {
        const int shared_bytes = launch.what_if.shared_bytes;
        allowance.allow(reinterpret_cast<const void*>(kernel), shared_bytes);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
        config.blockDim = dim3(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
        config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
        config.stream = stream;
        CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
    }
};

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
                 const Launcher& launcher) {
    const BlockShape block = launcher.launch.block;
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
        launcher.run(kernel, grid, block, plane,
                     with_records(band, launcher.log, grid, block, rows_of(band)), table);
        if (band.waiting != nullptr) {
            band.waiting = static_cast<kernels::Complex<T>*>(band.waiting) +
                           static_cast<std::size_t>(rows) * columns;
        }
    }
}

/// A launch over a queue whose length only the GPU knows.
template <class T>
void launch_next(const kernels::Kernel<T>& kernel, const Plane<T>& plane, const Band& band,
                 const Launcher& launcher) {
    constexpr BlockShape kBlock{128, 1};
    const int resident = device_attribute(cudaDevAttrMultiProcessorCount) *
                         device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock.x;
    const std::int64_t needed = (band.pixels() + kBlock.x - 1) / kBlock.x;
    const GridShape grid{static_cast<int>(std::min<std::int64_t>(resident, needed)), 1};
    launcher.run(kernel, grid, kBlock, plane,
                 with_records(band, launcher.log, grid, kBlock, std::nullopt));
}

}  // namespace

EscapeLaunch escape_launch(const FrameJob& job, const Tuning& tuning) noexcept {
    EscapeLaunch launch{
        CudaLoop::kBlocks, tuning.block, {RegisterUse::kCompiled, tuning.what_if.shared_bytes}};
    if (tuning.method.test == Test::kEveryStep || make_plane<double>(job).test_always) {
        launch.loop = CudaLoop::kEveryStep;
    } else if (tuning.method.schedule == Schedule::kRefill) {
        launch.loop = CudaLoop::kCompact;
    } else if (has_variant(job, tuning.what_if.registers)) {
        launch.what_if.registers = tuning.what_if.registers;
    } else if (tuning.block.y == 1 && job.precision != Precision::kDf64) {
        launch.loop = CudaLoop::kRows;
    }
    return launch;
}

void SharedAllowance::allow(const void* kernel, int bytes) {
    int& allowed = allowed_[kernel];
    if (allowed == bytes) return;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
        bytes > 0 ? cudaSharedmemCarveoutMaxShared : cudaSharedmemCarveoutDefault));
    allowed = bytes;
}

CudaKernel escape_kernel(const FrameJob& job, const EscapeLaunch& launch, Instance instance) {
    constexpr const char* kNames[] = {"escape_every_step", "escape_blocks", "escape_rows",
                                      "escape_compact"};
    return {with_number(job.precision,
                        [&](auto number) {
                            using T = decltype(number);
                            return main_kernel<T>(job.formula, launch, instance);
                        }),
            std::string{kNames[static_cast<std::size_t>(launch.loop)]} + "<" +
                std::string{info(job.formula).title} + ", " +
                std::string{precision_name(job.precision)} + variant_text(launch.what_if) + ">"};
}

void launch_band(const FrameJob& job, const EscapeLaunch& launch, const Band& band,
                 cudaStream_t stream, BlockLog* log, SharedAllowance& allowance) {
    const Launcher launcher{launch, stream, log, allowance};
    const Instance instance = log != nullptr ? Instance::kRecording : Instance::kPlain;
    with_number(job.precision, [&](auto number) {
        using T = decltype(number);
        const kernels::KernelSet<T> set = kernels::kernels_of<T>(job.formula, instance);
        const Plane<T> plane = make_plane<T>(job);
        if (launch.loop == CudaLoop::kRows) {
            return launch_rows<T>(set.rows, plane, band, launcher);
        }
        if (launch.loop == CudaLoop::kCompact && band.from > 0) {
            return launch_next<T>(set.next, plane, band, launcher);
        }
        kernels::Kernel<T> kernel = blocks_kernel<T>(set, launch.what_if.registers, instance);
        if (launch.loop == CudaLoop::kEveryStep) kernel = set.every_step;
        if (launch.loop == CudaLoop::kCompact) kernel = set.first;
        const GridShape grid =
            grid_for(band.part.columns(), band.last_row - band.first_row, launch.block);
        launcher.run(kernel, grid, launch.block, plane,
                     with_records(band, log, grid, launch.block, rows_of(band)));
    });
}

}  // namespace warpscope
