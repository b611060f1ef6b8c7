// SPDX-License-Identifier: MIT
// The vocabulary of formula.inc for Highway vectors and for pairs of them (df64), and arrays of
// such numbers. Included once per instruction set.
#if defined(WARPSCOPE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_LANES_INL_H_
#undef WARPSCOPE_LANES_INL_H_
#else
#define WARPSCOPE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/math/number.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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

#include "kernels/math/df64.inc"

#include "kernels/math/formula.inc"

/// What else loops need of a number: its leading part, choices by mask, exact equality.
template <class V>
HWY_INLINE V leading(V a) {
    return a;
}
template <class V>
HWY_INLINE V leading(Df<V> a) {
    return a.hi;
}
template <class M, class V>
HWY_INLINE V zero_where(M mask, V a) {
    return hn::IfThenZeroElse(mask, a);
}
template <class M, class V>
HWY_INLINE Df<V> zero_where(M mask, Df<V> a) {
    return {hn::IfThenZeroElse(mask, a.hi), hn::IfThenZeroElse(mask, a.lo)};
}
template <class M, class V>
HWY_INLINE V select(M mask, V yes, V no) {
    return hn::IfThenElse(mask, yes, no);
}
template <class M, class V>
HWY_INLINE Df<V> select(M mask, Df<V> yes, Df<V> no) {
    return {hn::IfThenElse(mask, yes.hi, no.hi), hn::IfThenElse(mask, yes.lo, no.lo)};
}
/// `a` with the leading part replaced by that of `b` in the lanes of `mask`.
template <class M, class V>
HWY_INLINE V with_leading(M mask, V b, V a) {
    return hn::IfThenElse(mask, b, a);
}
template <class M, class V>
HWY_INLINE Df<V> with_leading(M mask, V b, Df<V> a) {
    return {hn::IfThenElse(mask, b, a.hi), a.lo};
}
template <class V>
HWY_INLINE auto same(V a, V b) {
    return hn::Eq(a, b);
}
template <class V>
HWY_INLINE auto same(Df<V> a, Df<V> b) {
    return hn::And(hn::Eq(a.hi, b.hi), hn::Eq(a.lo, b.lo));
}
/// |z|^2 of the leading parts, rounded as the scalar loop rounds it.
template <class N>
HWY_INLINE auto norm(N x, N y) {
    const auto a = leading(x), b = leading(y);
    return hn::MulAdd(a, a, hn::Mul(b, b));
}

}  // namespace lanes

/// The vectors that hold numbers of type T, and words of the same width for counts and places.
template <class T>
struct Lanes {
    using D = hn::ScalableTag<Real<T>>;
    using DWord = hn::RebindToUnsigned<D>;
    using V = hn::Vec<D>;
    using Words = hn::Vec<DWord>;
    using Mask = hn::Mask<D>;
    using Word = hn::TFromD<DWord>;
    using Number = V;
    static constexpr std::size_t kCount = hn::MaxLanes(D{});
    static constexpr int kParts = 1;
};
template <>
struct Lanes<Df64> : Lanes<float> {
    using Number = Df<V>;
    static constexpr int kParts = 2;
};

/// A number in all lanes; and the lanes of `a` as leading parts.
template <class T>
HWY_INLINE typename Lanes<T>::Number broadcast(T a) {
    return hn::Set(typename Lanes<T>::D(), a);
}
template <>
HWY_INLINE Lanes<Df64>::Number broadcast<Df64>(Df64 a) {
    const Lanes<Df64>::D d;
    return {hn::Set(d, a.hi), hn::Set(d, a.lo)};
}
template <class T>
HWY_INLINE typename Lanes<T>::Number lift(typename Lanes<T>::V a) {
    if constexpr (Lanes<T>::kParts == 1) {
        return a;
    } else {
        return {a, hn::Zero(typename Lanes<T>::D())};
    }
}

/// For each set of up to 8 lanes: the set's lanes, then the others.
inline constexpr auto kPackingOrder = [] {
    std::array<std::array<std::uint8_t, 8>, 256> order{};
    for (std::size_t set = 0; set < 256; ++set) {
        std::size_t front = 0, back = static_cast<std::size_t>(std::popcount(set));
        for (std::uint8_t lane = 0; lane < 8; ++lane) {
            order[set][(set >> lane & 1) != 0 ? front++ : back++] = lane;
        }
    }
    return order;
}();

