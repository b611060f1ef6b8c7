// SPDX-License-Identifier: MIT
// The two innermost loops over several vectors of orbits, all that depends on the formula: blocks
// of steps with one look at the end, and steps with a test after each.
// Included once per instruction set.
#if defined(WARPSCOPE_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_LOOPS_INL_H_
#undef WARPSCOPE_LOOPS_INL_H_
#else
#define WARPSCOPE_LOOPS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/engine/cpu/lanes-inl.h"
#include "kernels/math/number.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

/// Vectors in flight. A step of z^2 + c is two dependent pairs of operations of four cycles each,
/// and processors start two fused multiply-adds a cycle: four vectors would do if all went in step.
/// Measured on Zen 5: of 4, 6, 8 and 10 the best is 8 where there are 32 registers (c then comes
/// from memory) and 6 of 4 to 6 where there are 16; of df64, whose step has independent operations
/// enough, 3 of 1 to 3.
template <class T>
inline constexpr std::size_t kVectors = HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64 ? 8 : 6;
template <>
inline constexpr std::size_t kVectors<Df64> = 3;

/// Of them in flight where every step is tested, which takes more registers. Divides kVectors.
template <class T>
inline constexpr std::size_t kTestedVectors = kVectors<T> % 2 == 0 ? kVectors<T> / 2 : 1;

/// Orbits in lanes. A lane without one has z = c = 0, which never escapes, and the id kNobody.
template <class T>
struct Group {
    static constexpr std::size_t kLanes = Lanes<T>::kCount;
    static constexpr std::size_t kCapacity = kVectors<T> * kLanes;
    static constexpr auto kNobody = static_cast<typename Lanes<T>::Word>(-1);
    static constexpr std::size_t kRoom = kCapacity + kLanes;  // whole vectors may be written behind
    Column<T, kRoom> zx, zy;  ///< z, at the start of the block while one runs
    Column<T, kRoom> cx, cy;
    Column<T, kRoom> end_x, end_y;    ///< z at the end of the newest block
    Column<T, kRoom> kept_x, kept_y;  ///< z from before, to find cycles by
    WordColumn<T, kRoom> id;          ///< place of the sample in the frame
    WordColumn<T, kRoom> birth;       ///< the group's clock when n was 0; in a box: n itself
    WordColumn<T, kRoom> taken;       ///< steps that run_tested() took until the lane escaped
};

/// What ends a run of blocks.
enum class Watch : std::uint8_t { kEscapes, kEscapesAndCycles };

/// The loops of one formula for one number type.
template <class T>
struct Loops {
    /// Runs blocks of `steps` steps on all vectors until at the end of one a lane is outside the
    /// radius (or where it was when it was kept), at most `blocks` >= 1. Leaves z before and after
    /// the last block in z and end. Returns the blocks run. NaN and infinity count as outside.
    using Blocks = std::uint32_t (*)(Group<T>& group, std::uint32_t steps, std::uint32_t blocks,
                                     Real<T> radius2, Watch watch);
    /// Takes up to `steps` steps on `vectors` vectors, each lane only until it is outside: its z is
    /// then the z that escaped, `taken` the steps. Returns the sum of steps of all vectors.
    using Tested = std::uint32_t (*)(Group<T>& group, std::size_t vectors, std::uint32_t steps,
                                     Real<T> radius2);
    /// Lanes whose c is known to be inside by the formula's closed form, see math/scalar.inc.
    using Inside = typename Lanes<T>::Mask (*)(const typename Lanes<T>::Number& cx,
                                               const typename Lanes<T>::Number& cy);
    Blocks blocks_one, blocks;  ///< one vector, kVectors
    Tested tested_one, tested;  ///< one at a time, kTestedVectors at a time
    Inside known_inside;        ///< null where the formula has no closed form
};

template <class F, class N>
HWY_INLINE void step(N& x, N& y, const N& cx, const N& cy) {
    const lanes::Complex<N> z = F::step(lanes::Complex<N>{x, y}, lanes::Complex<N>{cx, cy});
    x = z.x;
    y = z.y;
}

/// Blocks for the vectors `k`. Spelled out vector by vector, so that z and c live in registers.
template <class F, class T, std::size_t... k>
HWY_INLINE std::uint32_t blocks_of(Group<T>& group, std::uint32_t steps, std::uint32_t blocks,
                                   Real<T> radius2, Watch watch, std::index_sequence<k...>) {
    using L = Lanes<T>;
    using N = typename L::Number;
    const typename L::D d;
    const auto limit = hn::Set(d, radius2);
    N x[] = {group.zx.load(k * L::kCount)...}, y[] = {group.zy.load(k * L::kCount)...};
    const N cx[] = {group.cx.load(k * L::kCount)...}, cy[] = {group.cy.load(k * L::kCount)...};
    std::uint32_t done = 0;
    for (bool news = false; !news && done < blocks; ++done) {
        ((group.zx.store(k * L::kCount, x[k]), group.zy.store(k * L::kCount, y[k])), ...);
        for (std::uint32_t i = 0; i < steps; ++i) (step<F>(x[k], y[k], cx[k], cy[k]), ...);
        typename L::Mask inside = hn::Le(lanes::norm(x[0], y[0]), limit);
        ((inside = hn::And(inside, hn::Le(lanes::norm(x[k], y[k]), limit))), ...);
        news = !hn::AllTrue(d, inside);
        if (watch == Watch::kEscapesAndCycles) {
            typename L::Mask back = hn::MaskFromVec(hn::Zero(d));
            ((back = hn::Or(back, hn::And(lanes::same(x[k], group.kept_x.load(k * L::kCount)),
                                          lanes::same(y[k], group.kept_y.load(k * L::kCount))))),
             ...);
            news = news || !hn::AllFalse(d, back);
        }
    }
    ((group.end_x.store(k * L::kCount, x[k]), group.end_y.store(k * L::kCount, y[k])), ...);
    return done;
}

