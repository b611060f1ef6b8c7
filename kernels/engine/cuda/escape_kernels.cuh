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
inline constexpr std::uint32_t kEarlySteps = 64;
inline constexpr int kEarlyBlock = 8, kBlock = 32;

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
    if (orbit.escaped) return orbit;
    return scalar::escape<F, kBlock, kWatchCycles>(orbit, c, until, radius2);
}

template <class F, CudaLoop kLoop, class T>
__device__ Orbit<T> run(const Plane<T>& plane, Shortcuts shortcuts, Orbit<T> orbit, Complex<T> c,
                        std::uint32_t until) {
    if (kLoop == CudaLoop::kEveryStep || plane.test_always) {
        return shortcuts.periodicity ? scalar::escape<F, 1, true>(orbit, c, until, plane.radius2)
                                     : scalar::escape<F, 1>(orbit, c, until, plane.radius2);
    }
    return shortcuts.periodicity ? run_blocks<F, true>(orbit, c, until, plane.radius2)
                                 : run_blocks<F, false>(orbit, c, until, plane.radius2);
}

/// Thread (x, y) of the grid computes pixel (x, first_row + y) of the part's grid. The bound keeps
/// the registers low enough for every block shape the sliders offer.
template <class F, CudaLoop kLoop, class T>
__global__ void __launch_bounds__(1024) escape_pixels(const Plane<T> plane, const Band band) {
    const Part& part = band.part;
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = band.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int x = part.x0 + column * part.step_x, y = part.y0 + row * part.step_y;
    Tally tally;
    std::uint32_t steps = 0;
    if (x < part.x1 && row < band.last_row) {  // the guard: threads past the part do nothing
        const std::size_t place = static_cast<std::size_t>(row - band.first_row) * part.columns() +
                                  static_cast<unsigned>(column);
        auto* const waiting = static_cast<Complex<T>*>(band.waiting);
        const Start<T> start = start_of(plane, x, y);
        Orbit<T> orbit{start.z, band.from, false};
        if (band.from > 0) orbit.z = waiting[place];
        const Real<T> mark = NumberTraits<T>::leading(orbit.z.x);
        // NaN marks those that were done before; an orbit that begins as NaN escapes at once.
        if (band.from == 0 || mark == mark) {
            if (band.from == 0 && known_inside<F>(plane, band.shortcuts, start.c)) {
                orbit.cycles = true;
            } else {
                orbit = run<F, kLoop>(plane, band.shortcuts, orbit, start.c, band.until);
            }
            steps = orbit.n - band.from;
            tally.executed = steps;
            if (orbit.escaped || orbit.cycles || orbit.n == plane.limit) {
                tally.iterations = orbit.escaped ? orbit.n : plane.limit;
                band.samples[static_cast<std::size_t>(y) * plane.width + x] =
                    orbit.escaped ? sample_of(plane, orbit.z, orbit.n) : Sample{0, 0};
                orbit.z.x = NumberTraits<T>::lift(static_cast<Real<T>>(nan("")));
            }
            if (waiting != nullptr) waiting[place] = orbit.z;
        }
    }
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned lane = thread % kWarp, warp = thread / kWarp;
    const unsigned lanes = min(kWarp, blockDim.x * blockDim.y - warp * kWarp);
    const unsigned mask = lanes == kWarp ? kAllLanes : (1u << lanes) - 1;
    tally.iterations = warp_sum(tally.iterations, mask, lane, lanes);
    tally.executed = warp_sum(tally.executed, mask, lane, lanes);
    tally.lane_steps = std::uint64_t{kWarp} * warp_max(steps, mask, lane, lanes);
    if (lane == 0) add_to_slot(band.slots, warp, tally);
}

}  // namespace warpscope::kernels
