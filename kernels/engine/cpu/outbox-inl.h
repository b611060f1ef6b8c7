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

/// smooth_fraction() of math/escape.h on vectors, for |z| = |x + iy| > 1.
template <class T, class V = typename Lanes<T>::V>
HWY_INLINE V smooth_fractions(V x, V y, const Plane<T>& plane) {
    using R = Real<T>;
    const typename Lanes<T>::D d;
    // So large that the square would overflow: scaled by 2^-shift, which the logarithm gives back.
    constexpr bool kNarrow = sizeof(R) == sizeof(float);
    const V bound = hn::Set(d, static_cast<R>(kNarrow ? 0x1p60 : 0x1p500));
    const V shift = hn::Set(d, static_cast<R>(kNarrow ? 70 : 530));
    const V shrink = hn::Set(d, static_cast<R>(kNarrow ? 0x1p-70 : 0x1p-530));
    const V one = hn::Set(d, R{1});
    const V large = hn::Max(hn::Abs(x), hn::Abs(y));
    const auto big = hn::Gt(large, bound);
    const V scale = hn::IfThenElse(big, shrink, one);
    const V norm = lanes::norm(hn::Mul(x, scale), hn::Mul(y, scale));
    const V log2_norm =
        hn::MulAdd(hn::Set(d, R{0.5}), hn::Log2(d, norm), hn::IfThenElseZero(big, shift));
    const V scaled = hn::Mul(log2_norm, hn::Set(d, static_cast<R>(plane.inverse_log2_radius)));
    const V power = hn::Set(d, static_cast<R>(plane.inverse_log2_power));
    const V fraction = hn::NegMulAdd(hn::Log2(d, scaled), power, one);
    // Neither comparison holds for NaN.
    const auto finite = hn::Le(large, hn::Set(d, std::numeric_limits<R>::max()));
    return hn::IfThenElseZero(hn::And(finite, hn::Ge(fraction, hn::Zero(d))),
                              hn::Min(fraction, one));
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
    }

    /// Writes what waits.
    void emit_all() {
        emit(waiting_);
        waiting_ = 0;
    }

    void spend(std::uint64_t lane_steps) { work_.lane_steps += lane_steps; }
    const Work& work() const { return work_; }

  private:
    void emit(std::size_t count) {
        Column<R, kLanes> fractions;
        fractions.store(0, smooth_fractions(x_.load(0), y_.load(0), plane_));
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            samples_[id_[i]] = {count_[i], static_cast<float>(fractions[i])};
            sum += count_[i];
        }
        work_.iterations += sum;
        work_.executed += sum;
    }

    const Plane<T>& plane_;
    Sample* samples_;
    Work work_;
    std::size_t waiting_ = 0;
    Column<R, 2 * kLanes> x_, y_;
    WordColumn<T, 2 * kLanes> count_, id_;
};

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