/// Moves the lanes of a mask to the front. Highway 1.0's Compress copies a table of up to 2 KiB to
/// the stack at each call where the processor has no instruction for it (1000 cycles a vector were
/// lost), so that is used for 16 lanes only; others share a permutation between all columns.
template <class T>
class Packing {
    using L = Lanes<T>;
    using V = typename L::V;
    using Words = typename L::Words;
    static constexpr typename L::D d{};
    static constexpr typename L::DWord dw{};
    static constexpr bool kNative = L::kCount > 8;

  public:
    HWY_INLINE explicit Packing(typename L::Mask mask)
        : order_{order_of(mask)}, count_{hn::CountTrue(d, mask)} {}

    /// Lanes of the mask.
    HWY_INLINE std::size_t count() const { return count_; }

    HWY_INLINE V operator()(V a) const {
        if constexpr (kNative) {
            return hn::Compress(a, order_);
        } else {
            return hn::TableLookupLanes(a, order_);
        }
    }
    HWY_INLINE Df<V> operator()(Df<V> a) const { return {(*this)(a.hi), (*this)(a.lo)}; }
    HWY_INLINE Words operator()(Words a) const {
        return hn::BitCast(dw, (*this)(hn::BitCast(d, a)));
    }

  private:
    HWY_INLINE static auto order_of(typename L::Mask mask) {
        if constexpr (kNative) {
            return mask;
        } else {
            const hn::Rebind<std::uint8_t, typename L::D> d8;
            const hn::Rebind<std::uint32_t, typename L::D> d32;
            std::uint8_t bits[8] = {};  // StoreMaskBits writes up to 8 bytes
            hn::StoreMaskBits(d, mask, bits);
            const auto lanes32 = hn::PromoteTo(d32, hn::LoadU(d8, kPackingOrder[bits[0]].data()));
            if constexpr (sizeof(typename L::Word) == sizeof(std::uint32_t)) {
                return hn::IndicesFromVec(d, lanes32);
            } else {
                return hn::IndicesFromVec(d, hn::PromoteTo(dw, lanes32));
            }
        }
    }

    decltype(order_of(std::declval<typename L::Mask>())) order_;
    std::size_t count_;
};

/// Room for `kSize` numbers of type T, read and written a vector at a time from any place on.
template <class T, std::size_t kSize>
class Column {
    static constexpr hn::ScalableTag<Real<T>> d{};
    using Number = typename Lanes<T>::Number;

  public:
    HWY_INLINE Number load(std::size_t i) const {
        if constexpr (Lanes<T>::kParts == 1) {
            return hn::LoadU(d, part_[0] + i);
        } else {
            return {hn::LoadU(d, part_[0] + i), hn::LoadU(d, part_[1] + i)};
        }
    }
    HWY_INLINE void store(std::size_t i, Number a) {
        if constexpr (Lanes<T>::kParts == 1) {
            hn::StoreU(a, d, part_[0] + i);
        } else {
            hn::StoreU(a.hi, d, part_[0] + i);
            hn::StoreU(a.lo, d, part_[1] + i);
        }
    }

    /// The leading part of one number.
    Real<T> operator[](std::size_t i) const { return part_[0][i]; }

  private:
    HWY_ALIGN Real<T> part_[Lanes<T>::kParts][kSize] = {};
};

/// Room for `kSize` words as wide as T's lanes.
template <class T, std::size_t kSize>
class WordColumn {
    static constexpr typename Lanes<T>::DWord d{};
    using Words = typename Lanes<T>::Words;

  public:
    HWY_INLINE Words load(std::size_t i) const { return hn::LoadU(d, word_ + i); }
    HWY_INLINE void store(std::size_t i, Words a) { hn::StoreU(a, d, word_ + i); }
    std::uint32_t operator[](std::size_t i) const { return static_cast<std::uint32_t>(word_[i]); }

  private:
    HWY_ALIGN typename Lanes<T>::Word word_[kSize] = {};
};

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
