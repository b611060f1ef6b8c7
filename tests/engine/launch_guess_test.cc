// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/launch_guess.h"

#include <gtest/gtest.h>

namespace warpscope {
namespace {

FrameJob job_of(Formula formula, Precision precision) {
    FrameJob job;
    job.formula = formula;
    job.precision = precision;
    return job;
}

const LaunchGuess kH200{1.98e6, 132}, kLaptop{1.5e6, 14};
const FrameJob kFloat = job_of(Formula::kMandelbrot, Precision::kFloat);

// A coarse first pass of 240 pixels once ran to its limit in one launch and held the window for two
// seconds: it would have been short, had the GPU been full.
TEST(LaunchGuess, FewPixelsTakeAsLongAsTheirSteps) {
    EXPECT_GT(kH200.worst_ms(kFloat, 1, 1e7), 100);
    EXPECT_GT(kH200.worst_ms(kFloat, 240, 1e7), 100);
    const FrameJob slow = job_of(Formula::kMultibrot8, Precision::kDf64);
    EXPECT_GT(kH200.worst_ms(slow, 240, 1e6), 500);
}

// Measured there: 0.15 ms by the naive kernel.
TEST(LaunchGuess, AnOrdinaryFrameFitsTheBudget) {
    const double ms = kH200.worst_ms(kFloat, 1920 * 1080, 1000);
    EXPECT_GT(ms, 0.7);  // all inside, naive
    EXPECT_LT(ms, 9);
}

TEST(LaunchGuess, GrowsWithPixelsStepsTypeAndPower) {
    const double base = kLaptop.worst_ms(kFloat, 1e6, 1000);
    EXPECT_DOUBLE_EQ(kLaptop.worst_ms(kFloat, 2e6, 1000), 2 * base);
    EXPECT_DOUBLE_EQ(kLaptop.worst_ms(kFloat, 1e6, 2000), 2 * base);
    EXPECT_GT(kLaptop.worst_ms(job_of(Formula::kMandelbrot, Precision::kDouble), 1e6, 1000),
              20 * base);
    EXPECT_GT(kLaptop.worst_ms(job_of(Formula::kMultibrot5, Precision::kFloat), 1e6, 1000),
              3 * base);
}

}  // namespace
}  // namespace warpscope
