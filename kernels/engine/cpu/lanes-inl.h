// SPDX-License-Identifier: MIT
// The vocabulary of formula.inc for Highway vectors, and the loop over several of them.
// Included once per instruction set.
#if defined(WARPSCOPE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_LANES_INL_H_
#undef WARPSCOPE_LANES_INL_H_
#else
#define WARPSCOPE_LANES_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/math/escape.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace one {
#include "kernels/math/scalar.inc"
}

namespace lanes {

template <class V>
HWY_INLINE V add(V a, V b) {
    return hn::Add(a, b);
}
template <class V>
HWY_INLINE V sub(V a, V b) {
    return hn::Sub(a, b);
}
template <class V>
HWY_INLINE V mul(V a, V b) {
    return hn::Mul(a, b);
}
template <class V>
HWY_INLINE V neg(V a) {
    return hn::Neg(a);
}
template <class V>
HWY_INLINE V abs(V a) {
    return hn::Abs(a);
}
template <class V>
HWY_INLINE V twice(V a) {
    return hn::Add(a, a);
}
/// `a` with its sign changed where `sign` is negative.
template <class V>
HWY_INLINE V flip(V a, V sign) {
    const hn::DFromV<V> d;
    return hn::Xor(a, hn::And(sign, hn::SignBit(d)));
}
template <class V>
HWY_INLINE V constant(V, float value) {
    const hn::DFromV<V> d;
    return hn::Set(d, static_cast<hn::TFromV<V>>(value));
}
template <class V>
HWY_INLINE V fma(V a, V b, V c) {
    return hn::MulAdd(a, b, c);
}
template <class V>
HWY_INLINE V fnma(V a, V b, V c) {
    return hn::NegMulAdd(a, b, c);
}

#include "kernels/math/formula.inc"

}  // namespace lanes

/// Vectors in flight: a step is two dependent pairs of fused multiply-adds of about four cycles
/// latency, and processors start two a cycle, so four vectors keep both units busy.
inline constexpr int kInFlight = 4;

/// One bundle: kInFlight vectors of neighbouring pixels, one row each, from pixel (x, y) on.
template <class F, class T>
class Bundle {
    static constexpr hn::ScalableTag<T> d{};
    static constexpr hn::RebindToUnsigned<hn::ScalableTag<T>> du{};
    using V = hn::Vec<hn::ScalableTag<T>>;
    using U = hn::Vec<hn::RebindToUnsigned<hn::ScalableTag<T>>>;
    using M = hn::Mask<hn::ScalableTag<T>>;
    static constexpr std::size_t kMaxLanes = hn::MaxLanes(hn::ScalableTag<T>{});

  public:
    HWY_INLINE Bundle(const Plane<T>& plane, int x, int y) : plane_{plane} {
        for (int k = 0; k < kInFlight; ++k) {
            const V dx = hn::Iota(d, static_cast<T>(x) - plane.left);
            const V dy = hn::Set(d, plane.top - static_cast<T>(y + k));
            const V spacing = hn::Set(d, plane.spacing);
            const V px = hn::MulAdd(dx, spacing, hn::Set(d, plane.center_re));
            const V py = hn::MulAdd(dy, spacing, hn::Set(d, plane.center_im));
            const V zero = hn::Zero(d);
            hn::Store(plane.julia ? hn::Set(d, plane.julia_re) : px, d, cx_[k]);
            hn::Store(plane.julia ? hn::Set(d, plane.julia_im) : py, d, cy_[k]);
            hn::Store(plane.julia ? px : zero, d, zx_[k]);
            hn::Store(plane.julia ? py : zero, d, zy_[k]);
            hn::Store(hn::Zero(du), du, count_[k]);
            hn::Store(hn::VecFromMask(d, hn::Eq(zero, zero)), d, running_[k]);
        }
    }

    /// Runs all pixels to their end, or until `stop`.
    HWY_INLINE void run(const std::atomic<bool>& stop) {
        constexpr std::uint32_t kBlocksPerLook = 256;
        std::uint32_t n = 0;
        bool any = true;
        while (any && plane_.limit - n >= kTestEvery && !plane_.test_always) {
            if (stop.load(std::memory_order_relaxed)) return;
            const std::uint32_t blocks = std::min(kBlocksPerLook, (plane_.limit - n) / kTestEvery);
            any = run_blocks(n, blocks);
        }
        while (any && n < plane_.limit) {
            if (stop.load(std::memory_order_relaxed)) return;
            const std::uint32_t steps = std::min<std::uint32_t>(kTestEvery, plane_.limit - n);
            any = false;
            for (int k = 0; k < kInFlight; ++k) any = replay(k, n, steps) || any;
            n += steps;
        }
    }

