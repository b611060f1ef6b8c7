// SPDX-License-Identifier: MIT
// The escape kernels and how to launch one. Include from CUDA-built files only.
//
// Two kinds. The pixel kernels give each thread a pixel or a few; a heavy frame is cut by
// iterations, with z kept per pixel between launches. The refill kernel fills
// the GPU once with warps that live until the queue of pixels is empty or their time is up, and
// give lanes that are done the next pixel; orbits that still run then wait in a list, which is no
// longer than the GPU has threads.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/engine/plan.h"

namespace warpscope {

/// What kernels count: 64 slots that warps add to, apart, so that no address is a bottleneck. Each
/// is kSlotStride numbers: iterations, executed, lane steps (see FrameStats), and one unused.
inline constexpr int kSlots = 64, kSlotStride = 4;

/// Loops that are compiled.
enum class CudaLoop : std::uint8_t { kEveryStep, kBlocks, kSeveral, kRegroup, kRefill };

/// The loop that runs `method` on `job`. Testing every step does without refilling.
CudaLoop cuda_loop(const FrameJob& job, const Method& method) noexcept;

/// What the host decides per launch, for all kernels.
struct Shortcuts {
    bool closed_form, periodicity;
};

/// A launch of a pixel kernel: rows [first_row, last_row) of the part's grid, and of their
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

/// How far a queue has come; in device memory, zeroed before each launch.
struct QueueHead {
    unsigned long long taken;  ///< entries handed out: those of the list first, then pixels
    unsigned long long start;  ///< %globaltimer when the launch began, ns
    unsigned left;             ///< orbits written to the list for the next launch
};

/// An orbit that waits for the next launch; n = 0 is one that has not begun.
struct WaitingOrbit {
    double z[2];  ///< two numbers of the job's type
    std::uint32_t n, pixel;
};

/// A launch of the refill kernel over `parts`.
struct Queue {
    Sample* samples;  ///< device memory, job.width per row
    Part parts[kMaxParts];
    int part_count;
    unsigned long long first_pixel;  ///< of the queue's pixels, those before are taken
    unsigned long long pixels;       ///< the queue's, see queue_length()
    const WaitingOrbit* in;          ///< the list that the launch before left, `in_count` long
    unsigned in_count;
    WaitingOrbit* out;  ///< room for waiting_capacity() orbits
    QueueHead* head;
    unsigned long long budget_ns;  ///< after that much time lanes take nothing new and stop
    unsigned long long* slots;
    Shortcuts shortcuts;
};

/// Places in the queue of `parts`: their pixels in tiles of 8 x 4, with some places empty at edges.
unsigned long long queue_length(std::span<const Part> parts) noexcept;

/// Orbits that a launch of `blocks` blocks can leave.
std::size_t waiting_capacity(int blocks, BlockShape block) noexcept;

/// A kernel as the runtime API and people know it.
struct CudaKernel {
    const void* function;
    std::size_t shared_per_warp;  ///< bytes of dynamic shared memory for each warp of a block
    std::string name;             ///< such as "escape_refill<Mandelbrot, float>"
};
CudaKernel escape_kernel(const FrameJob& job, const Method& method);

/// Launches one band with a pixel kernel. Throws BackendError.
void launch_band(const FrameJob& job, CudaLoop loop, const Band& band, BlockShape block,
                 cudaStream_t stream);

/// Launches `blocks` blocks of the refill kernel. Throws BackendError.
void launch_queue(const FrameJob& job, const Queue& queue, int blocks, BlockShape block,
                  cudaStream_t stream);

}  // namespace warpscope
