// SPDX-License-Identifier: MIT
// What a step of each formula costs in arithmetic, counted by running formula.inc once with a
// number type that counts instead of computing: nothing is written down twice, and a new formula
// is counted by itself.
#pragma once

#include "kernels/math/number.h"
#include "kernels/math/sample.h"

namespace warpscope {

/// Arithmetic of one piece of code on one number type. Changes of sign are free: processors make
/// them on the way into an instruction.
struct Operations {
    int flops = 0;         ///< operations; a fused multiply-add counts as two
    int instructions = 0;  ///< in which they are done; a fused multiply-add counts as one
};

namespace counting {

/// Stands for a number; whatever is done with it is counted in `tally`.
struct Number {
    Operations* tally;
};

inline Number counted(Number a, int flops) noexcept {
    a.tally->flops += flops;
    ++a.tally->instructions;
    return a;
}

inline Number add(Number a, Number) noexcept { return counted(a, 1); }
inline Number sub(Number a, Number) noexcept { return counted(a, 1); }
inline Number mul(Number a, Number) noexcept { return counted(a, 1); }
inline Number twice(Number a) noexcept { return counted(a, 1); }
inline Number fma(Number a, Number, Number) noexcept { return counted(a, 2); }
inline Number fnma(Number a, Number, Number) noexcept { return counted(a, 2); }
inline Number neg(Number a) noexcept { return a; }
inline Number abs(Number a) noexcept { return a; }
inline Number flip(Number a, Number) noexcept { return a; }
inline Number constant(Number a, float) noexcept { return a; }

#include "kernels/math/df64.inc"

#include "kernels/math/formula.inc"

template <class F>
Operations step_of(Precision precision) noexcept {
    Operations tally;
    const Number x{&tally};
    if (precision == Precision::kDf64) {
        const Df<Number> pair{x, x};
        F::step(Complex<Df<Number>>{pair, pair}, Complex<Df<Number>>{pair, pair});
    } else {
        F::step(Complex<Number>{x, x}, Complex<Number>{x, x});
    }
    return tally;
}

}  // namespace counting

/// One iteration z -> step(z, c) of `formula`. Of df64 the operations on its floats.
inline Operations step_operations(Formula formula, Precision precision) noexcept {
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return counting::step_of<counting::Name>(precision);
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return {};
}

/// One look at |z|: a product and a fused multiply-add. The comparison is no arithmetic.
inline constexpr Operations kEscapeTest{3, 2};

}  // namespace warpscope
