// SPDX-License-Identifier: MIT
#include "kernels/engine/compare.h"

#include <gtest/gtest.h>

#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

FrameJob small_job() {
    FrameJob job;
    job.center_re = -0.75;
    job.spacing = 4 / 1.5 / 48;
    job.width = 64;
    job.height = 48;
    job.limit = 200;
    return job;
}

CompareRow measured(const char* backend, double kernel_ms) {
    CompareRow row;
    row.backend = backend;
    row.kernel = row.with_copy = row.end_to_end = summarize({kernel_ms, kernel_ms, kernel_ms});
    return row;
}

TEST(Compare, MeasuresEveryRungAndFindsTheCountsEqual) {
    const Comparison comparison = compare(small_job(), {}, 0, 0.02, {});
    ASSERT_EQ(comparison.rows.size(), 5u);
    for (const CompareRow& row : comparison.rows) {
        if (!row.problem.empty()) {
            EXPECT_EQ(row.backend, "cuda") << row.problem;
            continue;
        }
        EXPECT_GE(row.kernel.count, 3u) << row.backend;
        EXPECT_EQ(row.kernel.count, row.with_copy.count) << row.backend;
        EXPECT_GE(row.with_copy.median, row.kernel.median) << row.backend;
        EXPECT_GT(row.end_to_end.median, 0) << row.backend;
        EXPECT_EQ(row.differing, 0u) << row.backend;
        EXPECT_EQ(row.counts_hash, comparison.rows.front().counts_hash) << row.backend;
        EXPECT_EQ(row.iterations, comparison.rows.front().iterations) << row.backend;
    }
}

TEST(Compare, StopsWhenAsked) {
    FrameJob job = small_job();
    job.spacing = 1e-6;
    job.limit = 1'000'000'000;
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(compare(job, {}, 0, 0.02, source.get_token()).rows.empty());
}

TEST(Ratio, IsAgainstTheBestCpuRung) {
    const Comparison comparison{
        {}, {}, {measured("cpu-scalar", 100), measured("cpu", 4), measured("cuda", 0.5)}};
    std::string why;
    const std::optional<Ratio> ratio = gpu_ratio(comparison, why);
    ASSERT_TRUE(ratio) << why;
    EXPECT_EQ(ratio->cpu_rung, "cpu");
    EXPECT_DOUBLE_EQ(ratio->kernel, 8);
}

TEST(Ratio, IsWithheldWhenCountsDiffer) {
    Comparison comparison{{}, {}, {measured("cpu", 4), measured("cuda", 0.5)}};
    comparison.rows.back().differing = 3;
    std::string why;
    EXPECT_FALSE(gpu_ratio(comparison, why));
    EXPECT_NE(why.find("3"), std::string::npos) << why;
}

TEST(Ratio, IsWithheldWithoutAGpu) {
    std::string why;
    EXPECT_FALSE(gpu_ratio({{}, {}, {measured("cpu", 4)}}, why));
    EXPECT_FALSE(why.empty());
}

TEST(Autotune, TimesManyTuningsAndTheGivenOneFirst) {
    Tuning given;
    given.cpu_tile = 48;
    const std::vector<TunePoint> points = autotune("cpu", 0, small_job(), given, {});
    ASSERT_GT(points.size(), 3u);
    EXPECT_EQ(points.front().tuning, given);
    for (const TunePoint& point : points) EXPECT_GT(point.kernel.median, 0);
}

TEST(Warps, CountIdleLanesOfPartialOnes) {
    EXPECT_EQ(warp_use({32, 8}).warps, 8);
    EXPECT_EQ(warp_use({32, 8}).idle_lanes, 0);
    EXPECT_EQ(warp_use({7, 3}).warps, 1);
    EXPECT_EQ(warp_use({7, 3}).idle_lanes, 11);
    EXPECT_DOUBLE_EQ(warp_use({7, 3}).efficiency, 21.0 / 32);
    EXPECT_EQ(warp_use({100, 1}).warps, 4);
}

TEST(Grid, CoversEveryPixel) {
    const GridShape grid = grid_for(1920, 1080, {32, 7});
    EXPECT_EQ(grid.x, 60);
    EXPECT_EQ(grid.y, 155);
    EXPECT_EQ(grid.blocks(), 9300);
    EXPECT_EQ(grid_for(1, 1, {1024, 1}).blocks(), 1);
}

}  // namespace
}  // namespace warpscope
