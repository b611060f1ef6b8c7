// SPDX-License-Identifier: MIT
// The escape kernels as templates; escape_<type>.cu compile them for all formulas and one number
// type each. Compiled with --fmad=false: what is fused stands in formula.inc, so that the counts
// equal the CPU's bit for bit.
#pragma once

#include <cuda_runtime.h>

#include "kernels/engine/cuda/counters.cuh"
#include "kernels/engine/cuda/escape_cuda.h"
#include "kernels/math/escape.h"

namespace warpscope::kernels {

using scalar::Complex;
using scalar::Orbit;

// Most pixels of most pictures leave soon, and a block that is overshot is paid twice: the first
// steps are tested one by one, then in short blocks. Later blocks are long.
inline constexpr std::uint32_t kFirstSteps = 8, kEarlySteps = 64;
template <class T>
inline constexpr int kBlock = 64;
// A step of df64 is 47 instructions: a test costs little beside a few of them.
template <>
inline constexpr int kBlock<Df64> = 16;

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

/// Runs an orbit on until `until`, testing in blocks.
template <class F, bool kWatchCycles, class T>
__device__ Orbit<T> run_blocks(Orbit<T> orbit, Complex<T> c, std::uint32_t until, Real<T> radius2) {
    if (orbit.n < kFirstSteps) {
        orbit = scalar::escape<F, 1>(orbit, c, min(until, kFirstSteps), radius2);
    }
    if (orbit.n < kEarlySteps && !orbit.escaped) {
        orbit = scalar::escape<F, kTestEvery>(orbit, c, min(until, kEarlySteps), radius2);
    }
    if (orbit.escaped) return orbit;
    return scalar::escape<F, kBlock<T>, kWatchCycles>(orbit, c, until, radius2);
}

template <class F, Test kTest, class T>
__device__ Orbit<T> run(const Plane<T>& plane, Shortcuts shortcuts, Orbit<T> orbit, Complex<T> c,
                        std::uint32_t until) {
    if (kTest == Test::kEveryStep) {
        return shortcuts.periodicity ? scalar::escape<F, 1, true>(orbit, c, until, plane.radius2)
                                     : scalar::escape<F, 1>(orbit, c, until, plane.radius2);
    }
    return shortcuts.periodicity ? run_blocks<F, true>(orbit, c, until, plane.radius2)
                                 : run_blocks<F, false>(orbit, c, until, plane.radius2);
}

/// Place of pixel (x, y) in the frame.
template <class T>
__device__ std::uint32_t place_of(const Plane<T>& plane, int x, int y) {
    return static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(plane.width) +
           static_cast<std::uint32_t>(x);
}

template <class T>
__device__ bool is_done(const Plane<T>& plane, const Orbit<T>& orbit) {
    return orbit.escaped || orbit.cycles || orbit.n == plane.limit;
}

/// Stores the sample of an orbit that is done; returns the iterations that it stands for.
template <class T>
__device__ std::uint32_t finish(const Plane<T>& plane, Sample* sample, const Orbit<T>& orbit) {
    using N = NumberTraits<T>;
    *sample =
        orbit.escaped
            ? Sample{orbit.n, smooth_fraction(N::leading(orbit.z.x), N::leading(orbit.z.y), plane)}
            : Sample{0, 0};
    return orbit.escaped ? orbit.n : plane.limit;
}

/// One pixel of the launch.
template <class T>
struct Pixel {
    Orbit<T> orbit;
    Complex<T> c;
    int x, y;      ///< in the frame
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
    const bool mine = x < part.x1 && row < band.last_row;
    Pixel<T> pixel{{start.z, band.from, false}, start.c, x, y, mine};
    if (band.from == 0) {
        pixel.orbit.cycles = known_inside<F>(plane, band.shortcuts, start.c);
    } else if (mine) {
        pixel.orbit.z =
            static_cast<const Complex<T>*>(band.waiting)[waiting_place(band, column, row)];
        const Real<T> mark = NumberTraits<T>::leading(pixel.orbit.z.x);
        pixel.running = mark == mark;  // NaN marks those that were done before
    }
    return pixel;
}

/// Takes the pixel's orbit on until band.until.
template <class F, Test kTest, class T>
__device__ void advance(const Plane<T>& plane, const Band& band, Pixel<T>& pixel) {
    // Nobody branches around the loop: c stays in a uniform register only in code that all lanes
    // run (escape_rows).
    const bool inside = pixel.orbit.cycles;
    const std::uint32_t until = pixel.running && !inside ? band.until : pixel.orbit.n;
    pixel.orbit = run<F, kTest>(plane, band.shortcuts, pixel.orbit, pixel.c, until);
    pixel.orbit.cycles = pixel.orbit.cycles || inside;
}

/// Adds what the pixel's warp did in this launch, its first or a further one.
template <bool kRecords>
__device__ void note_work(const Band& band, bool mine, std::uint32_t place, const Tally& warp) {
    if constexpr (kRecords) {
        if (band.work == nullptr || !mine) return;
        PixelWork work{static_cast<float>(warp.executed), static_cast<float>(warp.lane_steps)};
        if (band.from > 0) {
            work.executed += band.work[place].executed;
            work.lane_steps += band.work[place].lane_steps;
        }
        band.work[place] = work;
    }
}

/// Computes a pixel of a launch whose lanes keep their pixels: stores the sample where it is done,
/// z where it waits.
template <class F, Test kTest, bool kRecords, class T>
__device__ void compute(const Plane<T>& plane, const Band& band, int column, int row,
                        Pixel<T> pixel) {
    __shared__ BlockCounters<kRecords> counters;
    counters.begin();
    advance<F, kTest>(plane, band, pixel);
    const std::uint32_t place = place_of(plane, pixel.x, pixel.y);
    std::uint32_t executed = 0, iterations = 0;
    if (pixel.running) {
        Orbit<T>& orbit = pixel.orbit;
        executed = orbit.n - band.from;
        if (is_done(plane, orbit)) {
            iterations = finish(plane, band.samples + place, pixel.orbit);
            orbit.z.x = NumberTraits<T>::lift(static_cast<Real<T>>(nan("")));
        }
        if (band.waiting != nullptr) {
            static_cast<Complex<T>*>(band.waiting)[waiting_place(band, column, row)] = orbit.z;
        }
    }
    const Tally warp = warp_tally(iterations, executed);
    note_work<kRecords>(band, pixel.running, place, warp);
    counters.end(band, warp);
}

/// Thread (x, y) of the grid computes pixel (x, first_row + y) of the part's grid.
template <class F, Test kTest, bool kRecords, class T>
__device__ void compute_own(const Plane<T>& plane, const Band& band) {
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = band.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    compute<F, kTest, kRecords>(plane, band, column, row, load<F>(plane, band, column, row));
}

/// The bound keeps the registers low enough for every block shape the sliders offer.
template <class F, Test kTest, bool kRecords, class T>
__global__ void __launch_bounds__(1024) escape_pixels(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                      const WARPSCOPE_GRID_CONSTANT Band band) {
    compute_own<F, kTest, kRecords>(plane, band);
}

/// Imaginary part of c in each of a launch's rows. They travel as a parameter: memory that many
/// launches share would have to be guarded.
template <class T>
struct RowTable {
    T im[kTableRows];
};

/// The same for blocks one pixel high. All their threads share the imaginary part of c, and where
/// the compiler sees that, it lies in a uniform register. Of the four instructions of a step one
/// reads three registers otherwise, which takes the register file's two banks a clock more.
template <class F, bool kRecords, class T>
__global__ void __launch_bounds__(1024)
    escape_rows(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                const WARPSCOPE_GRID_CONSTANT Band band,
                const WARPSCOPE_GRID_CONSTANT RowTable<T> rows) {
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = band.first_row + static_cast<int>(blockIdx.y);
    Pixel<T> pixel = load<F>(plane, band, column, row);
    pixel.c.y = rows.im[blockIdx.y];
    compute<F, Test::kBlocks, kRecords>(plane, band, column, row, pixel);
}

}  // namespace warpscope::kernels
