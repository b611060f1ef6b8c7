// SPDX-License-Identifier: MIT
// The regroup kernel: a block's threads run in stages, and after each the orbits that still run
// move together into the block's first warps; warps without any end. So a warp is mostly full
// although its neighbours in the picture have long escaped. [stream compaction; for divergent
// loops as in Wald, "Active thread compaction for GPU path tracing", 2011]
//
// Stages grow with the steps behind them, so a lane waits for a fifth of its orbit at most. Cycles
// are looked for once a stage: a watch in every block costs more registers than it saves steps.
// Tried beside this on an H200 and slower on nearly all views: several pixels of a row a thread,
// and persistent warps whose lanes take new pixels from a queue
// (tests/bench/results/2026-11-30-h200-loops.json).
#pragma once

#include "kernels/engine/cuda/escape_kernels.cuh"

namespace warpscope::kernels {

/// Steps of the stage that begins after `n`.
__device__ inline std::uint32_t stage_steps(std::uint32_t n) {
    constexpr std::uint32_t kUnit = 64, kLeast = 32, kMost = 1u << 20;
    return min(max(n / 4 / kUnit * kUnit, kLeast), kMost);
}

/// What an orbit needs to go on in another thread: z, and whose pixel it is. One array per field,
/// in dynamic shared memory, a place per thread of the block.
template <class T>
struct Moving {
    T *x, *y;
    unsigned short* thread;
    __device__ Moving(void* bytes, unsigned threads)
        : x{static_cast<T*>(bytes)},
          y{x + threads},
          thread{reinterpret_cast<unsigned short*>(y + threads)} {}
    static constexpr std::size_t kBytes = 2 * sizeof(T) + sizeof(unsigned short);  // per thread
};

/// One thread's view of its block.
template <class F, class T>
class Member {
  public:
    __device__ Member(const Plane<T>& plane, const Band& band, Moving<T> moving, unsigned& fill)
        : plane_{plane},
          band_{band},
          moving_{moving},
          fill_{fill},
          at_{warp_place()},
          thread_{at_.warp * kWarp + at_.lane},
          whose_{thread_},
          warps_{(blockDim.x * blockDim.y + kWarp - 1) / kWarp} {
        pixel_ = load<F>(plane_, band_, column(), row());
        kept_ = pixel_.orbit.z;
        pixel_.running = pixel_.running && keep_or_store();
    }

    /// Returns what the thread did.
    __device__ Tally work() {
        std::uint32_t n = band_.from;
        if (n < kEarlySteps) {
            const std::uint32_t until = min(band_.until, kEarlySteps);
            stage<kEarlyBlock>(n, until);
            n = until;
        }
        while (n < band_.until && regroup(n)) {
            const std::uint32_t until = n + min(stage_steps(n), band_.until - n);
            if (n < kManySteps) {
                stage<kBlock<T>>(n, until);
            } else {
                stage<kLongBlock<T>>(n, until);
            }
            n = until;
        }
        if (pixel_.running) put();
        tally_.lane_steps *= kWarp;
        return tally_;
    }

  private:
    // Where the pixel lies that was thread `whose_`'s at first, in the part's grid.
    __device__ int column() const {
        return static_cast<int>(blockIdx.x * blockDim.x + whose_ % blockDim.x);
    }
    __device__ int row() const {
        return band_.first_row + static_cast<int>(blockIdx.y * blockDim.y + whose_ / blockDim.x);
    }

    __device__ void put() { store(plane_, band_, column(), row(), pixel_.orbit, tally_); }

    /// Stores the pixel if it is done, and returns whether it is not.
    __device__ bool keep_or_store() {
        const Orbit<T>& orbit = pixel_.orbit;
        if (!orbit.escaped && !orbit.cycles && orbit.n < plane_.limit) return true;
        put();
        return false;
    }

    template <int kSteps>
    __device__ void stage(std::uint32_t from, std::uint32_t until) {
        std::uint32_t steps = 0;
        if (pixel_.running) {
            Orbit<T>& orbit = pixel_.orbit;
            orbit = scalar::escape<F, kSteps>(orbit, pixel_.c, until, plane_.radius2);
            steps = orbit.n - from;
            if (band_.shortcuts.periodicity && !orbit.escaped) watch(from);
            pixel_.running = keep_or_store();
        }
        tally_.lane_steps +=
            __shfl_sync(at_.mask, warp_max(steps, at_.mask, at_.lane, at_.lanes), 0);
    }

    /// [Brent 1980], see CycleWatch: z is kept whenever n has passed a power of two.
    __device__ void watch(std::uint32_t before) {
        Orbit<T>& orbit = pixel_.orbit;
        orbit.cycles = scalar::same(orbit.z.x, kept_.x) && scalar::same(orbit.z.y, kept_.y);
        if ((before ^ orbit.n) > before) kept_ = orbit.z;
    }

    /// Moves running orbits together where that frees a warp. False: this thread has nothing left.
    __device__ bool regroup(std::uint32_t n) {
        const auto running = static_cast<unsigned>(__syncthreads_count(pixel_.running));
        if (running == 0) return false;
        const unsigned needed = (running + kWarp - 1) / kWarp;
        if (needed >= warps_) return true;
        warps_ = needed;
        if (thread_ == 0) fill_ = 0;
        __syncthreads();
        pack();
        __syncthreads();
        pixel_.running = thread_ < running;
        if (at_.warp >= warps_) return false;
        if (pixel_.running) unpack(n);
        return true;
    }

    __device__ void pack() {
        const unsigned leaving = __ballot_sync(at_.mask, pixel_.running);
        unsigned first = 0;
        if (at_.lane == 0) first = atomicAdd(&fill_, __popc(leaving));
        const unsigned place =
            __shfl_sync(at_.mask, first, 0) + __popc(leaving & ((1u << at_.lane) - 1));
        if (!pixel_.running) return;
        moving_.x[place] = pixel_.orbit.z.x;
        moving_.y[place] = pixel_.orbit.z.y;
        moving_.thread[place] = static_cast<unsigned short>(whose_);
    }

    __device__ void unpack(std::uint32_t n) {
        whose_ = moving_.thread[thread_];
        pixel_.orbit = {{moving_.x[thread_], moving_.y[thread_]}, n, false};
        kept_ = pixel_.orbit.z;
        const Part& part = band_.part;
        pixel_.c =
            start_of(plane_, part.x0 + column() * part.step_x, part.y0 + row() * part.step_y).c;
    }

    const Plane<T>& plane_;
    const Band& band_;
    Moving<T> moving_;
    unsigned& fill_;
    WarpPlace at_;
    unsigned thread_, whose_, warps_;
    Pixel<T> pixel_;
    Complex<T> kept_{};
    Tally tally_;  // lane_steps: per lane, equal in a warp
};

template <class F, class T>
__global__ void __launch_bounds__(1024) escape_regroup(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                       const WARPSCOPE_GRID_CONSTANT Band band) {
    extern __shared__ double moving_bytes[];
    __shared__ unsigned fill;
    Member<F, T> member{plane, band, Moving<T>{moving_bytes, blockDim.x * blockDim.y}, fill};
    add_warp(band.slots, member.work());
}

}  // namespace warpscope::kernels
