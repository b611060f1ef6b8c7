// SPDX-License-Identifier: MIT
#include "kernels/deep/precision_ladder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpscope {
namespace {

const View kCentre{BigFloat{-0.75}, BigFloat{0.1}, BigFloat{1}};

View at_log2(double zoom) { return {kCentre.re, kCentre.im, BigFloat{std::exp2(zoom)}}; }

/// At both ends of every stretch, and a hair inside, the planning function says the same.
void expect_agreement(const std::vector<PrecisionStretch>& ladder, int height, Df64Speed df64) {
    constexpr double kHair = 0x1p-19;
    for (std::size_t i = 0; i < ladder.size(); ++i) {
        const PrecisionStretch& stretch = ladder[i];
        EXPECT_EQ(choose_precision(at_log2(stretch.from + kHair), height, df64), stretch.precision);
        EXPECT_EQ(choose_precision(at_log2(stretch.to - kHair), height, df64), stretch.precision);
        EXPECT_NE(choose_precision(at_log2(stretch.to + kHair), height, df64), stretch.precision);
        if (i > 0) {
            EXPECT_NEAR(stretch.from, ladder[i - 1].to, kHair) << "no gap";
        }
    }
}

TEST(PrecisionLadder, HasAStretchForEachTypeThatIsChosen) {
    const auto slow = precision_ladder(kCentre, 1080, Df64Speed::kSlower);
    ASSERT_EQ(slow.size(), 2u);
    EXPECT_EQ(slow[0].precision, Precision::kFloat);
    EXPECT_EQ(slow[1].precision, Precision::kDouble);
    const auto fast = precision_ladder(kCentre, 1080, Df64Speed::kFaster);
    ASSERT_EQ(fast.size(), 3u);
    EXPECT_EQ(fast[1].precision, Precision::kDf64);
    EXPECT_NEAR(fast[0].to, slow[0].to, 0x1p-19);
    EXPECT_NEAR(fast[2].to, slow[1].to, 0x1p-19);
}

TEST(PrecisionLadder, SwitchesWhereThePlanningFunctionDoes) {
    for (const int height : {16, 720, 4320}) {
        for (const Df64Speed df64 : {Df64Speed::kSlower, Df64Speed::kFaster}) {
            const auto ladder = precision_ladder(kCentre, height, df64, -2);
            expect_agreement(ladder, height, df64);
            EXPECT_NEAR(ladder.back().to, max_log2_zoom(kCentre, height), 0x1p-19);
        }
    }
}

TEST(PrecisionLadder, BeginsWhereItIsAsked) {
    const auto ladder = precision_ladder(kCentre, 1080, Df64Speed::kSlower, 20);
    ASSERT_EQ(ladder.size(), 1u);
    EXPECT_EQ(ladder[0].precision, Precision::kDouble);
    EXPECT_EQ(ladder[0].from, 20);
    EXPECT_TRUE(precision_ladder(kCentre, 1080, Df64Speed::kSlower, 100).empty());
}

TEST(PrecisionLadder, EndsSoonerFarFromTheOrigin) {
    View far = kCentre;
    far.re = BigFloat{1e6};
    const auto near = precision_ladder(kCentre, 1080, Df64Speed::kSlower, -2);
    const auto other = precision_ladder(far, 1080, Df64Speed::kSlower, -2);
    EXPECT_LT(other.back().to, near.back().to - 15);
}

}  // namespace
}  // namespace warpscope
