// SPDX-License-Identifier: MIT
#include "kernels/math/escape.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace warpscope {
namespace {

using Point = scalar::Complex<double>;

template <class F = scalar::Mandelbrot, int kEvery = kTestEvery, class T = double>
scalar::Orbit<T> run(scalar::Complex<T> z, scalar::Complex<T> c, std::uint32_t limit,
                     double bailout = 256) {
    return scalar::escape<F, kEvery>(scalar::Orbit<T>{z, 0, false}, c, limit,
                                     static_cast<T>(bailout * bailout));
}

TEST(Escape, TestsStrictlySoThatMinusTwoIsInTheSet) {
    EXPECT_FALSE(run({0, 0}, Point{-2, 0}, 100000, 2).escaped);
    EXPECT_FALSE((run<scalar::Mandelbrot, 1>({0, 0}, Point{-2, 0}, 1000, 2).escaped));
}

TEST(Escape, CountsFromOneWithZOneEqualToC) {
    EXPECT_EQ(run({0, 0}, Point{300, 0}, 10).n, 1u);
    EXPECT_EQ(run({0, 0}, Point{17, 0}, 10).n, 2u) << "17, then 306";
    EXPECT_EQ(run({0, 0}, Point{1, 0}, 100).n, 5u) << "1, 2, 5, 26, 677";
}

TEST(Escape, BlocksWithReplayCountAsTestingEveryStepDoes) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> x{-2.2, 1.2}, y{-1.4, 1.4};
    for (int i = 0; i < 20000; ++i) {
        const Point c{x(random), y(random)};
        for (const std::uint32_t limit : {1u, 7u, 8u, 9u, 500u}) {
            const auto every = run<scalar::Mandelbrot, 1>({0, 0}, c, limit);
            const auto blocks = run({0, 0}, c, limit);
            ASSERT_EQ(every.n, blocks.n) << c.x << ' ' << c.y << " limit " << limit;
            ASSERT_EQ(every.escaped, blocks.escaped);
            ASSERT_EQ(every.z.x, blocks.z.x);
        }
    }
}

TEST(Escape, InfinityAndNanInsideABlockDoNotSpoilTheReplay) {
    // Of power 8 the orbit overflows within one block of 8 steps, in float after three.
    const auto orbit = run<scalar::Multibrot8, kTestEvery, float>(
        {0, 0}, scalar::Complex<float>{3.0f, 0.1f}, 1000);
    EXPECT_TRUE(orbit.escaped);
    EXPECT_EQ(orbit.n, 2u);
    const double huge = std::numeric_limits<double>::max();
    EXPECT_EQ(run({0, 0}, Point{huge, huge}, 1000).n, 1u);
    EXPECT_EQ(run({0, 0}, Point{std::numeric_limits<double>::quiet_NaN(), 0}, 1000).n, 1u);
}

TEST(Escape, ResumesWhereItStopped) {
    const Point c{-0.743643, 0.131825};
    const auto whole = run({0, 0}, c, 5000);
    scalar::Orbit<double> part{{0, 0}, 0, false};
    for (std::uint32_t limit = 100; !part.escaped && part.n < 5000; limit += 137) {
        part = scalar::escape<scalar::Mandelbrot, kTestEvery>(part, c, std::min(limit, 5000u),
                                                              65536.0);
    }
    EXPECT_EQ(part.n, whole.n);
    EXPECT_EQ(part.z.x, whole.z.x);
}

FrameJob job_of_power(Formula formula, double bailout) {
    FrameJob job;
    job.formula = formula;
    job.bailout = bailout;
    job.width = job.height = 1;
    job.limit = 1;
    return job;
}

TEST(SmoothFraction, RunsFromZeroAtTheRadiusToOneAtItsPower) {
    for (const FormulaInfo& row : kFormulas) {
        const auto plane = make_plane<double>(job_of_power(row.formula, 256));
        EXPECT_NEAR(smooth_fraction(256.0 * (1 + 1e-9), 0.0, plane), 1, 1e-5) << row.title;
        EXPECT_NEAR(smooth_fraction(0.0, std::pow(256.0, row.power), plane), 0, 1e-5) << row.title;
    }
}

// Smooth colour that divided by log 2 for every power was wrong elsewhere: the smooth count must
// not jump where the count does.
TEST(SmoothFraction, MeetsItsNeighbourWhereTheCountSteps) {
    for (const FormulaInfo& row : kFormulas) {
        const auto plane = make_plane<double>(job_of_power(row.formula, 1e4));
        const double just_in = 1e4 * (1 - 1e-12), just_out = 1e4 * (1 + 1e-12);
        // Just out escapes at n; just in goes on to |z|^p at n + 1.
        const double out = 10 - 1 + static_cast<double>(smooth_fraction(just_out, 0.0, plane));
        const double in =
            11 - 1 + static_cast<double>(smooth_fraction(std::pow(just_in, row.power), 0.0, plane));
        EXPECT_NEAR(out, in, 1e-4) << row.title;
    }
}

TEST(SmoothFraction, StaysWithinZeroAndOneForAnything) {
    const auto plane = make_plane<float>(job_of_power(Formula::kMultibrot8, 2));
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float x : {0.0f, 1e-38f, 2.0f, 1e19f, 3e38f, inf, nan}) {
        for (const float y : {0.0f, -2.5f, 1e30f, -inf, nan}) {
            const float fraction = smooth_fraction(x, y, plane);
            EXPECT_GE(fraction, 0) << x << ' ' << y;
            EXPECT_LE(fraction, 1) << x << ' ' << y;
        }
    }
}

}  // namespace
}  // namespace warpscope
