// SPDX-License-Identifier: MIT
// From a pixel to its orbit's start, and from the escaped orbit to a sample.
#pragma once

#include <cmath>

#include "kernels/math/sample.h"

namespace warpscope {

/// Steps between two escape tests where nothing else is said, see escape() in scalar.inc.
inline constexpr int kTestEvery = 8;

/// A job's numbers, rounded once to the type that iterates.
template <class T>
struct Plane {
    T center_re, center_im, spacing;
    Real<T> left, top;  ///< pixel (x, y) stands x - left to the right of, top - y above the centre
    T julia_re, julia_im;
    Real<T> radius2;
    float inverse_log2_radius, inverse_log2_power;
    std::uint32_t limit;
    int width, height;
    bool julia;
    bool test_always;  ///< the block test's condition does not hold: test after every step
};

template <class T>
Plane<T> make_plane(const FrameJob& job) noexcept {
    using N = NumberTraits<T>;
    Plane<T> plane{};
    plane.center_re = N::rounded(job.center_re);
    plane.center_im = N::rounded(job.center_im);
    plane.spacing = N::rounded(job.spacing);
    // Exact in float up to 2^17 pixels for shifts in steps of 1/64.
    plane.left = static_cast<Real<T>>(0.5 * (job.width - 1) - job.shift_x);
    plane.top = static_cast<Real<T>>(0.5 * (job.height - 1) - job.shift_y);
    plane.julia_re = N::rounded(job.julia_re);
    plane.julia_im = N::rounded(job.julia_im);
    plane.radius2 = static_cast<Real<T>>(job.bailout * job.bailout);
    plane.inverse_log2_radius = static_cast<float>(1 / std::log2(job.bailout));
    plane.inverse_log2_power = static_cast<float>(1 / std::log2(info(job.formula).power));
    plane.limit = job.limit;
    plane.width = job.width;
    plane.height = job.height;
    plane.julia = job.julia;
    const double c2 = job.julia_re * job.julia_re + job.julia_im * job.julia_im;
    plane.test_always = job.julia && !(c2 <= job.bailout * job.bailout);
    return plane;
}

/// Fraction of the smooth count for an orbit that ended at x + iy outside the radius:
/// 1 - log_p(ln|z| / ln R), in [0, 1]. [normalised iteration count, Garcia, Fernandez, Barrallo and
/// Martin, "Coloring dynamical systems in the complex plane", 2009]. Large numbers are scaled, so
/// that no square overflows.
template <class T>
WARPSCOPE_HD inline float smooth_fraction(Real<T> x, Real<T> y, const Plane<T>& plane) noexcept {
    float log2_scale = 0;
    if constexpr (sizeof(Real<T>) > sizeof(float)) {  // beyond what float holds, for high powers
        if (!(::fabs(x) < 1e30 && ::fabs(y) < 1e30)) {
            x *= 0x1p-120;
            y *= 0x1p-120;
            log2_scale = 120;
        }
    }
    auto u = static_cast<float>(x), v = static_cast<float>(y);
    if (!(::fabsf(u) < 1e15f && ::fabsf(v) < 1e15f)) {
        u *= 0x1p-100f;
        v *= 0x1p-100f;
        log2_scale += 100;
    }
    const float log2_norm = 0.5f * WARPSCOPE_QUICK_LOG2(u * u + v * v) + log2_scale;
    const float fraction =
        1 - WARPSCOPE_QUICK_LOG2(log2_norm * plane.inverse_log2_radius) * plane.inverse_log2_power;
    return fraction >= 0 ? (fraction <= 1 ? fraction : 1) : 0;
}

}  // namespace warpscope
