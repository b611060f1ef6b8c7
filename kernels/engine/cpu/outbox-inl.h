// SPDX-License-Identifier: MIT
// Where vectors leave their results: samples in the frame, and the sums of the work.
// Included once per instruction set.
#if defined(WARPSCOPE_OUTBOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_OUTBOX_INL_H_
#undef WARPSCOPE_OUTBOX_INL_H_
#else
#define WARPSCOPE_OUTBOX_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cpu/lanes-inl.h"
#include "kernels/math/escape.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

/// As many floats as there are lanes of T.
template <class T>
using Floats = hn::Rebind<float, typename Lanes<T>::D>;

/// log2 |z|^2, or much more than any where that is infinite or not a number.
template <class D>
HWY_INLINE auto log2_norm(D d, hn::Vec<D> x, hn::Vec<D> y) {
    const hn::Rebind<float, D> f;
    const auto huge = hn::Set(f, 1e30f);
    if constexpr (sizeof(hn::TFromD<D>) == sizeof(double)) {
        // Taken apart into exponent and mantissa, of which float holds enough: half the work. The
        // exponent becomes a number by way of the bits of 2^52 + exponent.
        const hn::RebindToUnsigned<D> bits;
        const auto norm = hn::BitCast(bits, lanes::norm(x, y));
        const auto biased = hn::Or(hn::ShiftRight<52>(norm), hn::Set(bits, 0x4330000000000000u));
        const auto exponent =
            hn::DemoteTo(f, hn::Sub(hn::BitCast(d, biased), hn::Set(d, 0x1p52 + 1023)));
        const auto mantissa = hn::Or(hn::And(norm, hn::Set(bits, 0x000fffffffffffffu)),
                                     hn::Set(bits, 0x3ff0000000000000u));
        const auto log2 = hn::Log2(f, hn::DemoteTo(f, hn::BitCast(d, mantissa)));
        return hn::IfThenElse(hn::Lt(exponent, hn::Set(f, 1024.0f)), hn::Add(exponent, log2), huge);
    } else {
        // Scaled down where the square would overflow.
        const auto big = hn::Gt(hn::Max(hn::Abs(x), hn::Abs(y)), hn::Set(d, 0x1p60f));
        const auto scale = hn::IfThenElse(big, hn::Set(d, 0x1p-70f), hn::Set(d, 1.0f));
        const auto norm = lanes::norm(hn::Mul(x, scale), hn::Mul(y, scale));
        const auto log2 = hn::Add(hn::Log2(d, norm), hn::IfThenElseZero(big, hn::Set(d, 140.0f)));
        const auto finite = hn::Le(norm, hn::Set(d, std::numeric_limits<float>::max()));
        return hn::IfThenElse(finite, log2, huge);
    }
}

/// smooth_fraction() of math/escape.h on vectors, for |z| = |x + iy| > 1.
template <class T, class V = typename Lanes<T>::V>
HWY_INLINE auto smooth_fractions(V x, V y, const Plane<T>& plane) {
    const typename Lanes<T>::D d;
    const Floats<T> f;
    const auto one = hn::Set(f, 1.0f);
    const auto scaled = hn::Mul(log2_norm(d, x, y), hn::Set(f, 0.5f * plane.inverse_log2_radius));
    const auto fraction =
        hn::NegMulAdd(hn::Log2(f, scaled), hn::Set(f, plane.inverse_log2_power), one);
    return hn::IfThenElseZero(hn::Ge(fraction, hn::Zero(f)), hn::Min(fraction, one));
}

/// Collects escaped orbits until they fill a vector, whose fractions are then computed together.
template <class T>
class Outbox {
    using L = Lanes<T>;
    using R = Real<T>;
    using Mask = typename L::Mask;
    using Number = typename L::Number;
    using Words = typename L::Words;
    static constexpr typename L::D d{};
    static constexpr typename L::DWord dw{};
    static constexpr std::size_t kLanes = L::kCount;

  public:
    Outbox(const Plane<T>& plane, Sample* samples) : plane_{plane}, samples_{samples} {}

    /// Lanes of `mask` escaped at count `n` to x + iy.
    HWY_INLINE void escaped(Mask mask, Number x, Number y, Words n, Words id) {
        const Packing<T> pack{mask};
        x_.store(waiting_, pack(lanes::leading(x)));
        y_.store(waiting_, pack(lanes::leading(y)));
        count_.store(waiting_, pack(n));
        id_.store(waiting_, pack(id));
        waiting_ += pack.count();
        if (waiting_ < kLanes) return;
        emit(kLanes);
        waiting_ -= kLanes;
        x_.store(0, x_.load(kLanes));
        y_.store(0, y_.load(kLanes));
        count_.store(0, count_.load(kLanes));
        id_.store(0, id_.load(kLanes));
    }

    /// Lanes of `mask` are inside, as is known after `n` steps.
    HWY_INLINE void inside(Mask mask, Words id, Words n) {
        const Packing<T> pack{mask};
        WordColumn<T, kLanes> ids, steps;
        ids.store(0, pack(id));
        steps.store(0, pack(n));
        for (std::size_t i = 0; i < pack.count(); ++i) {
            samples_[ids[i]] = {0, 0};
            work_.executed += steps[i];
        }
        work_.iterations += std::uint64_t{pack.count()} * plane_.limit;
        finished_ += pack.count();
    }

    /// Writes what waits.
    void emit_all() {
        emit(waiting_);
        waiting_ = 0;
    }

    void spend(std::uint64_t lane_steps) { work_.lane_steps += lane_steps; }
    const Work& work() const { return work_; }
    std::uint64_t finished() const { return finished_; }  ///< pixels

  private:
    void emit(std::size_t count) {
        const Floats<T> f;
        float fractions[kLanes];
        hn::StoreU(smooth_fractions(x_.load(0), y_.load(0), plane_), f, fractions);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            samples_[id_[i]] = {count_[i], fractions[i]};
            sum += count_[i];
        }
        work_.iterations += sum;
        work_.executed += sum;
        finished_ += count;
    }

    const Plane<T>& plane_;
    Sample* samples_;
    Work work_;
    std::uint64_t finished_ = 0;
    std::size_t waiting_ = 0;
    Column<R, 2 * kLanes> x_, y_;
    WordColumn<T, 2 * kLanes> count_, id_;
};

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
