// SPDX-License-Identifier: MIT
// Compiled once per instruction set by Highway's foreach_target; the table at the end picks one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/engine/cpu/escape_cpu.cc"
// Between the plain ones, sets that add nothing these loops use; and vectors without a fixed size,
// of which no arrays can be made.
#define HWY_DISABLED_TARGETS                                                                     \
    (HWY_SSSE3 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
     HWY_SVE2_128 | HWY_RVV)
#ifndef HWY_AVX3_ZEN4
#define HWY_AVX3_ZEN4 0
#endif
#ifndef HWY_AVX3_SPR
#define HWY_AVX3_SPR 0
#endif
#include <hwy/foreach_target.h>  // must come before highway.h

#include "kernels/engine/cpu/part_scalar-inl.h"
#include "kernels/engine/cpu/part_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

/// The loop of the job's formula: Scalar or Simd name a struct with run<F>().
template <class Loop, class T>
Work part_of(const FrameJob& job, const Method& method, const Part& part, Sample* samples,
             Signals& signals) {
    const Plane<T> plane = make_plane<T>(job);
    switch (job.formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return Loop::template run<one::Name, lanes::Name>(plane, method, part, samples, signals);
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return {};
}

struct ScalarLoop {
    template <class One, class, class T>
    static Work run(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
                    Signals& signals) {
        return part_scalar<One>(plane, method, part, samples, signals);
    }
};

struct SimdLoop {
    template <class, class Lanes, class T>
    static Work run(const Plane<T>& plane, const Method& method, const Part& part, Sample* samples,
                    Signals& signals) {
        return part_simd<Lanes>(plane, method, part, samples, signals);
    }
};

template <class Loop>
Work run_part(const FrameJob& job, const Method& method, const Part& part, Sample* samples,
              Signals& signals) {
    switch (job.precision) {
        case Precision::kFloat:
            return part_of<Loop, float>(job, method, part, samples, signals);
        case Precision::kDf64:
            return part_of<Loop, Df64>(job, method, part, samples, signals);
        case Precision::kDouble:
            return part_of<Loop, double>(job, method, part, samples, signals);
    }
    return {};
}

SimdTarget this_target() {
    return {hwy::TargetName(HWY_TARGET), HWY_NATIVE_FMA != 0, &run_part<ScalarLoop>,
            &run_part<SimdLoop>};
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {
namespace {

HWY_EXPORT(this_target);

SimdTarget best_target() { return HWY_DYNAMIC_DISPATCH(this_target)(); }

}  // namespace

EscapePart escape_part_scalar() { return best_target().scalar; }
EscapePart escape_part_simd() { return best_target().simd; }
std::string simd_target_name() { return best_target().name; }

std::vector<SimdTarget> simd_targets() {
    std::vector<SimdTarget> targets;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        targets.push_back(best_target());
    }
    hwy::SetSupportedTargetsForTest(0);
    return targets;
}

}  // namespace warpscope
#endif
