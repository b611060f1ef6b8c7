// SPDX-License-Identifier: MIT
// The number types that orbits are iterated in, and what code must know to be written once for all.
#pragma once

#include "kernels/math/portable.h"

namespace warpscope {

/// The unevaluated sum hi + lo of two floating-point numbers (or vectors of them) with
/// |lo| <= ulp(hi) / 2: "double-float" arithmetic. Of two floats it has 48 bits of mantissa.
/// [Dekker, "A floating-point technique for extending the available precision", 1971]
template <class V>
struct Df {
    V hi, lo;
};
using Df64 = Df<float>;

/// What a number type T is made of. Real is the type of its leading part, in which |z|^2 is
/// compared and colours are computed. kInteriorMargin: see known_inside() in scalar.inc.
template <class T>
struct NumberTraits;

template <>
struct NumberTraits<float> {
    using Real = float;
    static constexpr float kInteriorMargin = 0x1p-11f;
    static float rounded(double value) noexcept { return static_cast<float>(value); }
    WARPSCOPE_HD static float lift(float value) noexcept { return value; }
    WARPSCOPE_HD static float leading(float value) noexcept { return value; }
};

template <>
struct NumberTraits<double> {
    using Real = double;
    static constexpr double kInteriorMargin = 0x1p-25;
    static double rounded(double value) noexcept { return value; }
    WARPSCOPE_HD static double lift(double value) noexcept { return value; }
    WARPSCOPE_HD static double leading(double value) noexcept { return value; }
};

template <>
struct NumberTraits<Df64> {
    using Real = float;
    static constexpr float kInteriorMargin = 0x1p-18f;
    static Df64 rounded(double value) noexcept {
        const auto hi = static_cast<float>(value);
        return {hi, static_cast<float>(value - static_cast<double>(hi))};
    }
    WARPSCOPE_HD static Df64 lift(float value) noexcept { return {value, 0}; }
    WARPSCOPE_HD static float leading(Df64 value) noexcept { return value.hi; }
};

/// Type of T's leading part.
template <class T>
using Real = typename NumberTraits<T>::Real;

}  // namespace warpscope
