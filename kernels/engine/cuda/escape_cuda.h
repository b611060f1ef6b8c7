// SPDX-License-Identifier: MIT
// The escape kernels and how to launch one. Include from CUDA-built files only.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/engine/plan.h"

namespace warpscope {

/// Slots that warps add their iterations to, kSlotStride apart, so that no address is a bottleneck.
inline constexpr int kSlots = 64, kSlotStride = 4;

/// Rows [first_row, last_row) of the frame at `samples`, and of their iterations those after `from`
/// up to `until`.
struct Band {
    Sample* samples;  ///< device memory, job.width per row
    int first_row, last_row;
    unsigned long long* slots;  ///< device memory, kSlots * kSlotStride numbers, added to
    std::uint32_t from, until;  ///< until = job.limit ends it
    /// Device memory for z of each pixel of the band, two numbers of the job's type: where orbits
    /// that are not done by `until` wait for the next launch. nullptr where until = job.limit.
    void* waiting;
};

/// The kernel that `job` needs, for cudaFuncGetAttributes and the occupancy API.
const void* escape_kernel_for(const FrameJob& job);

/// Its name for people, such as "escape<Mandelbrot, float>".
std::string escape_kernel_name(const FrameJob& job);

/// Launches one band. Throws BackendError.
void launch_escape(const FrameJob& job, const Band& band, BlockShape block, cudaStream_t stream);

}  // namespace warpscope
