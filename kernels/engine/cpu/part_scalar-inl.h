// SPDX-License-Identifier: MIT
// The loop over one pixel after the other. Included once per instruction set.
#if defined(WARPSCOPE_PART_SCALAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_PART_SCALAR_INL_H_
#undef WARPSCOPE_PART_SCALAR_INL_H_
#else
#define WARPSCOPE_PART_SCALAR_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/math/escape.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

namespace one {
#include "kernels/math/scalar.inc"
}

/// Runs one orbit on, `steps` more at most.
template <class F, class T>
one::Orbit<T> run_on(const Plane<T>& plane, const Method& method, one::Orbit<T> orbit,
                     one::Complex<T> c, std::uint32_t limit) {
    if (plane.test_always || method.test == Test::kEveryStep) {
        return method.periodicity ? one::escape<F, 1, true>(orbit, c, limit, plane.radius2)
                                  : one::escape<F, 1>(orbit, c, limit, plane.radius2);
    }
    return method.periodicity ? one::escape<F, kTestEvery, true>(orbit, c, limit, plane.radius2)
                              : one::escape<F, kTestEvery>(orbit, c, limit, plane.radius2);
}

/// One pixel after the other.
template <class F, class T>
Work part_scalar(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
                 Signals& signals) {
    constexpr std::uint32_t kLook = 1u << 14;  // iterations between two looks at `stop`
    constexpr std::uint32_t kTell = 1u << 18;  // between two words on an orbit's progress
    using N = NumberTraits<T>;
    const one::Complex<T> zero{N::lift(0), N::lift(0)};
    Work work;
    PartProgress progress{signals};
    std::uint64_t pixels = 0;
    for (int y = part.y0; y < part.y1; y += part.step_y) {
        for (int x = part.x0; x < part.x1; x += part.step_x) {
            const one::Complex<T> p = one::point_of(plane, x, y);
            const one::Complex<T> c =
                plane.julia ? one::Complex<T>{plane.julia_re, plane.julia_im} : p;
            one::Orbit<T> orbit{plane.julia ? p : zero, 0, false};
            orbit.cycles = method.closed_form && !plane.julia && one::known_inside<F>(c);
            while (!orbit.escaped && !orbit.cycles && orbit.n < plane.limit) {
                if (signals.stop.load(std::memory_order_relaxed)) return work;
                const std::uint32_t limit = orbit.n + std::min(kLook, plane.limit - orbit.n);
                orbit = run_on<F>(plane, method, orbit, c, limit);
                if (orbit.n % kTell == 0) progress.tell(pixels, 1, orbit.n, plane.limit);
            }
            ++pixels;
            Sample& sample = samples[static_cast<std::ptrdiff_t>(y) * plane.width + x];
            sample = {0, 0};
            if (orbit.escaped) {
                sample = {orbit.n,
                          smooth_fraction(N::leading(orbit.z.x), N::leading(orbit.z.y), plane)};
            }
            work.iterations += orbit.escaped ? orbit.n : plane.limit;
            work.executed += orbit.n;
        }
        progress.tell(pixels, 0, 0, plane.limit);
    }
    work.lane_steps = work.executed;
    return work;
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
