// SPDX-License-Identifier: MIT
// How the pixels of a part pass through the vectors. New pixels take their first steps tested, a
// group at a time; those that are left then run in blocks in the working group. An orbit that is
// found outside at the end of a block moves to a box; full vectors of the box replay that block
// step by step for the exact count. What is escaped waits in an outbox for its colour fraction.
// Every move is a compression: lanes that match go to the front and are written as a whole vector.
// Included once per instruction set.
#if defined(WARPSCOPE_PART_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_PART_SIMD_INL_H_
#undef WARPSCOPE_PART_SIMD_INL_H_
#else
#define WARPSCOPE_PART_SIMD_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cpu/loops-inl.h"
#include "kernels/engine/cpu/outbox-inl.h"
#include "kernels/engine/cpu/pixels-inl.h"
#include "kernels/math/escape.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

inline constexpr std::uint32_t kFirstSteps = 16;  ///< tested ones of a new pixel
/// Steps between two looks at |z|. Longer blocks make the faster loop and waste more steps of lanes
/// that are outside, which matters more where steps are slow.
template <class T>
inline constexpr std::uint32_t kBlockSteps = std::is_same_v<T, Df64> ? 16 : 32;
inline constexpr std::uint64_t kTellEvery = 1 << 16;  ///< steps between two words on the progress
inline constexpr std::uint64_t kBlocksPerVisit = 8;   ///< between two looks at the lanes' state

template <class T>
class SimdPart {
    using L = Lanes<T>;
    using Mask = typename L::Mask;
    using Number = typename L::Number;
    using Words = typename L::Words;
    using Word = typename L::Word;
    using G = Group<T>;
    static constexpr typename L::D d{};
    static constexpr typename L::DWord dw{};
    static constexpr std::size_t kLanes = L::kCount;
    static constexpr std::uint32_t kBlock = kBlockSteps<T>;

  public:
    SimdPart(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
             Signals& signals, const Loops<T>& loops)
        : plane_{plane},
          loops_{loops},
          stop_{signals.stop},
          progress_{signals},
          several_{method.in_flight == InFlight::kSeveral},
          refills_{method.schedule != Schedule::kWait},
          tests_{method.test == Test::kEveryStep || plane.test_always},
          watch_{method.periodicity ? Watch::kEscapesAndCycles : Watch::kEscapes},
          capacity_{several_ ? G::kCapacity : kLanes},
          first_{std::min(kFirstSteps, plane.limit)},
          pixels_{plane, part, method.closed_form && !plane.julia ? loops.known_inside : nullptr},
          out_{plane, samples} {}

    /// All of the part, or until `stop`.
    Work run() {
        while (refill()) {
            while (live_ > floor_) {
                if (stopped()) return out_.work();
                visit();
                if (clock_ - told_ >= kTellEvery) tell();
            }
        }
        if (stopped()) return out_.work();
        replay();
        out_.emit_all();
        tell();
        return out_.work();
    }

  private:
    /// Of those that run, the youngest is sure to have come as far as it has.
    void tell() {
        told_ = clock_;
        progress_.tell(out_.finished(), live_, live_ > 0 ? clock_ - youngest_ : 0, plane_.limit);
    }

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    static Mask living(const G& group, std::size_t at) {
        const Mask nobody = hn::RebindMask(d, hn::Eq(group.id.load(at), hn::Set(dw, G::kNobody)));
        return hn::Not(nobody);
    }

    /// Steps since z_0 of the working group's lanes.
    Words age(std::size_t at) const {
        return hn::Sub(hn::Set(dw, static_cast<Word>(clock_)), group_.birth.load(at));
    }

    std::size_t vectors_of(std::size_t count) const {
        return several_ && count > kLanes ? kVectors<T> : 1;
    }

    /// Fills the idle lanes; false when there is nothing left to run.
    bool refill() {
        if (live_ > 0) compact();
        if (refills_) {
            while (live_ < capacity_ && (young_count_ > 0 || bring_young()) && !stopped()) take();
        } else {
            while (live_ == 0 && !stopped() && bring_young()) take();
        }
        if (live_ == 0 || stopped()) return false;
        vectors_ = vectors_of(live_);
        park_from(live_);
        const bool last = young_count_ == 0 && pixels_.done();
        if (!refills_) {
            floor_ = 0;
        } else if (last) {
            floor_ = vectors_ > 1 ? kLanes : 0;  // then on with a single vector
        } else {
            floor_ = capacity_ - std::max<std::size_t>(1, capacity_ / 8);
        }
        return true;
    }

