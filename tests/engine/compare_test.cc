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

TEST(OccupancySweep, ReachesEveryNumberOfBlocksThatSharedMemoryCanForce) {
    Tuning tuning;
    tuning.block = {16, 16};
    tuning.what_if.shared_bytes = 5000;  // what is wasted already does not count
    for (const char* cc : {"7.5", "8.6", "9.0", "12.0"}) {
        const GpuArch& arch = find_gpu_arch(cc);
        const BlockNeeds needs{256, 30, 80, 0, std::nullopt};
        const std::vector<Tuning> sweep =
            occupancy_sweep(arch, needs, tuning, {RegisterUse::kCompiled});
        ASSERT_FALSE(sweep.empty());
        EXPECT_EQ(sweep.front().what_if, WhatIf{});
        int before = occupancy(arch, needs).blocks_per_sm;
        ASSERT_GT(before, 1);
        for (std::size_t i = 1; i < sweep.size(); ++i) {
            BlockNeeds wasteful = needs;
            wasteful.dynamic_shared = sweep[i].what_if.shared_bytes;
            const int blocks = occupancy(arch, wasteful).blocks_per_sm;
            EXPECT_EQ(blocks, before - 1) << cc << ", " << wasteful.dynamic_shared;
            before = blocks;
        }
        // A block may have half of an SM's shared memory and more: one alone is always reached.
        EXPECT_EQ(before, 1) << cc;
    }
}

TEST(OccupancySweep, TakesTheVariantsThatSuchABlockCanHave) {
    Tuning tuning;
    tuning.block = {32, 16};
    const std::vector<RegisterUse> uses{kRegisterUses.begin(), kRegisterUses.end()};
    int variants = 0;
    for (const Tuning& way : occupancy_sweep(find_gpu_arch("9.0"), {512, 30}, tuning, uses)) {
        const RegisterUse use = way.what_if.registers;
        if (use == RegisterUse::kCompiled) continue;
        ++variants;
        EXPECT_EQ(way.what_if.shared_bytes, 0);
        EXPECT_LE(512 * most_registers(use), 65536);
    }
    EXPECT_EQ(variants, 4);  // 24, 64, 96 and 128
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
