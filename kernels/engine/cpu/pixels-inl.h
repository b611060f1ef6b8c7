// SPDX-License-Identifier: MIT
// The pixels of a part, a vector at a time. Included once per instruction set.
#if defined(WARPSCOPE_PIXELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_PIXELS_INL_H_
#undef WARPSCOPE_PIXELS_INL_H_
#else
#define WARPSCOPE_PIXELS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cpu/loops-inl.h"
#include "kernels/engine/cpu/outbox-inl.h"
#include "kernels/math/escape.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

/// Hands out a part's pixels in strips as wide as a vector, down each strip: vectors that follow
/// each other are neighbours, and so alike.
template <class T>
class Pixels {
    using L = Lanes<T>;
    using Mask = typename L::Mask;
    using Number = typename L::Number;
    static constexpr typename L::D d{};
    static constexpr typename L::DWord dw{};
    static constexpr std::size_t kLanes = L::kCount;

  public:
    /// `known_inside` may be null.
    Pixels(const Plane<T>& plane, const Part& part, typename Loops<T>::Inside known_inside)
        : plane_{plane}, part_{part}, known_inside_{known_inside} {
        HWY_ALIGN typename L::Word steps[kLanes];
        for (std::size_t i = 0; i < kLanes; ++i) {
            steps[i] =
                static_cast<typename L::Word>(i) * static_cast<typename L::Word>(part.step_x);
        }
        steps_.store(0, hn::Load(dw, steps));
    }

    bool done() const { return column_ >= part_.columns(); }

    /// Starts orbits in up to `capacity` lanes of `group`, from its front on, and returns how many.
    /// Pixels that are known to be inside go straight to `out`. May stop early, even at 0.
    std::size_t fill(Group<T>& group, std::size_t capacity, Outbox<T>& out) {
        constexpr int kPatience = 1024;  // vectors until the caller may look at other things
        std::size_t count = 0;
        for (int i = 0; i < kPatience && count + kLanes <= capacity && !done(); ++i) {
            count += next(group, count, out);
        }
        return count;
    }

  private:
    std::size_t next(Group<T>& group, std::size_t place, Outbox<T>& out) {
        const int x = part_.x0 + column_ * part_.step_x, y = part_.y0 + row_ * part_.step_y;
        const auto width = static_cast<std::size_t>(part_.columns() - column_);
        Mask fresh = hn::FirstN(d, std::min(kLanes, width));
        const auto base = static_cast<typename L::Word>(std::int64_t{y} * plane_.width + x);
        const auto id = hn::Add(hn::Set(dw, base), steps_.load(0));
        const Number px = real_parts(x), py = imaginary_part(y);
        if (known_inside_ != nullptr) {
            const Mask inside = hn::And(known_inside_(px, py), fresh);
            if (!hn::AllFalse(d, inside)) out.inside(inside, id, hn::Zero(dw));
            fresh = hn::AndNot(inside, fresh);
        }
        const Packing<T> pack{fresh};
        group.id.store(place, pack(id));
        const T zero = NumberTraits<T>::lift(0);
        const Number qx = pack(px), qy = pack(py);
        group.zx.store(place, plane_.julia ? qx : broadcast(zero));
        group.zy.store(place, plane_.julia ? qy : broadcast(zero));
        group.cx.store(place, plane_.julia ? broadcast(plane_.julia_re) : qx);
        group.cy.store(place, plane_.julia ? broadcast(plane_.julia_im) : qy);
        if (++row_ == part_.rows()) {
            row_ = 0;
            column_ += static_cast<int>(kLanes);
        }
        return pack.count();
    }

    /// point_of() of math/scalar.inc for pixels from x on. Places in the grid are exact.
    HWY_INLINE Number real_parts(int x) const {
        const auto step = hn::Set(d, static_cast<Real<T>>(part_.step_x));
        const auto place = hn::MulAdd(hn::Iota(d, 0), step, hn::Set(d, static_cast<Real<T>>(x)));
        return lanes::fma(lift<T>(hn::Sub(place, hn::Set(d, plane_.left))),
                          broadcast(plane_.spacing), broadcast(plane_.center_re));
    }
    HWY_INLINE Number imaginary_part(int y) const {
        return lanes::fma(lift<T>(hn::Set(d, plane_.top - static_cast<Real<T>>(y))),
                          broadcast(plane_.spacing), broadcast(plane_.center_im));
    }

    const Plane<T>& plane_;
    const Part part_;
    const typename Loops<T>::Inside known_inside_;
    int column_ = 0, row_ = 0;
    WordColumn<T, kLanes> steps_;
};

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