    /// Writes `rows` rows of `width` pixels and returns their iterations.
    HWY_INLINE std::uint64_t finish(Sample* samples, int rows, int width) {
        std::uint64_t iterations = 0;
        for (int k = 0; k < rows; ++k) {
            HWY_ALIGN T fraction[kMaxLanes];
            hn::Store(fractions(hn::Load(d, zx_[k]), hn::Load(d, zy_[k])), d, fraction);
            Sample* row = samples + static_cast<std::ptrdiff_t>(k) * plane_.width;
            for (int i = 0; i < width; ++i) {
                const auto count = static_cast<std::uint32_t>(count_[k][i]);
                row[i] = {count, count == 0 ? 0.0f : static_cast<float>(fraction[i])};
                iterations += count == 0 ? plane_.limit : count;
            }
        }
        return iterations;
    }

  private:
    /// `blocks` blocks of kTestEvery steps on all vectors; returns whether any lane is still
    /// inside.
    HWY_INLINE bool run_blocks(std::uint32_t& n, std::uint32_t blocks) {
        const V radius2 = hn::Set(d, plane_.radius2);
        V x0 = hn::Load(d, zx_[0]), x1 = hn::Load(d, zx_[1]), x2 = hn::Load(d, zx_[2]),
          x3 = hn::Load(d, zx_[3]);
        V y0 = hn::Load(d, zy_[0]), y1 = hn::Load(d, zy_[1]), y2 = hn::Load(d, zy_[2]),
          y3 = hn::Load(d, zy_[3]);
        for (; blocks != 0; --blocks) {
            // Kept for the replay, and so that a vector with lanes outside can go on from here.
            save(0, x0, y0);
            save(1, x1, y1);
            save(2, x2, y2);
            save(3, x3, y3);
            HWY_UNROLL(1)
            for (int i = 0; i < kTestEvery; ++i) {
                step(0, x0, y0);
                step(1, x1, y1);
                step(2, x2, y2);
                step(3, x3, y3);
            }
            const bool news = left(0, x0, y0, radius2) | left(1, x1, y1, radius2) |
                              left(2, x2, y2, radius2) | left(3, x3, y3, radius2);
            if (news) {
                const bool a = settle(0, n, x0, y0, radius2), b = settle(1, n, x1, y1, radius2),
                           e = settle(2, n, x2, y2, radius2), f = settle(3, n, x3, y3, radius2);
                n += kTestEvery;
                if (!(a || b || e || f)) return false;
                continue;
            }
            n += kTestEvery;
        }
        keep(0, x0, y0);
        keep(1, x1, y1);
        keep(2, x2, y2);
        keep(3, x3, y3);
        return true;
    }

    HWY_INLINE M running(int k) const { return hn::MaskFromVec(hn::Load(d, running_[k])); }

    HWY_INLINE void save(int k, V x, V y) {
        hn::Store(x, d, sx_[k]);
        hn::Store(y, d, sy_[k]);
    }

    /// Stores z of the lanes still inside; those outside keep the z they escaped with.
    HWY_INLINE void keep(int k, V x, V y) {
        hn::BlendedStore(x, running(k), d, zx_[k]);
        hn::BlendedStore(y, running(k), d, zy_[k]);
    }

    HWY_INLINE void step(int k, V& x, V& y) const {
        const lanes::Complex<V> z =
            F::step(lanes::Complex<V>{x, y}, {hn::Load(d, cx_[k]), hn::Load(d, cy_[k])});
        x = z.x;
        y = z.y;
    }

    /// Whether a running lane has left the radius (NaN counts as outside).
    HWY_INLINE bool left(int k, V x, V y, V radius2) const {
        const M inside = hn::Le(norm(x, y), radius2);
        return !hn::AllFalse(d, hn::AndNot(inside, running(k)));
    }

    HWY_INLINE static V norm(V x, V y) { return hn::MulAdd(x, x, hn::Mul(y, y)); }

    /// Replays the block if a lane left during it; returns whether a lane is still inside.
    HWY_INLINE bool settle(int k, std::uint32_t n, V x, V y, V radius2) {
        if (!left(k, x, y, radius2)) return !hn::AllFalse(d, running(k));
        hn::BlendedStore(hn::Load(d, sx_[k]), running(k), d, zx_[k]);
        hn::BlendedStore(hn::Load(d, sy_[k]), running(k), d, zy_[k]);
        return replay(k, n, kTestEvery);
    }

