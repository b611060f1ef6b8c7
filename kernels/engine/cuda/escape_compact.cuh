// SPDX-License-Identifier: MIT
// Stream compaction between launches: the first takes all pixels a few steps on, and those that
// still run move together into a queue; every further launch takes the queue's orbits thrice as
// far and leaves the rest in another. So warps are mostly full although neighbours in the picture
// have long escaped. [stream compaction; for
// divergent loops as in Wald, "Active thread compaction for GPU path tracing", 2011]
//
// Tried beside this on an H200 and slower on nearly all views: several pixels a thread, persistent
// warps whose lanes take new pixels from a queue, and packing within a block
// (tests/bench/README.md).
#pragma once

#include "kernels/engine/cuda/escape_kernels.cuh"

namespace warpscope::kernels {

/// Steps between tests of queued orbits: they escape at any time.
template <class T>
inline constexpr int kQueueBlock = kBlock<T> / 2;

template <class T>
__device__ void put(const Queue& queue, unsigned place, Complex<T> z, std::uint32_t pixel) {
    static_cast<T*>(queue.x)[place] = z.x;
    static_cast<T*>(queue.y)[place] = z.y;
    queue.pixel[place] = pixel;
}

/// Running lanes before the caller's.
__device__ inline unsigned lanes_before(unsigned running, const WarpPlace& at) {
    return static_cast<unsigned>(__popc(running & ((1u << at.lane) - 1)));
}

/// A block's places in a queue.
struct QueueTail {
    unsigned before[kWarp];  // running orbits in the warps before each
    unsigned first;
};

/// Puts the orbits of all threads that say `runs` into the queue, in the threads' order.
/// All threads of the block call it. `tail` is in shared memory.
template <class T>
__device__ void append(const Queue& queue, QueueTail& tail, bool runs, Complex<T> z,
                       std::uint32_t pixel) {
    const WarpPlace at = warp_place();
    const unsigned running = __ballot_sync(at.mask, runs);
    if (at.lane == 0) tail.before[at.warp] = __popc(running);
    if (__syncthreads_or(runs) == 0) return;
    if (at.warp == 0 && at.lane == 0) {
        unsigned sum = 0;
#pragma unroll 1
        for (unsigned warp = 0; warp < warps_of_block(); ++warp) {
            const unsigned here = tail.before[warp];
            tail.before[warp] = sum;
            sum += here;
        }
        tail.first = atomicAdd(queue.count, sum);
    }
    __syncthreads();
    if (!runs) return;
    put(queue, tail.first + tail.before[at.warp] + lanes_before(running, at), z, pixel);
}

/// The same for a full warp on its own.
template <class T>
__device__ void append_warp(const Queue& queue, bool runs, Complex<T> z, std::uint32_t pixel) {
    const WarpPlace at = warp_place();
    const unsigned running = __ballot_sync(kAllLanes, runs);
    if (running == 0) return;
    unsigned first = 0;
    if (at.lane == 0) first = atomicAdd(queue.count, static_cast<unsigned>(__popc(running)));
    first = __shfl_sync(kAllLanes, first, 0);
    if (runs) put(queue, first + lanes_before(running, at), z, pixel);
}

__device__ inline void clear_counts(const Band& band) {
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0) {
        for (std::size_t i = 0; i < kQueueCounts; ++i) band.clear[i] = 0;
    }
}

/// The first launch: as escape_pixels, but orbits that still run at band.until go to band.rest.
template <class F, bool kRecords, class T>
__global__ void __launch_bounds__(1024) escape_first(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                     const WARPSCOPE_GRID_CONSTANT Band band) {
    __shared__ BlockCounters<kRecords> counters;
    __shared__ QueueTail tail;
    clear_counts(band);
    counters.begin();
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = band.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    Pixel<T> pixel = load<F>(plane, band, column, row);
    advance<F, Test::kBlocks>(plane, band, pixel);
    const std::uint32_t place = place_of(plane, pixel.x, pixel.y);
    const bool runs = pixel.running && !is_done(plane, pixel.orbit);
    std::uint32_t iterations = 0;
    if (pixel.running && !runs) iterations = finish(plane, band.samples + place, pixel.orbit);
    append(band.rest, tail, runs, pixel.orbit.z, place);
    const Tally warp = warp_tally(iterations, pixel.orbit.n);
    note_work<kRecords>(band, pixel.running, place, warp);
    counters.end(band, warp);
}

/// Looks for a cycle by comparing with z at the launch's start. As in CycleWatch what is kept gets
/// ever longer spans, for every launch goes thrice as far. [Brent 1980]
template <class T>
struct StartWatch {
    Complex<T> start;
    __device__ bool meets(Complex<T> z) const {
        return scalar::same(z.x, start.x) && scalar::same(z.y, start.y);
    }
};

/// Further launches: warps take band.queue's orbits from band.from to band.until, 32 at a time: one
/// portion each, then what is left as they come, since portions take anything from a few steps on.
/// Blocks of whole warps, in a row.
template <class F, bool kRecords, class T>
__global__ void __launch_bounds__(1024) escape_next(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                    const WARPSCOPE_GRID_CONSTANT Band band) {
    __shared__ BlockCounters<kRecords> counters;
    clear_counts(band);
    counters.begin();
    const Queue& queue = band.queue;
    const std::uint32_t count = queue.count[0], threads = gridDim.x * blockDim.x;
    const std::uint32_t lane = threadIdx.x % kWarp;
    Tally tally;
    std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    while (first < count) {
        const std::uint32_t at = first + lane;
        const bool mine = at < count;
        const std::uint32_t place = mine ? queue.pixel[at] : 0;
        const auto width = static_cast<std::uint32_t>(plane.width);
        const Complex<T> c =
            start_of(plane, static_cast<int>(place % width), static_cast<int>(place / width)).c;
        Orbit<T> orbit{{}, band.from, false};
        if (mine) {
            orbit.z = {static_cast<const T*>(queue.x)[at], static_cast<const T*>(queue.y)[at]};
            if (band.shortcuts.periodicity) {
                StartWatch<T> watch{orbit.z};
                orbit = scalar::escape_watched<F, kQueueBlock<T>>(orbit, c, band.until,
                                                                  plane.radius2, watch);
            } else {
                orbit = scalar::escape<F, kQueueBlock<T>>(orbit, c, band.until, plane.radius2);
            }
        }
        const bool runs = mine && !is_done(plane, orbit);
        std::uint32_t iterations = 0;
        if (mine && !runs) iterations = finish(plane, band.samples + place, orbit);
        const Tally warp = warp_tally(iterations, orbit.n - band.from);
        note_work<kRecords>(band, mine, place, warp);
        if (band.until < plane.limit) append_warp(band.rest, runs, orbit.z, place);
        tally.iterations += warp.iterations;
        tally.executed += warp.executed;
        tally.lane_steps += warp.lane_steps;
        if (count <= threads) break;
        if (lane == 0) first = threads + atomicAdd(queue.count + 1, kWarp);
        first = __shfl_sync(kAllLanes, first, 0);
    }
    counters.end(band, tally);
}

}  // namespace warpscope::kernels
