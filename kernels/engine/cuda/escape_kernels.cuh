// SPDX-License-Identifier: MIT
// The escape kernels as templates; escape_<type>.cu compile them for all formulas and one number
// type each. Compiled with --fmad=false: what is fused stands in formula.inc, so that the counts
// equal the CPU's bit for bit.
#pragma once

#include <cuda_runtime.h>

#include "kernels/engine/cuda/escape_cuda.h"
#include "kernels/math/escape.h"

namespace warpscope::kernels {

using scalar::Complex;
using scalar::Orbit;

inline constexpr unsigned kWarp = 32, kAllLanes = 0xffffffffu;

// The first steps are tested often: most pixels of most pictures leave soon, and a block that is
// overshot is paid twice. Later blocks are long.
inline constexpr std::uint32_t kEarlySteps = 64, kManySteps = 1024;
inline constexpr int kEarlyBlock = 8;
template <class T>
inline constexpr int kBlock = 32;
template <class T>
inline constexpr int kLongBlock = 64;
// A step of df64 is 47 instructions: a test costs little beside a few of them.
template <>
inline constexpr int kBlock<Df64> = 16;
template <>
inline constexpr int kLongBlock<Df64> = 16;

/// What a thread adds to the frame's counters.
struct Tally {
    unsigned long long iterations = 0, executed = 0, lane_steps = 0;
};

/// Sum over the lanes named in `mask`, which are 0 … lanes - 1; it arrives in lane 0.
__device__ inline unsigned long long warp_sum(unsigned long long value, unsigned mask,
                                              unsigned lane, unsigned lanes) {
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
        const unsigned long long other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes) value += other;
    }
    return value;
}

__device__ inline unsigned warp_max(unsigned value, unsigned mask, unsigned lane, unsigned lanes) {
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes && other > value) value = other;
    }
    return value;
}

__device__ inline void add_to_slot(unsigned long long* slots, unsigned warp, const Tally& tally) {
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    unsigned long long* slot = slots + (block + warp) % kSlots * kSlotStride;
    atomicAdd(slot, tally.iterations);
    atomicAdd(slot + 1, tally.executed);
    atomicAdd(slot + 2, tally.lane_steps);
}

/// Where pixel (x, y) starts: its c, and z_0.
template <class T>
struct Start {
    Complex<T> z, c;
};

template <class T>
__device__ Start<T> start_of(const Plane<T>& plane, int x, int y) {
    using N = NumberTraits<T>;
    const Complex<T> p = scalar::point_of(plane, x, y);
    if (plane.julia) return {p, {plane.julia_re, plane.julia_im}};
    return {{N::lift(0), N::lift(0)}, p};
}

template <class F, class T>
__device__ bool known_inside(const Plane<T>& plane, Shortcuts shortcuts, Complex<T> c) {
    return shortcuts.closed_form && !plane.julia && scalar::known_inside<F>(c);
}

template <class T>
__device__ Sample sample_of(const Plane<T>& plane, Complex<T> z, std::uint32_t n) {
    using N = NumberTraits<T>;
    return {n, smooth_fraction(N::leading(z.x), N::leading(z.y), plane)};
}

/// Runs an orbit on until `until`, testing in blocks.
template <class F, bool kWatchCycles, class T>
__device__ Orbit<T> run_blocks(Orbit<T> orbit, Complex<T> c, std::uint32_t until, Real<T> radius2) {
    if (orbit.n < kEarlySteps) {
        orbit = scalar::escape<F, kEarlyBlock>(orbit, c, min(until, kEarlySteps), radius2);
    }
    if (orbit.n < kManySteps && !orbit.escaped) {
        orbit =
            scalar::escape<F, kBlock<T>, kWatchCycles>(orbit, c, min(until, kManySteps), radius2);
    }
    if (orbit.escaped || orbit.cycles) return orbit;
    return scalar::escape<F, kLongBlock<T>, kWatchCycles>(orbit, c, until, radius2);
}