    /// Moves the living lanes of the working group to its front.
    void compact() {
        std::size_t to = 0;
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const Packing<T> pack{living(group_, at)};
            group_.kept_x.store(to, pack(group_.kept_x.load(at)));
            group_.kept_y.store(to, pack(group_.kept_y.load(at)));
            to += move(group_, at, pack, group_, to);
        }
    }

    /// Copies the lanes of `pack` from one place to another; returns how many.
    std::size_t move(const G& from, std::size_t at, const Packing<T>& pack, G& to,
                     std::size_t place) {
        to.zx.store(place, pack(from.zx.load(at)));
        to.zy.store(place, pack(from.zy.load(at)));
        to.cx.store(place, pack(from.cx.load(at)));
        to.cy.store(place, pack(from.cy.load(at)));
        to.id.store(place, pack(from.id.load(at)));
        to.birth.store(place, pack(from.birth.load(at)));
        return pack.count();
    }

    /// Takes new pixels through their first steps; those still inside are then in `young_`, at its
    /// front. False when there are none left.
    bool bring_young() {
        while (!pixels_.done()) {
            const std::size_t count = pixels_.fill(young_, capacity_, out_);
            run_tested(young_, count, first_);
            young_count_ = keep_young(count);
            if (young_count_ > 0) return true;
            if (stopped()) return false;
        }
        return false;
    }

    std::size_t keep_young(std::size_t count) {
        std::size_t left = 0;
        for (std::size_t at = 0; at < count; at += kLanes) {
            const Mask valid = hn::FirstN(d, count - at);
            const Number x = young_.zx.load(at), y = young_.zy.load(at);
            const Mask inside = hn::Le(lanes::norm(x, y), hn::Set(d, plane_.radius2));
            const Mask escaped = hn::AndNot(inside, valid);
            if (!hn::AllFalse(d, escaped)) {
                out_.escaped(escaped, x, y, young_.taken.load(at), young_.id.load(at));
            }
            const Mask stays = hn::And(inside, valid);
            if (first_ == plane_.limit) {
                out_.inside(stays, young_.id.load(at), hn::Set(dw, first_));
            } else if (!hn::AllFalse(d, stays)) {
                left += move(young_, at, Packing<T>{stays}, young_, left);
            }
        }
        return left;
    }

    /// Gives orbits from the end of `young_` to idle lanes behind the living ones.
    void take() {
        const std::size_t count = std::min(young_count_, capacity_ - live_);
        young_count_ -= count;
        const Words birth = hn::Set(dw, static_cast<Word>(clock_ - first_));
        for (std::size_t i = 0; i < count; i += kLanes) {
            const std::size_t from = young_count_ + i, to = live_ + i;
            const Number x = young_.zx.load(from), y = young_.zy.load(from);
            group_.zx.store(to, x);
            group_.zy.store(to, y);
            group_.cx.store(to, young_.cx.load(from));
            group_.cy.store(to, young_.cy.load(from));
            group_.id.store(to, young_.id.load(from));
            group_.birth.store(to, birth);
            group_.kept_x.store(to, x);
            group_.kept_y.store(to, y);
        }
        if (live_ == 0) end_ = clock_ + (plane_.limit - first_);
        live_ += count;
        youngest_ = clock_ - first_;
    }

    /// Lanes of the working group from `count` on stay idle.
    void park_from(std::size_t count) {
        for (std::size_t at = count / kLanes * kLanes; at < vectors_ * kLanes; at += kLanes) {
            park(at, hn::Not(hn::FirstN(d, count - std::min(count, at))));
        }
    }

    void park(std::size_t at, Mask mask) {
        group_.zx.store(at, lanes::zero_where(mask, group_.zx.load(at)));
        group_.zy.store(at, lanes::zero_where(mask, group_.zy.load(at)));
        group_.cx.store(at, lanes::zero_where(mask, group_.cx.load(at)));
        group_.cy.store(at, lanes::zero_where(mask, group_.cy.load(at)));
        const Words nobody = hn::Set(dw, G::kNobody);
        group_.id.store(at, hn::IfThenElse(hn::RebindMask(dw, mask), nobody, group_.id.load(at)));
        // z = 0 must not look like a cycle.
        const auto nan = hn::Set(d, std::numeric_limits<Real<T>>::quiet_NaN());
        group_.kept_x.store(at, lanes::with_leading(mask, nan, group_.kept_x.load(at)));
    }

    /// Some blocks of the working group, or fewer steps where its oldest lane reaches the limit.
    void visit() {
        if (end_ - clock_ < kBlock) find_end();
        if (watch_ == Watch::kEscapesAndCycles) keep();
        const std::uint64_t left = end_ - clock_;
        if (tests_)
            return visit_tested(static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kBlock)));
        if (left >= kBlock) {
            const auto blocks = std::min(left / kBlock, blocks_per_visit());
            return visit_blocks(kBlock, static_cast<std::uint32_t>(blocks));
        }
        if (alike_) return visit_blocks(static_cast<std::uint32_t>(left), 1);
        box_old();
    }

    /// Few while there are young lanes whose cycles would be missed.
    std::uint64_t blocks_per_visit() const {
        if (watch_ == Watch::kEscapes) return kBlocksPerVisit;
        const std::uint64_t age = (clock_ - youngest_) / (4 * kBlock);
        return std::clamp<std::uint64_t>(age, 2, kBlocksPerVisit);
    }

    /// Finds out when the oldest living lane reaches the limit, and whether all are of one age.
    void find_end() {
        Words oldest = hn::Zero(dw), newest = hn::Set(dw, static_cast<Word>(-1));
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const auto alive = hn::RebindMask(dw, living(group_, at));
            const Words n = age(at);
            oldest = hn::Max(oldest, hn::IfThenElseZero(alive, n));
            newest = hn::Min(newest, hn::IfThenElse(alive, n, newest));
        }
        HWY_ALIGN Word high[kLanes], low[kLanes];
        hn::Store(oldest, dw, high);
        hn::Store(newest, dw, low);
        const Word most = *std::max_element(high, high + kLanes);
        alike_ = most == *std::min_element(low, low + kLanes);
        end_ = clock_ + (plane_.limit - static_cast<std::uint32_t>(most));
    }

    /// Keeps z to find cycles by, of each lane after about as many steps as it had when it was last
    /// kept, like Brent, but by a clock that all lanes share: when it passes a multiple of 2^k
    /// blocks, lanes younger than 2^(k + 1) blocks are kept.
    void keep() {
        const std::uint64_t now = clock_ / kBlock, passed = std::bit_floor(now ^ looked_);
        looked_ = now;
        const std::uint64_t reach = 2 * passed * kBlock;
        if (clock_ - youngest_ > reach) return;
        const auto bound =
            hn::Set(dw, static_cast<Word>(std::min<std::uint64_t>(reach, 0xffffffff)));
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const Mask due =
                hn::And(hn::RebindMask(d, hn::Not(hn::Gt(age(at), bound))), living(group_, at));
            group_.kept_x.store(at, lanes::select(due, group_.zx.load(at), group_.kept_x.load(at)));
            group_.kept_y.store(at, lanes::select(due, group_.zy.load(at), group_.kept_y.load(at)));
        }
    }

    void visit_blocks(std::uint32_t steps, std::uint32_t blocks) {
        const std::uint32_t done = (vectors_ > 1 ? loops_.blocks : loops_.blocks_one)(
            group_, steps, blocks, plane_.radius2, watch_);
        out_.spend(std::uint64_t{done} * steps * vectors_ * kLanes);
        clock_ += std::uint64_t{done - 1} * steps;  // the age at the start of the last block
        const Words taken = hn::Set(dw, steps);
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const Number x = group_.end_x.load(at), y = group_.end_y.load(at);
            const Mask inside = hn::Le(lanes::norm(x, y), hn::Set(d, plane_.radius2));
            Mask gone = hn::Not(inside);
            if (!hn::AllFalse(d, gone)) box(at, gone);
            gone = hn::Or(gone, settled(at, x, y, inside, hn::Add(age(at), taken)));
            group_.zx.store(at, x);
            group_.zy.store(at, y);
            leave(at, gone);
        }
        clock_ += steps;
    }

    void visit_tested(std::uint32_t steps) {
        run_tested(group_, vectors_ * kLanes, steps);
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const Number x = group_.zx.load(at), y = group_.zy.load(at);
            const Mask inside = hn::Le(lanes::norm(x, y), hn::Set(d, plane_.radius2));
            const Words n = hn::Add(age(at), group_.taken.load(at));
            Mask gone = hn::Not(inside);
            if (!hn::AllFalse(d, gone)) out_.escaped(gone, x, y, n, group_.id.load(at));
            gone = hn::Or(gone, settled(at, x, y, inside, n));
            leave(at, gone);
        }
        clock_ += steps;
    }

    /// Reports lanes that will never escape: at the limit or in a cycle. `n` after the steps.
    Mask settled(std::size_t at, Number x, Number y, Mask inside, Words n) {
        const Words limit = hn::Set(dw, plane_.limit);
        Mask over = hn::RebindMask(d, hn::Eq(n, limit));
        if (watch_ == Watch::kEscapesAndCycles) {
            over = hn::Or(over, hn::And(lanes::same(x, group_.kept_x.load(at)),
                                        lanes::same(y, group_.kept_y.load(at))));
        }
        over = hn::And(hn::And(over, inside), living(group_, at));
        if (!hn::AllFalse(d, over)) out_.inside(over, group_.id.load(at), n);
        return over;
    }

    void leave(std::size_t at, Mask gone) {
        if (hn::AllFalse(d, gone)) return;
        park(at, gone);
        live_ -= hn::CountTrue(d, gone);
    }

    /// Lanes whose last block would pass the limit take their last steps in the box.
    void box_old() {
        const Words bound = hn::Set(dw, plane_.limit - std::min(plane_.limit, kBlock));
        for (std::size_t at = 0; at < vectors_ * kLanes; at += kLanes) {
            const Mask old = hn::RebindMask(d, hn::Gt(age(at), bound));
            const Mask gone = hn::And(old, living(group_, at));
            if (hn::AllFalse(d, gone)) continue;
            box(at, gone);
            leave(at, gone);
        }
    }

    /// Copies lanes to the box, as they were at the start of the block.
    void box(std::size_t at, Mask mask) {
        const std::size_t place = boxed_;
        const Packing<T> pack{mask};
        boxed_ += move(group_, at, pack, box_, place);
        box_.birth.store(place, pack(age(at)));
        if (boxed_ >= capacity_) replay();
    }

    /// Takes the orbits of the box through their last block, testing every step.
    void replay() {
        if (boxed_ == 0) return;
        const std::size_t count = std::min(boxed_, capacity_);
        run_tested(box_, count, kBlock);
        for (std::size_t at = 0; at < count; at += kLanes) {
            const Mask valid = hn::FirstN(d, count - at);
            const Number x = box_.zx.load(at), y = box_.zy.load(at);
            const Words n = box_.birth.load(at), taken = box_.taken.load(at);
            const Words left = hn::Sub(hn::Set(dw, plane_.limit), n);
            const Mask in_time = hn::RebindMask(d, hn::Not(hn::Gt(taken, left)));
            const Mask outside = hn::Not(hn::Le(lanes::norm(x, y), hn::Set(d, plane_.radius2)));
            const Mask escaped = hn::And(hn::And(outside, in_time), valid);
            out_.escaped(escaped, x, y, hn::Add(n, taken), box_.id.load(at));
            const Mask inside = hn::AndNot(escaped, valid);
            if (!hn::AllFalse(d, inside)) {
                out_.inside(inside, box_.id.load(at), hn::Set(dw, plane_.limit));
            }
        }
        boxed_ -= count;
        move(box_, count, Packing<T>{hn::FirstN(d, boxed_)}, box_, 0);
    }

    /// The first steps, or a replay, of `count` lanes. Returns nothing: see Loops::Tested.
    void run_tested(G& group, std::size_t count, std::uint32_t steps) {
        const std::size_t vectors = (count + kLanes - 1) / kLanes;
        const bool one = vectors == 1;
        const std::size_t whole = hwy::RoundUpTo(vectors, one ? 1 : kTestedVectors<T>);
        const auto sum =
            (one ? loops_.tested_one : loops_.tested)(group, whole, steps, plane_.radius2);
        out_.spend(std::uint64_t{sum} * kLanes);
    }

    const Plane<T>& plane_;
    const Loops<T>& loops_;
    const std::atomic<bool>& stop_;
    PartProgress progress_;
    const bool several_, refills_, tests_;
    const Watch watch_;
    const std::size_t capacity_;  ///< lanes of the working group
    const std::uint32_t first_;   ///< steps that young orbits have made
    Pixels<T> pixels_;
    Outbox<T> out_;
    G group_, young_, box_;
    std::size_t live_ = 0, young_count_ = 0, boxed_ = 0;
    std::size_t vectors_ = 1;     ///< at work in group_
    std::size_t floor_ = 0;       ///< living lanes at which the others are filled
    std::uint64_t clock_ = 0;     ///< steps that group_ has made
    std::uint64_t end_ = 0;       ///< clock when a lane reaches the limit, or earlier
    std::uint64_t youngest_ = 0;  ///< clock when n was 0 of the lanes that came last
    std::uint64_t told_ = 0;      ///< clock of the newest word on the progress
    std::uint64_t looked_ = 0;    ///< clock, in blocks, when cycles were last thought of
    bool alike_ = false;          ///< all living lanes have the same age
};

/// One instance for all formulas.
template <class T>
HWY_NOINLINE Work run_simd(const Plane<T>& plane, const Method& method, const Part& part,
                           Sample* samples, Signals& signals, const Loops<T>& loops) {
    return SimdPart<T>{plane, method, part, samples, signals, loops}.run();
}

/// All of a part, several vectors at a time.
template <class F, class T>
Work part_simd(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
               Signals& signals) {
    const Loops<T> loops = loops_of<F, T>();
    return run_simd(plane, method, part, samples, signals, loops);
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
