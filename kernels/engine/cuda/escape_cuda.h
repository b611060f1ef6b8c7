// SPDX-License-Identifier: MIT
// The escape kernels and how to launch one. Include from CUDA-built files only.
//
// Each thread gets a pixel; a heavy frame is cut by iterations, with z kept per pixel between
// launches. Threads wait for the last of their warp, or what still runs is packed between launches.
#pragma once

#include <cuda_runtime_api.h>

#include <unordered_map>

#include "kernels/engine/plan.h"
#include "kernels/engine/trace.h"

namespace warpscope {

/// What kernels count: 64 slots that blocks add to, apart, so that no address is a bottleneck. Each
/// is kSlotStride numbers: iterations, executed, lane steps (see FrameStats), and unused ones.
inline constexpr int kSlots = 64, kSlotStride = 16;

/// Loops that are compiled. kRows: kBlocks for blocks one pixel high.
enum class CudaLoop : std::uint8_t { kEveryStep, kBlocks, kRows, kCompact };

/// How the kernels of a frame are launched.
struct EscapeLaunch {
    CudaLoop loop = CudaLoop::kBlocks;
    BlockShape block;
    WhatIf what_if;  ///< kCompiled where the loop has no such variant
};

/// Testing every step does without compaction; variants of registers are there for blocks of tests
/// on Mandelbrot's formula in float and double.
EscapeLaunch escape_launch(const FrameJob& job, const Tuning& tuning) noexcept;

/// Rows that one launch of kRows may have. A kernel's parameters may take 32,764 bytes; 4096 before
/// CUDA 12.1.
inline constexpr int kTableRows = CUDART_VERSION >= 12010 ? 2176 : 448;

/// What the host decides per launch, for all kernels.
struct Shortcuts {
    bool closed_form, periodicity;
};

/// Counts of a queue: its orbits, and those of them that warps have taken after their first ones.
inline constexpr std::size_t kQueueCounts = 2;

/// Orbits on their way to the next launch, one array per field, in device memory.
struct Queue {
    void *x, *y;           ///< z, in the job's number type
    std::uint32_t* pixel;  ///< y * job.width + x
    std::uint32_t* count;  ///< kQueueCounts of them
};

/// What a recorded block leaves. Times are the GPU's own clock, the same on all SMs.
struct BlockRecord {
    unsigned long long start_ns, end_ns;      ///< its first thread's first, its last warp's last
    unsigned long long warp_ns;               ///< from start_ns to each warp's end, added up
    unsigned long long executed, lane_steps;  ///< as in FrameStats
    std::uint32_t sm, first_warp;             ///< %smid; %warpid of its first thread
};

/// One launch: rows [first_row, last_row) of the part's grid, and of their
/// iterations those after `from` up to `until`.
struct Band {
    Sample* samples;  ///< device memory, job.width per row
    Part part;
    int first_row, last_row;
    unsigned long long* slots;  ///< device memory, kSlots * kSlotStride numbers, added to
    std::uint32_t from, until;  ///< until = job.limit ends it
    Shortcuts shortcuts;
    /// Device memory for z of each pixel of the band, two numbers of the job's type: where orbits
    /// that are not done by `until` wait for the next launch. nullptr where until = job.limit.
    void* waiting;
    Queue queue, rest;  ///< kCompact: the orbits to take on (where from > 0), and where others go
    std::uint32_t* clear;  ///< kCompact: kQueueCounts, set to 0 for the launch after this one
    BlockRecord* records;  ///< device memory, one a block of the launch; nullptr: not recorded
    PixelWork* work;  ///< device memory, one a pixel of the frame, added to; nullptr: not recorded

    std::int64_t pixels() const {
        return static_cast<std::int64_t>(part.columns()) * (last_row - first_row);
    }
};

class BlockLog;

/// A kernel as the runtime API and people know it.
struct CudaKernel {
    const void* function;
    std::string name;  ///< such as "escape_rows<Mandelbrot, float>"
};

/// Kernels that record are instances of their own: the others know nothing of it.
enum class Instance : std::uint8_t { kPlain, kRecording };

/// Of a loop that has several kernels, the one that all pixels go through.
CudaKernel escape_kernel(const FrameJob& job, const EscapeLaunch& launch,
                         Instance instance = Instance::kPlain);

/// How much dynamic shared memory each kernel has been allowed on the current device: asking again
/// costs microseconds a launch.
class SharedAllowance {
  public:
    /// Allows `kernel` so much, and with any at all asks for the largest carve-out, which
    /// occupancy.h takes for granted. Throws BackendError.
    void allow(const void* kernel, int bytes);

  private:
    std::unordered_map<const void*, int> allowed_;
};

/// Launches one band; recorded where there is a log. Throws BackendError.
void launch_band(const FrameJob& job, const EscapeLaunch& launch, const Band& band,
                 cudaStream_t stream, BlockLog* log, SharedAllowance& allowance);

}  // namespace warpscope
