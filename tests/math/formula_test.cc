// SPDX-License-Identifier: MIT
#include "kernels/math/formula.h"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <set>

namespace warpscope {
namespace {

using Number = std::complex<double>;

/// The formulas as a textbook writes them.
Number textbook(Formula formula, Number z, Number c) {
    switch (formula) {
        case Formula::kBurningShip: {
            const Number folded{std::abs(z.real()), std::abs(z.imag())};
            return folded * folded + c;
        }
        case Formula::kTricorn:
            return std::conj(z) * std::conj(z) + c;
        default:
            break;
    }
    Number power = 1;
    for (int i = 0; i < info(formula).power; ++i) power *= z;
    return power + c;
}

template <class T>
Number stepped(Formula formula, Number z, Number c) {
    const scalar::Complex<T> zt{static_cast<T>(z.real()), static_cast<T>(z.imag())};
    const scalar::Complex<T> ct{static_cast<T>(c.real()), static_cast<T>(c.imag())};
    scalar::Complex<T> next{};
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        next = scalar::Name::step(zt, ct);                    \
        break;
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return {static_cast<double>(next.x), static_cast<double>(next.y)};
}

TEST(Formula, StepsAsTheTextbookSays) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> coordinate{-1.5, 1.5};
    for (const FormulaInfo& row : kFormulas) {
        for (int i = 0; i < 1000; ++i) {
            const Number z{coordinate(random), coordinate(random)};
            const Number c{coordinate(random), coordinate(random)};
            const Number want = textbook(row.formula, z, c);
            // |z| <= 2.2, so |z^8| < 560: rounding of a few operations on it.
            EXPECT_LT(std::abs(stepped<double>(row.formula, z, c) - want), 1e-12) << row.title;
            EXPECT_LT(std::abs(stepped<float>(row.formula, z, c) - want), 5e-3) << row.title;
        }
    }
}

TEST(Formula, FirstStepFromZeroIsExactlyC) {
    const Number c{0.1234567890123, -0.9876543210987};
    for (const FormulaInfo& row : kFormulas) {
        EXPECT_EQ(stepped<double>(row.formula, {0, 0}, c), c) << row.title;
    }
}

// z^6 that was really z^9 went unnoticed elsewhere: the picture of z^n + c has n - 1 fold symmetry.
TEST(Formula, MultibrotsHaveTheirSymmetry) {
    for (const FormulaInfo& row : kFormulas) {
        if (row.key != "multibrot") continue;
        const Number turn = std::polar(1.0, 2 * 3.14159265358979323846 / (row.power - 1));
        const Number c{0.7, 0.3};
        Number z = 0, turned = 0;
        for (int i = 0; i < 6; ++i) {
            z = stepped<double>(row.formula, z, c);
            turned = stepped<double>(row.formula, turned, c * turn);
            EXPECT_LT(std::abs(turned - z * turn), 1e-9 * (1 + std::abs(z))) << row.title;
        }
    }
}

TEST(Formula, TableIsConsistent) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < kFormulas.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kFormulas[i].formula), i);
        EXPECT_GE(kFormulas[i].power, 2);
        EXPECT_GT(kFormulas[i].home_zoom, 0);
        names.insert(std::string{kFormulas[i].key} + std::to_string(kFormulas[i].power));
    }
    EXPECT_EQ(names.size(), kFormulas.size()) << "key and power must name one formula";
}

}  // namespace
}  // namespace warpscope
