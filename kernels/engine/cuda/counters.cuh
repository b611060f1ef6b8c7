// SPDX-License-Identifier: MIT
// How kernels count what they did: warps add up their lanes, blocks their warps, and one thread of
// the block adds to global memory. An atomic per warp took longer than the pixels of an easy view.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/engine/cuda/escape_cuda.h"
#include "kernels/math/portable.h"

namespace warpscope::kernels {

inline constexpr unsigned kWarp = 32, kAllLanes = 0xffffffffu;

/// Of a thread, a warp or a block; see FrameStats.
struct Tally {
    unsigned long long iterations = 0, executed = 0, lane_steps = 0;
};

/// Threads of the caller's warp, and its place in the block.
struct WarpPlace {
    unsigned lane, warp, lanes, mask;
};

__device__ inline WarpPlace warp_place() {
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned lane = thread % kWarp, warp = thread / kWarp;
    const unsigned lanes = min(kWarp, blockDim.x * blockDim.y - warp * kWarp);
    return {lane, warp, lanes, lanes == kWarp ? kAllLanes : (1u << lanes) - 1};
}

__device__ inline unsigned warps_of_block() {
    return (blockDim.x * blockDim.y + kWarp - 1) / kWarp;
}

#if WARPSCOPE_WARP_REDUCES
__device__ inline unsigned warp_sum(unsigned value, const WarpPlace& at) {
    return __reduce_add_sync(at.mask, value);
}
__device__ inline unsigned warp_max(unsigned value, const WarpPlace& at) {
    return __reduce_max_sync(at.mask, value);
}
#else
// Before compute capability 8.0 a warp has no instruction for this.
__device__ inline unsigned warp_sum(unsigned value, const WarpPlace& at) {
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(at.mask, value, offset);
        if (at.lane + offset < at.lanes) value += other;
    }
    return __shfl_sync(at.mask, value, 0);
}
__device__ inline unsigned warp_max(unsigned value, const WarpPlace& at) {
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(at.mask, value, offset);
        if (at.lane + offset < at.lanes && other > value) value = other;
    }
    return __shfl_sync(at.mask, value, 0);
}
#endif

/// Sum of values up to `most` over the warp.
__device__ inline unsigned long long warp_total(unsigned value, unsigned most,
                                                const WarpPlace& at) {
    if (most < 1u << 27) return warp_sum(value, at);
    const unsigned long long high = warp_sum(value >> 16, at);
    return (high << 16) + warp_sum(value & 0xffff, at);
}

/// What a warp did; every lane passes its own figures and gets the tally.
__device__ inline Tally warp_tally(unsigned iterations, unsigned executed) {
    const WarpPlace at = warp_place();
    const unsigned most = warp_max(executed, at);
    return {warp_total(iterations, warp_max(iterations, at), at), warp_total(executed, most, at),
            static_cast<unsigned long long>(most) * kWarp};
}

__device__ inline unsigned block_index() { return blockIdx.y * gridDim.x + blockIdx.x; }

/// Nanoseconds on the GPU's clock.
__device__ inline unsigned long long now_ns() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/// When and where a block ran, in shared memory; nothing where it is not recorded.
template <bool kRecords>
class BlockClock {
  public:
    __device__ void start() {}
    __device__ void end_warp() {}
    __device__ void keep(const Band&, unsigned long long, unsigned long long) {}
};

template <>
class BlockClock<true> {
  public:
    __device__ void start() {
        record_.start_ns = now_ns();
        record_.warp_ns = 0;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(record_.sm));
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(record_.first_warp));
    }
    __device__ void end_warp() { atomicAdd(&record_.warp_ns, now_ns() - record_.start_ns); }
    __device__ void keep(const Band& band, unsigned long long executed,
                         unsigned long long lane_steps) {
        if (band.records == nullptr) return;
        record_.executed = executed;
        record_.lane_steps = lane_steps;
        record_.end_ns = now_ns();
        band.records[block_index()] = record_;
    }

  private:
    BlockRecord record_;
};

/// In shared memory. All threads of the block call both.
template <bool kRecords>
class BlockCounters {
  public:
    __device__ void begin() {
        if (threadIdx.x == 0 && threadIdx.y == 0) {
            clock_.start();
            for (unsigned long long& sum : sums_) sum = 0;
            arrived_ = 0;
        }
        __syncthreads();
    }

    /// The last warp to come adds the block's sums to one of the slots. No warp waits.
    __device__ void end(const Band& band, const Tally& tally) {
        if (warp_place().lane != 0) return;
        clock_.end_warp();
        atomicAdd(&sums_[0], tally.iterations);
        atomicAdd(&sums_[1], tally.executed);
        atomicAdd(&sums_[2], tally.lane_steps);
        __threadfence_block();
        if (atomicAdd(&arrived_, 1u) + 1 < warps_of_block()) return;
        unsigned long long* slot = band.slots + block_index() % kSlots * kSlotStride;
        unsigned long long sums[kSums];
        for (int i = 0; i < kSums; ++i) {
            sums[i] = atomicExch(&sums_[i], 0ull);
            atomicAdd(slot + i, sums[i]);
        }
        clock_.keep(band, sums[1], sums[2]);
    }

  private:
    static constexpr int kSums = 3;
    unsigned long long sums_[kSums];
    unsigned arrived_;
    BlockClock<kRecords> clock_;
};

}  // namespace warpscope::kernels
