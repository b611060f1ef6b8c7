// SPDX-License-Identifier: MIT
#include "kernels/engine/landscape.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warpscope {
namespace {

Distribution steady(double ms) { return {10, ms, 0.999 * ms, 1.001 * ms, ms, ms}; }

TunePoint gpu_point(BlockShape block, double ms, double lanes = 1) {
    TunePoint point;
    point.tuning.block = block;
    point.tuning.method.schedule = Schedule::kWait;
    point.tuning.method.test = Test::kEveryStep;
    point.kernel = steady(ms);
    point.lane_efficiency = lanes;
    return point;
}

TunePoint cpu_point(int threads, int tile, double ms) {
    TunePoint point;
    point.tuning.cpu_threads = threads;
    point.tuning.cpu_tile = tile;
    point.kernel = steady(ms);
    point.lane_efficiency = 0.8;
    return point;
}

FrameJob frame() {
    FrameJob job;
    job.width = 1920;
    job.height = 1080;
    return job;
}

ShapeFacts facts(const TunePoint& point, int registers = 32) {
    return facts_of(point, frame(), KernelOnGpu{&find_gpu_arch("9.0"), {1, registers}, 132}, 8);
}

ShapeFacts cpu_facts(const TunePoint& point) { return facts_of(point, frame(), {}, 4); }

bool says(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

TEST(TimeMap, HasAColumnForEveryXAndARowForEveryY) {
    const std::vector<TunePoint> points{gpu_point({7, 3}, 9), gpu_point({32, 1}, 2),
                                        gpu_point({64, 1}, 1), gpu_point({16, 2}, 3)};
    const TimeMap map = time_map(points, true);
    EXPECT_EQ(map.columns, (std::vector<int>{16, 32, 64}));
    EXPECT_EQ(map.rows, (std::vector<int>{1, 2}));
    EXPECT_EQ(map.at(0, 0), -1);
    EXPECT_EQ(map.at(1, 0), 1);
    EXPECT_EQ(map.at(2, 0), 2);
    EXPECT_EQ(map.at(0, 1), 3);
    EXPECT_EQ(map.best, 2u);
    EXPECT_EQ(map.slowest, 0u);
}

TEST(TimeMap, OfACpuIsThreadsByTiles) {
    const TimeMap map = time_map({cpu_point(2, 48, 1), cpu_point(1, 16, 4), cpu_point(2, 16, 2),
                                  cpu_point(1, 32, 3), cpu_point(2, 32, 1.5)},
                                 false);
    EXPECT_EQ(map.columns, (std::vector<int>{1, 2}));
    EXPECT_EQ(map.rows, (std::vector<int>{16, 32}));
    EXPECT_EQ(map.at(1, 1), 4);
    EXPECT_EQ(map.best, 0u);
}

TEST(TimeMap, OfOnePointIsOneCell) {
    const TimeMap map = time_map({gpu_point({7, 3}, 9)}, true);
    EXPECT_EQ(map.at(0, 0), 0);
    EXPECT_THROW(time_map({}, true), std::invalid_argument);
}

TEST(PlaceAmong, IsLogarithmicBetweenStepsAndHeldWithin) {
    const std::vector<int> steps{1, 2, 8};
    EXPECT_DOUBLE_EQ(place_among(steps, 1), 0);
    EXPECT_DOUBLE_EQ(place_among(steps, 8), 2);
    EXPECT_DOUBLE_EQ(place_among(steps, 4), 1.5);
    EXPECT_DOUBLE_EQ(place_among(steps, 1024), 2);
    EXPECT_DOUBLE_EQ(place_among({4, 8}, 1), 0);
}

TEST(Facts, OfABlockTallerThanThePictureSayHowManyThreadsHaveAPixel) {
    const ShapeFacts tall = facts(gpu_point({1, 1024}, 1));
    EXPECT_NEAR(tall.covered, 1080.0 / 2048, 1e-9);
    ASSERT_TRUE(tall.waves);
    // 1920 x 2 blocks, two of them on each of 132 SMs.
    EXPECT_NEAR(tall.waves->waves, 3840.0 / (2 * 132), 1e-9);
}

TEST(Facts, OfPackedOrbitsHaveNoLastWave) {
    TunePoint point = gpu_point({32, 8}, 1);
    point.tuning.method.schedule = Schedule::kRefill;
    EXPECT_FALSE(facts(point).waves);
}

TEST(Facts, OfACpuCountRoundsOfTiles) {
    const ShapeFacts all = cpu_facts(cpu_point(0, 256, 1));
    EXPECT_EQ(all.tuning.cpu_threads, 4);
    ASSERT_TRUE(all.waves);
    EXPECT_DOUBLE_EQ(all.waves->waves, 8 * 5 / 4.0);
    EXPECT_EQ(shape_name(all), "4 threads, tiles of 256");
}

TEST(Landscape, KeepsThePointsInTheirOrder) {
    const Landscape all = landscape({gpu_point({7, 3}, 9), gpu_point({32, 1}, 2)}, frame(),
                                    KernelOnGpu{&find_gpu_arch("8.6"), {1, 40}, 82}, 8);
    EXPECT_TRUE(all.gpu);
    ASSERT_EQ(all.points.size(), 2u);
    EXPECT_EQ(shape_name(all.points[0]), "7×3");
    EXPECT_EQ(shape_name(all.points[all.map.best]), "32×1");
    EXPECT_EQ(all.points[1].occupancy->warps_per_sm, 16);  // one warp in each of 16 slots
    EXPECT_FALSE(landscape({cpu_point(1, 16, 2)}, frame(), {}, 4).gpu);
}

TEST(WhyFaster, NamesLanesFirstWhereTheyDifferMost) {
    const std::string text =
        why_faster(facts(gpu_point({32, 8}, 1, 0.82)), facts(gpu_point({256, 1}, 2.1, 0.4)));
    EXPECT_TRUE(says(text, "256×1 takes 2.1 times as long as 32×8")) << text;
    EXPECT_TRUE(says(text, "82 against 40 %")) << text;
    EXPECT_FALSE(says(text, "warps resident")) << text;
}

TEST(WhyFaster, SaysThatFewerResidentWarpsCostLess) {
    // 64 registers: blocks of 1024 threads fit once, half of an SM's warps; 36 of 40 otherwise.
    const ShapeFacts few = facts(gpu_point({32, 8}, 1, 0.9), 72);
    const ShapeFacts many = facts(gpu_point({32, 1}, 1.4, 0.5), 72);
    ASSERT_LT(few.occupancy->occupancy, many.occupancy->occupancy);
    EXPECT_TRUE(says(why_faster(few, many), "fewer warps resident")) << why_faster(few, many);
}

TEST(WhyFaster, SaysSoWhereNoFigureTells) {
    const std::string text =
        why_faster(facts(gpu_point({32, 8}, 1, 0.5)), facts(gpu_point({8, 32}, 1.5, 0.5)));
    EXPECT_TRUE(says(text, "neither")) << text;
}

TEST(WhyFaster, WillNotExplainNoise) {
    ShapeFacts fast = facts(gpu_point({32, 8}, 1)), slow = facts(gpu_point({8, 32}, 1.1, 0.5));
    slow.kernel.first_quartile = 0.9;
    slow.kernel.third_quartile = 1.3;
    EXPECT_FALSE(differ(fast.kernel, slow.kernel));
    EXPECT_TRUE(says(why_faster(fast, slow), "equally fast"));
}

TEST(WhyFaster, SpeaksOfThreadsAndTilesOnACpu) {
    const std::string text =
        why_faster(cpu_facts(cpu_point(4, 32, 1)), cpu_facts(cpu_point(1, 256, 4)));
    EXPECT_TRUE(says(text, "4 threads work instead of 1")) << text;
    EXPECT_FALSE(says(text, "wave")) << text;
    const std::string tiles =
        why_faster(cpu_facts(cpu_point(4, 32, 1)), cpu_facts(cpu_point(4, 512, 1.6)));
    EXPECT_TRUE(says(tiles, "smaller tiles")) << tiles;
}

}  // namespace
}  // namespace warpscope
