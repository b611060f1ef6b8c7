// SPDX-License-Identifier: MIT
// One thread a pixel. Compiled with --fmad=false: what is fused stands in formula.inc, so that the
// counts equal the CPU's bit for bit.
#include <cuda_runtime.h>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_cuda.h"
#include "kernels/math/escape.h"

namespace warpscope {
namespace {

constexpr unsigned kWarp = 32;

/// Adds up `value` over the threads of a warp, which may be a block's last and partial one; the
/// sum arrives in lane 0. Every thread of the block must call it.
__device__ unsigned long long warp_sum(unsigned long long value, unsigned lane, unsigned lanes) {
    const unsigned mask = lanes == kWarp ? 0xffffffffu : (1u << lanes) - 1;
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
        const unsigned long long other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes) value += other;
    }
    return value;
}

/// Runs pixel (x, y) on from `orbit`, or from its start where that is at n = 0.
template <class F, class T>
__device__ scalar::Orbit<T> iterate(const Plane<T>& plane, int x, int y, scalar::Orbit<T> orbit,
                                    std::uint32_t until) {
    const scalar::Complex<T> p = {
        scalar::fma(static_cast<T>(x) - plane.half_width, plane.spacing, plane.center_re),
        scalar::fma(plane.half_height - static_cast<T>(y), plane.spacing, plane.center_im)};
    const scalar::Complex<T> c =
        plane.julia ? scalar::Complex<T>{plane.julia_re, plane.julia_im} : p;
    if (orbit.n == 0 && plane.julia) orbit.z = p;
    if (plane.test_always) return scalar::escape<F, 1>(orbit, c, until, plane.radius2);
    return scalar::escape<F, kTestEvery>(orbit, c, until, plane.radius2);
}

/// Pixel (x, first_row + y) for thread (x, y) of the grid. The bound keeps the registers low enough
/// for every block shape the sliders offer.
template <class F, class T>
__global__ void __launch_bounds__(1024) escape(const Plane<T> plane, const Band band) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = band.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    unsigned long long iterations = 0;
    if (x < plane.width && y < band.last_row) {  // the guard: threads past the picture do nothing
        const std::size_t width = static_cast<unsigned>(plane.width);
        const std::size_t column = static_cast<unsigned>(x);
        auto* const waiting = static_cast<scalar::Complex<T>*>(band.waiting);
        const std::size_t place = static_cast<unsigned>(y - band.first_row) * width + column;
        scalar::Orbit<T> orbit{{0, 0}, 0, false};
        if (band.from > 0) orbit = {waiting[place], band.from, false};
        if (orbit.z.x == orbit.z.x) {  // NaN marks those that are done
            orbit = iterate<F>(plane, x, y, orbit, band.until);
            iterations = orbit.n - band.from;
            const bool done = orbit.escaped || orbit.n == plane.limit;
            if (done) {
                band.samples[static_cast<unsigned>(y) * width + column] = {
                    orbit.escaped ? orbit.n : 0,
                    orbit.escaped ? smooth_fraction(orbit.z.x, orbit.z.y, plane) : 0};
                orbit.z.x = static_cast<T>(nan(""));
            }
            if (waiting != nullptr) waiting[place] = orbit.z;
        }
    }
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned lane = thread % kWarp, warp = thread / kWarp;
    const unsigned lanes = min(kWarp, blockDim.x * blockDim.y - warp * kWarp);
    iterations = warp_sum(iterations, lane, lanes);
    if (lane == 0) {
        const unsigned slot = (blockIdx.y * gridDim.x + blockIdx.x + warp) % kSlots;
        atomicAdd(band.slots + slot * kSlotStride, iterations);
    }
}

template <class T>
using Kernel = void (*)(Plane<T>, Band);

template <class T>
Kernel<T> kernel_of(Formula formula) {
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return &escape<scalar::Name, T>;
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return nullptr;
}

template <class T>
void launch(const FrameJob& job, const Band& band, BlockShape block, cudaStream_t stream) {
    const GridShape grid = grid_for(job.width, band.last_row - band.first_row, block);
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
    const dim3 threads(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
    kernel_of<T>(job.formula)<<<blocks, threads, 0, stream>>>(make_plane<T>(job), band);
    CUDA_CHECK(cudaGetLastError());
}

}  // namespace

const void* escape_kernel_for(const FrameJob& job) {
    if (job.precision == Precision::kFloat) {
        return reinterpret_cast<const void*>(kernel_of<float>(job.formula));
    }
    return reinterpret_cast<const void*>(kernel_of<double>(job.formula));
}

std::string escape_kernel_name(const FrameJob& job) {
    const char* type = job.precision == Precision::kFloat ? "float" : "double";
    return "escape<" + std::string{info(job.formula).title} + ", " + type + ">";
}

void launch_escape(const FrameJob& job, const Band& band, BlockShape block, cudaStream_t stream) {
    if (job.precision == Precision::kFloat) {
        launch<float>(job, band, block, stream);
    } else {
        launch<double>(job, band, block, stream);
    }
}

}  // namespace warpscope
