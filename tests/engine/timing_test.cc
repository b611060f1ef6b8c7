// SPDX-License-Identifier: MIT
#include "kernels/engine/timing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace warpscope {
namespace {

TEST(Timing, SummarizesWithMedianAndQuartiles) {
    const Distribution odd = summarize({5, 1, 4, 2, 3});
    EXPECT_EQ(odd.count, 5u);
    EXPECT_DOUBLE_EQ(odd.median, 3);
    EXPECT_DOUBLE_EQ(odd.first_quartile, 2);
    EXPECT_DOUBLE_EQ(odd.third_quartile, 4);
    EXPECT_DOUBLE_EQ(odd.iqr(), 2);
    EXPECT_DOUBLE_EQ(odd.min, 1);
    EXPECT_DOUBLE_EQ(odd.max, 5);
    EXPECT_DOUBLE_EQ(summarize({1, 2}).median, 1.5);
    EXPECT_DOUBLE_EQ(summarize({7}).third_quartile, 7);
    EXPECT_EQ(summarize({}).count, 0u);
}

TEST(Timing, OutlierMovesNeitherMedianNorQuartiles) {
    std::vector<double> samples(101, 2.0);
    samples[50] = 1e6;
    EXPECT_DOUBLE_EQ(summarize(samples).median, 2);
    EXPECT_DOUBLE_EQ(summarize(samples).iqr(), 0);
    EXPECT_DOUBLE_EQ(summarize(samples).max, 1e6);
}

TEST(Timing, NotANumberIsNeverHidden) {
    const Distribution bad = summarize({1, std::numeric_limits<double>::quiet_NaN(), 2});
    EXPECT_TRUE(std::isnan(bad.median));
    EXPECT_TRUE(std::isnan(bad.min));
}

TEST(Timing, MeetsBothMinimumsAndSkipsTheWarmUp) {
    int calls = 0;
    const auto measure = [&] { return ++calls <= 2 ? 1000.0 : 20.0; };
    const Sampling slow = sample({.warm_up = 2, .min_samples = 10, .min_seconds = 0.5}, measure);
    EXPECT_EQ(slow.samples.size(), 25u);  // 25 * 20 ms are half a second
    EXPECT_DOUBLE_EQ(slow.distribution.max, 20);
    EXPECT_EQ(slow.stop, StopReason::kEnough);
    const Sampling few = sample({.min_samples = 10, .min_seconds = 0.01}, measure);
    EXPECT_EQ(few.samples.size(), 10u);
}

TEST(Timing, SaysThatTheTimeLimitEndedIt) {
    const Sampling cut = sample({.min_samples = 10, .max_seconds = 3}, [] { return 1000.0; });
    EXPECT_EQ(cut.samples.size(), 3u);
    EXPECT_EQ(cut.stop, StopReason::kTimeLimit);
    EXPECT_EQ(stop_reason_name(cut.stop), "time limit");
}

TEST(Timing, VeryShortWorkEndsAtTheMostSamples) {
    const Sampling many = sample({.max_samples = 50}, [] { return 1e-6; });
    EXPECT_EQ(many.samples.size(), 50u);
    EXPECT_EQ(many.stop, StopReason::kEnough);
}

TEST(Timing, DropsTheSampleDuringWhichItWasCancelled) {
    std::stop_source source;
    int calls = 0;
    const Sampling cut = sample(
        {.warm_up = 0},
        [&] {
            if (++calls == 4) source.request_stop();
            return 1.0;
        },
        source.get_token());
    EXPECT_EQ(cut.samples.size(), 3u);
    EXPECT_EQ(cut.stop, StopReason::kCancelled);
}

TEST(Timing, ReportsProgressUpToOne) {
    std::vector<double> seen;
    sample(
        {.min_samples = 4, .min_seconds = 0}, [] { return 1.0; }, {},
        [&](double fraction) { seen.push_back(fraction); });
    EXPECT_EQ(seen, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(Timing, RejectsImpossiblePlans) {
    const auto measure = [] { return 1.0; };
    EXPECT_THROW(sample({.warm_up = -1}, measure), std::invalid_argument);
    EXPECT_THROW(sample({.min_samples = 0}, measure), std::invalid_argument);
    EXPECT_THROW(sample({.min_samples = 9, .max_samples = 8}, measure), std::invalid_argument);
    EXPECT_THROW(sample({.min_seconds = std::nan("")}, measure), std::invalid_argument);
    EXPECT_THROW(sample({.max_seconds = 0}, measure), std::invalid_argument);
}

}  // namespace
}  // namespace warpscope