template <class F, class T, std::size_t kCount>
HWY_NOINLINE std::uint32_t run_blocks(Group<T>& group, std::uint32_t steps, std::uint32_t blocks,
                                      Real<T> radius2, Watch watch) {
    return blocks_of<F>(group, steps, blocks, radius2, watch, std::make_index_sequence<kCount>());
}

/// One step of the lanes that are inside.
template <class F, class T, class N = typename Lanes<T>::Number>
HWY_INLINE void tested_step(N& x, N& y, const N& cx, const N& cy, typename Lanes<T>::Mask& inside,
                            typename Lanes<T>::Words& taken, typename Lanes<T>::V limit) {
    const typename Lanes<T>::DWord dw;
    const lanes::Complex<N> z = F::step(lanes::Complex<N>{x, y}, lanes::Complex<N>{cx, cy});
    x = lanes::select(inside, z.x, x);
    y = lanes::select(inside, z.y, y);
    taken = hn::Add(taken, hn::IfThenElseZero(hn::RebindMask(dw, inside), hn::Set(dw, 1)));
    inside = hn::Le(lanes::norm(x, y), limit);  // what is outside stays where it is
}

/// Tested for the vectors `k` from vector `first` on.
template <class F, class T, std::size_t... k>
HWY_INLINE std::uint32_t tested_of(Group<T>& group, std::size_t first, std::uint32_t steps,
                                   Real<T> radius2, std::index_sequence<k...>) {
    using L = Lanes<T>;
    using N = typename L::Number;
    const typename L::D d;
    const typename L::DWord dw;
    const std::size_t at[] = {(first + k) * L::kCount...};
    const auto limit = hn::Set(d, radius2);
    N x[] = {group.zx.load(at[k])...}, y[] = {group.zy.load(at[k])...};
    const N cx[] = {group.cx.load(at[k])...}, cy[] = {group.cy.load(at[k])...};
    typename L::Words taken[] = {(static_cast<void>(k), hn::Zero(dw))...};
    // z_0 is stepped before it is tested.
    typename L::Mask inside[] = {(static_cast<void>(k), hn::Eq(limit, limit))...};
    std::uint32_t i = 0;
    for (bool any = true; any && i < steps; ++i) {
        (tested_step<F, T>(x[k], y[k], cx[k], cy[k], inside[k], taken[k], limit), ...);
        any = !(hn::AllFalse(d, inside[k]) && ...);
    }
    ((group.zx.store(at[k], x[k]), group.zy.store(at[k], y[k]), group.taken.store(at[k], taken[k])),
     ...);
    return i * static_cast<std::uint32_t>(sizeof...(k));
}

template <class F, class T, std::size_t kCount>
HWY_NOINLINE std::uint32_t run_tested(Group<T>& group, std::size_t vectors, std::uint32_t steps,
                                      Real<T> radius2) {
    std::uint32_t sum = 0;
    for (std::size_t first = 0; first < vectors; first += kCount) {
        sum += tested_of<F>(group, first, steps, radius2, std::make_index_sequence<kCount>());
    }
    return sum;
}

template <class F, class T>
HWY_NOINLINE typename Lanes<T>::Mask known_inside(const typename Lanes<T>::Number& cx,
                                                  const typename Lanes<T>::Number& cy) {
    using V = typename Lanes<T>::V;
    const typename Lanes<T>::D d;
    const lanes::Complex<V> part =
        F::interior(lanes::Complex<V>{lanes::leading(cx), lanes::leading(cy)});
    const V margin = hn::Set(d, -NumberTraits<T>::kInteriorMargin);
    return hn::Or(hn::Lt(part.x, margin), hn::Lt(part.y, margin));
}

/// The loops of formula F.
template <class F, class T>
Loops<T> loops_of() {
    using V = typename Lanes<T>::V;
    Loops<T> loops{&run_blocks<F, T, 1>, &run_blocks<F, T, kVectors<T>>, &run_tested<F, T, 1>,
                   &run_tested<F, T, kTestedVectors<T>>, nullptr};
    if constexpr (requires(lanes::Complex<V> c) { F::interior(c); }) {
        loops.known_inside = &known_inside<F, T>;
    }
    return loops;
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
