// SPDX-License-Identifier: MIT
// Compiled once per instruction set by Highway's foreach_target; the table at the end picks one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/engine/cpu/escape_cpu.cc"
// Between the plain ones, sets that add nothing these loops use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR)
#ifndef HWY_AVX3_ZEN4
#define HWY_AVX3_ZEN4 0
#endif
#ifndef HWY_AVX3_SPR
#define HWY_AVX3_SPR 0
#endif
#include <hwy/foreach_target.h>  // must come before highway.h

#include "kernels/engine/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

template <class T>
std::uint64_t rect_scalar_of(const FrameJob& job, PixelRect rect, Sample* samples,
                             const std::atomic<bool>& stop) {
    const Plane<T> plane = make_plane<T>(job);
    switch (job.formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return rect_scalar<one::Name>(plane, rect, samples, stop);
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return 0;
}

template <class T>
std::uint64_t rect_simd_of(const FrameJob& job, PixelRect rect, Sample* samples,
                           const std::atomic<bool>& stop) {
    const Plane<T> plane = make_plane<T>(job);
    switch (job.formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return rect_simd<lanes::Name>(plane, rect, samples, stop);
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return 0;
}

std::uint64_t scalar_rect(const FrameJob& job, PixelRect rect, Sample* samples,
                          const std::atomic<bool>& stop) {
    return job.precision == Precision::kFloat ? rect_scalar_of<float>(job, rect, samples, stop)
                                              : rect_scalar_of<double>(job, rect, samples, stop);
}

std::uint64_t simd_rect(const FrameJob& job, PixelRect rect, Sample* samples,
                        const std::atomic<bool>& stop) {
    return job.precision == Precision::kFloat ? rect_simd_of<float>(job, rect, samples, stop)
                                              : rect_simd_of<double>(job, rect, samples, stop);
}

SimdTarget this_target() {
    return {hwy::TargetName(HWY_TARGET), HWY_NATIVE_FMA != 0, &scalar_rect, &simd_rect};
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {
namespace {

HWY_EXPORT(this_target);

SimdTarget best_target() { return HWY_DYNAMIC_DISPATCH(this_target)(); }

}  // namespace

EscapeRect escape_rect_scalar() { return best_target().scalar; }
EscapeRect escape_rect_simd() { return best_target().simd; }
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