template <class F, CudaLoop kLoop, class T>
__device__ Orbit<T> run(const Plane<T>& plane, Shortcuts shortcuts, Orbit<T> orbit, Complex<T> c,
                        std::uint32_t until) {
    if (kLoop == CudaLoop::kEveryStep) {
        return shortcuts.periodicity ? scalar::escape<F, 1, true>(orbit, c, until, plane.radius2)
                                     : scalar::escape<F, 1>(orbit, c, until, plane.radius2);
    }
    return shortcuts.periodicity ? run_blocks<F, true>(orbit, c, until, plane.radius2)
                                 : run_blocks<F, false>(orbit, c, until, plane.radius2);
}

/// One pixel of the launch.
template <class T>
struct Pixel {
    Orbit<T> orbit;
    Complex<T> c;
    bool running;  ///< belongs to the part and is not done
};

/// Where (column, row) of the part's grid has its z in band.waiting.
__device__ inline std::size_t waiting_place(const Band& band, int column, int row) {
    return static_cast<std::size_t>(row - band.first_row) * band.part.columns() +
           static_cast<unsigned>(column);
}

/// The pixel at (column, row) of the part's grid.
template <class F, class T>
__device__ Pixel<T> load(const Plane<T>& plane, const Band& band, int column, int row) {
    const Part& part = band.part;
    const int x = part.x0 + column * part.step_x, y = part.y0 + row * part.step_y;
    const Start<T> start = start_of(plane, x, y);
    Pixel<T> pixel{{start.z, band.from, false}, start.c, x < part.x1 && row < band.last_row};
    if (!pixel.running) return pixel;
    if (band.from == 0) {
        pixel.orbit.cycles = known_inside<F>(plane, band.shortcuts, start.c);
        return pixel;
    }
    pixel.orbit.z = static_cast<const Complex<T>*>(band.waiting)[waiting_place(band, column, row)];
    const Real<T> mark = NumberTraits<T>::leading(pixel.orbit.z.x);
    pixel.running = mark == mark;  // NaN marks those that were done before
    return pixel;
}

/// Takes in what the orbit has come to: the sample where it is done, z where it waits.
template <class T>
__device__ void store(const Plane<T>& plane, const Band& band, int column, int row, Orbit<T> orbit,
                      Tally& tally) {
    tally.executed += orbit.n - band.from;
    if (orbit.escaped || orbit.cycles || orbit.n == plane.limit) {
        tally.iterations += orbit.escaped ? orbit.n : plane.limit;
        const int x = band.part.x0 + column * band.part.step_x;
        const int y = band.part.y0 + row * band.part.step_y;
        band.samples[static_cast<std::size_t>(y) * plane.width + static_cast<unsigned>(x)] =
            orbit.escaped ? sample_of(plane, orbit.z, orbit.n) : Sample{0, 0};
        orbit.z.x = NumberTraits<T>::lift(static_cast<Real<T>>(nan("")));
    }
    if (band.waiting == nullptr) return;
    static_cast<Complex<T>*>(band.waiting)[waiting_place(band, column, row)] = orbit.z;
}

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

/// Adds what the warp's lanes did to the counters; `tally.lane_steps` is a lane's own.
__device__ inline void add_warp(unsigned long long* slots, Tally tally) {
    const WarpPlace at = warp_place();
    tally.iterations = warp_sum(tally.iterations, at.mask, at.lane, at.lanes);
    tally.executed = warp_sum(tally.executed, at.mask, at.lane, at.lanes);
    if (at.lane == 0) add_to_slot(slots, at.warp, tally);
}

/// Thread (x, y) of the grid computes pixel (x, first_row + y) of the part's grid. The bound keeps
/// the registers low enough for every block shape the sliders offer.
template <class F, CudaLoop kLoop, class T>
__global__ void __launch_bounds__(1024) escape_pixels(const Plane<T> plane, const Band band) {
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = band.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    Pixel<T> pixel = load<F>(plane, band, column, row);
    Tally tally;
    std::uint32_t steps = 0;
    if (pixel.running) {
        if (!pixel.orbit.cycles) {
            pixel.orbit = run<F, kLoop>(plane, band.shortcuts, pixel.orbit, pixel.c, band.until);
        }
        steps = pixel.orbit.n - band.from;
        store(plane, band, column, row, pixel.orbit, tally);
    }
    const WarpPlace at = warp_place();
    tally.lane_steps = std::uint64_t{kWarp} * warp_max(steps, at.mask, at.lane, at.lanes);
    add_warp(band.slots, tally);
}

}  // namespace warpscope::kernels