    /// `steps` steps from the stored z with a test after each; escaped lanes keep z and count.
    HWY_NOINLINE bool replay(int k, std::uint32_t n, std::uint32_t steps) {
        const V radius2 = hn::Set(d, plane_.radius2);
        V x = hn::Load(d, zx_[k]), y = hn::Load(d, zy_[k]);
        V kept_x = x, kept_y = y;
        U count = hn::Load(du, count_[k]);
        M inside = running(k);
        for (std::uint32_t i = 1; i <= steps; ++i) {
            step(k, x, y);
            kept_x = hn::IfThenElse(inside, x, kept_x);
            kept_y = hn::IfThenElse(inside, y, kept_y);
            const M now = hn::And(inside, hn::Le(norm(x, y), radius2));
            const M gone = hn::AndNot(now, inside);
            using Lane = hn::TFromD<decltype(du)>;
            count = hn::IfThenElse(hn::RebindMask(du, gone), hn::Set(du, static_cast<Lane>(n + i)),
                                   count);
            inside = now;
        }
        hn::Store(kept_x, d, zx_[k]);
        hn::Store(kept_y, d, zy_[k]);
        hn::Store(count, du, count_[k]);
        hn::Store(hn::VecFromMask(d, inside), d, running_[k]);
        return !hn::AllFalse(d, inside);
    }

    /// smooth_fraction() of math/escape.h on vectors.
    HWY_INLINE V fractions(V x, V y) const {
        const V one = hn::Set(d, T(1)), zero = hn::Zero(d);
        const V ax = hn::Abs(x), ay = hn::Abs(y);
        const V large = hn::Max(ax, ay);
        const V ratio = hn::Div(hn::Min(ax, ay), hn::Max(large, hn::Set(d, T(1e-30f))));
        const V log2_norm = hn::MulAdd(
            hn::Set(d, T(0.5)), hn::Log2(d, hn::MulAdd(ratio, ratio, one)), hn::Log2(d, large));
        const V scaled = hn::Mul(log2_norm, hn::Set(d, static_cast<T>(plane_.inverse_log2_radius)));
        const V power = hn::Set(d, static_cast<T>(plane_.inverse_log2_power));
        const V fraction = hn::NegMulAdd(hn::Log2(d, scaled), power, one);
        // The comparison also turns NaN into 0.
        return hn::IfThenElseZero(hn::Ge(fraction, zero), hn::Min(fraction, one));
    }

    const Plane<T>& plane_;
    HWY_ALIGN T cx_[kInFlight][kMaxLanes];
    HWY_ALIGN T cy_[kInFlight][kMaxLanes];
    HWY_ALIGN T zx_[kInFlight][kMaxLanes];
    HWY_ALIGN T zy_[kInFlight][kMaxLanes];
    HWY_ALIGN T sx_[kInFlight][kMaxLanes];
    HWY_ALIGN T sy_[kInFlight][kMaxLanes];
    HWY_ALIGN T running_[kInFlight][kMaxLanes];
    HWY_ALIGN hn::TFromD<decltype(du)> count_[kInFlight][kMaxLanes];
};

/// All bundles of a part.
template <class F, class T>
Work part_simd(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
               const std::atomic<bool>& stop) {
    const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<T>{}));
    Work work;
    if (part.step_x != 1 || part.step_y != 1 || method.schedule == Schedule::kWait) return work;
    for (int y = part.y0; y < part.y1; y += kInFlight) {
        for (int x = part.x0; x < part.x1; x += lanes) {
            Bundle<F, T> bundle{plane, x, y};
            bundle.run(stop);
            if (stop.load(std::memory_order_relaxed)) return work;
            Sample* corner = samples + static_cast<std::ptrdiff_t>(y) * plane.width + x;
            work.iterations += bundle.finish(corner, std::min(kInFlight, part.y1 - y),
                                             std::min(lanes, part.x1 - x));
        }
    }
    work.executed = work.lane_steps = work.iterations;
    return work;
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
                 const std::atomic<bool>& stop) {
    constexpr std::uint32_t kLook = 1u << 14;  // iterations between two looks at `stop`
    using N = NumberTraits<T>;
    const one::Complex<T> zero{N::lift(0), N::lift(0)};
    Work work;
    for (int y = part.y0; y < part.y1; y += part.step_y) {
        for (int x = part.x0; x < part.x1; x += part.step_x) {
            const one::Complex<T> p = one::point_of(plane, x, y);
            const one::Complex<T> c =
                plane.julia ? one::Complex<T>{plane.julia_re, plane.julia_im} : p;
            one::Orbit<T> orbit{plane.julia ? p : zero, 0, false};
            orbit.cycles = method.closed_form && !plane.julia && one::known_inside<F>(c);
            while (!orbit.escaped && !orbit.cycles && orbit.n < plane.limit) {
                if (stop.load(std::memory_order_relaxed)) return work;
                const std::uint32_t limit = orbit.n + std::min(kLook, plane.limit - orbit.n);
                orbit = run_on<F>(plane, method, orbit, c, limit);
            }
            Sample& sample = samples[static_cast<std::ptrdiff_t>(y) * plane.width + x];
            sample = {0, 0};
            if (orbit.escaped) {
                sample = {orbit.n,
                          smooth_fraction(N::leading(orbit.z.x), N::leading(orbit.z.y), plane)};
            }
            work.iterations += orbit.escaped ? orbit.n : plane.limit;
            work.executed += orbit.n;
        }
    }
    work.lane_steps = work.executed;
    return work;
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
