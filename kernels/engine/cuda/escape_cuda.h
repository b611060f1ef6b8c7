// SPDX-License-Identifier: MIT
// The escape kernels and how to launch one. Include from CUDA-built files only.
//
// Each thread gets a pixel; a heavy frame is cut by iterations, with z kept per pixel between
// launches. Threads wait for the last of their warp, or a block regroups what still runs.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/engine/plan.h"

namespace warpscope {

/// What kernels count: 64 slots that warps add to, apart, so that no address is a bottleneck. Each
/// is kSlotStride numbers: iterations, executed, lane steps (see FrameStats), and one unused.
inline constexpr int kSlots = 64, kSlotStride = 4;

/// Loops that are compiled.
enum class CudaLoop : std::uint8_t { kEveryStep, kBlocks, kRegroup };

/// The loop that runs `method` on `job`. Testing every step does without regrouping.
CudaLoop cuda_loop(const FrameJob& job, const Method& method) noexcept;

/// What the host decides per launch, for all kernels.
struct Shortcuts {
    bool closed_form, periodicity;
};

/// One launch: rows [first_row, last_row) of the part's grid, and of their
/// iterations those after `from` up to `until`.
struct Band {
    Sample* samples;  ///< device memory, job.width per row
    Part part;
    int first_row, last_row;
    unsigned long long* slots;  ///< device memory, kSlots * kSlotStride numbers, added to
    std::uint32_t from, until;  ///< until = job.limit ends it
    /// Device memory for z of each pixel of the band, two numbers of the job's type: where orbits
    /// that are not done by `until` wait for the next launch. nullptr where until = job.limit.
    void* waiting;
    Shortcuts shortcuts;
};

/// A kernel as the runtime API and people know it.
struct CudaKernel {
    const void* function;
    std::size_t shared_per_warp;  ///< bytes of dynamic shared memory for each warp of a block
    std::string name;             ///< such as "escape_regroup<Mandelbrot, float>"
};
CudaKernel escape_kernel(const FrameJob& job, const Method& method);

/// Launches one band. Throws BackendError.
void launch_band(const FrameJob& job, CudaLoop loop, const Band& band, BlockShape block,
                 cudaStream_t stream);

}  // namespace warpscope
