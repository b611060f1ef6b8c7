// SPDX-License-Identifier: MIT
// The number types: how exact df64 is, and what the shortcuts find in each type.
#include "kernels/math/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/math/escape.h"

namespace warpscope {
namespace {

long double exact(Df64 a) {
    return static_cast<long double>(a.hi) + static_cast<long double>(a.lo);
}

/// Of two floats with 48 bits and more; magnitudes over 2^-20 … 2^20, either sign.
Df64 random_number(std::mt19937& random) {
    std::uniform_real_distribution<double> mantissa{1, 2};
    const double sign = random() % 2 == 0 ? 1 : -1;
    const int exponent = static_cast<int>(random() % 41) - 20;
    return NumberTraits<Df64>::rounded(sign * std::ldexp(mantissa(random), exponent));
}

template <class Visit>
void for_random_numbers(Visit visit) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    for (int i = 0; i < 100'000 && !testing::Test::HasFailure(); ++i) {
        visit(random_number(random), random_number(random), random_number(random));
    }
}

void expect_normal(Df64 a) { EXPECT_EQ(a.hi + a.lo, a.hi) << "lo is not below half an ulp of hi"; }

TEST(Df64, HoldsADoubleToFortyEightBits) {
    for_random_numbers([](Df64 a, Df64, Df64) { expect_normal(a); });
    const double third = 1.0 / 3;
    EXPECT_LE(std::abs(static_cast<double>(exact(NumberTraits<Df64>::rounded(third))) - third),
              std::ldexp(third, -48));
}

// Bounds in units of 2^-44 of the operands' magnitudes: a few roundings of 2^-48 to 2^-46 each.
TEST(Df64, AddsSubtractsAndMultipliesToFortyFourBits) {
    constexpr long double kUnit = 0x1p-44L;
    for_random_numbers([](Df64 a, Df64 b, Df64) {
        const Df64 sum = scalar::add(a, b), difference = scalar::sub(a, b);
        const long double size = std::abs(exact(a)) + std::abs(exact(b));
        EXPECT_LE(std::abs(exact(sum) - (exact(a) + exact(b))), kUnit * size);
        EXPECT_LE(std::abs(exact(difference) - (exact(a) - exact(b))), kUnit * size);
        const Df64 product = scalar::mul(a, b);
        const long double want = exact(a) * exact(b);
        EXPECT_LE(std::abs(exact(product) - want), kUnit * std::abs(want));
        expect_normal(sum);
        expect_normal(difference);
        expect_normal(product);
    });
}

TEST(Df64, FusesToFortyFourBits) {
    constexpr long double kUnit = 0x1p-44L;
    for_random_numbers([](Df64 a, Df64 b, Df64 c) {
        const long double product = exact(a) * exact(b);
        const long double size = std::abs(product) + std::abs(exact(c));
        const Df64 plus = scalar::fma(a, b, c), minus = scalar::fnma(a, b, c);
        EXPECT_LE(std::abs(exact(plus) - (product + exact(c))), kUnit * size);
        EXPECT_LE(std::abs(exact(minus) - (exact(c) - product)), kUnit * size);
        expect_normal(plus);
        expect_normal(minus);
    });
}

TEST(Df64, NegatesDoublesAndTakesMagnitudesExactly) {
    for_random_numbers([](Df64 a, Df64, Df64) {
        EXPECT_EQ(exact(scalar::neg(a)), -exact(a));
        EXPECT_EQ(exact(scalar::twice(a)), 2 * exact(a));
        EXPECT_EQ(exact(scalar::abs(a)), std::abs(exact(a)));
    });
}

TEST(Df64, InfinityCountsAsOutside) {
    const float inf = std::numeric_limits<float>::infinity();
    const Df64 huge = scalar::mul(Df64{1e30f, 0}, Df64{1e30f, 0});
    EXPECT_FALSE(huge.hi <= 65536.0f);
    const scalar::Complex<Df64> z{Df64{inf, 0}, Df64{0, 0}};
    const auto next = scalar::Mandelbrot::step(z, {Df64{0, 0}, Df64{0, 0}});
    EXPECT_FALSE(scalar::norm(next) <= 65536.0f);
}

template <class T>
class Number : public testing::Test {
  protected:
    static scalar::Complex<T> point(double x, double y) {
        return {NumberTraits<T>::rounded(x), NumberTraits<T>::rounded(y)};
    }
    template <int kEvery>
    static scalar::Orbit<T> watched(double x, double y, std::uint32_t limit) {
        return scalar::escape<scalar::Mandelbrot, kEvery, true>(
            scalar::Orbit<T>{point(0, 0), 0, false}, point(x, y), limit, Real<T>(65536));
    }
};
using Types = testing::Types<float, Df64, double>;
TYPED_TEST_SUITE(Number, Types);

TYPED_TEST(Number, CyclesAreFound) {
    struct Center {
        double x, y;
    };
    // Periods 1, 2, 3 (twice) and 4, and points away from the bulbs' centres.
    for (const Center c : {Center{0, 0},
                           {-1, 0},
                           {-0.1225611669, 0.7448617666},
                           {-1.754877666, 0},
                           {-1.3107, 0},
                           {-0.1, 0.2},
                           {-1.1, 0.05},
                           {-0.12, 0.75}}) {
        const auto eighth = this->template watched<8>(c.x, c.y, 1'000'000);
        EXPECT_TRUE(eighth.cycles) << c.x << ' ' << c.y;
        EXPECT_FALSE(eighth.escaped);
        EXPECT_LT(eighth.n, 100'000u);
        const auto every = this->template watched<1>(c.x, c.y, 1'000'000);
        EXPECT_TRUE(every.cycles) << c.x << ' ' << c.y;
    }
}

TYPED_TEST(Number, WatchingForCyclesChangesNoCount) {
    std::mt19937 random{7};
    std::uniform_real_distribution<double> x{-2.1, 0.6}, y{-1.2, 1.2};
    for (int i = 0; i < 3000; ++i) {
        const double re = x(random), im = y(random);
        const auto plain = scalar::escape<scalar::Mandelbrot, 1>(
            scalar::Orbit<TypeParam>{this->point(0, 0), 0, false}, this->point(re, im), 2000,
            Real<TypeParam>(65536));
        const auto watched = this->template watched<8>(re, im, 2000);
        ASSERT_EQ(plain.escaped, watched.escaped) << re << ' ' << im;
        if (plain.escaped) {
            ASSERT_EQ(plain.n, watched.n) << re << ' ' << im;
        }
    }
}

TYPED_TEST(Number, TheClosedFormKnowsTheCardioidAndTheDiskAndNothingElse) {
    const auto known = [&](double x, double y) {
        return scalar::known_inside<scalar::Mandelbrot>(this->point(x, y));
    };
    for (const double x : {-0.74, -0.5, -0.1, 0.0, 0.1}) EXPECT_TRUE(known(x, 0)) << x;
    for (const double x : {-1.24, -1.0, -0.77}) EXPECT_TRUE(known(x, 0)) << x;
    EXPECT_TRUE(known(0.3, 0.4));
    for (const double x : {-2.0, -1.26, -0.75, 0.25, 0.26}) EXPECT_FALSE(known(x, 0)) << x;
    EXPECT_FALSE(known(-1, 0.2501));
    EXPECT_FALSE(known(-0.1225611669, 0.7448617666)) << "inside, but of period 3";
    EXPECT_FALSE(scalar::known_inside<scalar::BurningShip>(this->point(0, 0)));
}

// A point the closed form accepts must never escape: random ones close to the boundary.
TYPED_TEST(Number, WhatTheClosedFormKnowsStaysInside) {
    std::mt19937 random{11};
    std::uniform_real_distribution<double> angle{0, 6.283185307179586}, near{-9, -1};
    int tried = 0;
    for (int i = 0; i < 2000; ++i) {
        const double t = angle(random), r = 1 - std::pow(10, near(random));
        // mu/2 - mu^2/4 with |mu| = r < 1
        const double x = r * std::cos(t) / 2 - r * r * std::cos(2 * t) / 4;
        const double y = r * std::sin(t) / 2 - r * r * std::sin(2 * t) / 4;
        if (!scalar::known_inside<scalar::Mandelbrot>(this->point(x, y))) continue;
        ++tried;
        const auto orbit = scalar::escape<scalar::Mandelbrot, 8>(
            scalar::Orbit<TypeParam>{this->point(0, 0), 0, false}, this->point(x, y), 10'000,
            Real<TypeParam>(65536));
        ASSERT_FALSE(orbit.escaped) << x << ' ' << y;
    }
    EXPECT_GT(tried, 200);
}

}  // namespace
}  // namespace warpscope
