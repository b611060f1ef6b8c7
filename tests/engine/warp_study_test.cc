// SPDX-License-Identifier: MIT
#include "kernels/engine/warp_study.h"

#include <gtest/gtest.h>

#include "tests/engine/frames.h"

namespace warpscope {
namespace {

/// Boundary in most warps; no multiple of any block.
FrameJob seahorses(Precision precision = Precision::kDouble) {
    FrameJob job;
    job.center_re = -0.745;
    job.center_im = 0.1;
    job.spacing = 1e-4;
    job.shift_x = 0.25;
    job.shift_y = -0.375;
    job.width = 301;
    job.height = 203;
    job.limit = 2000;
    job.precision = precision;
    return job;
}

constexpr BlockShape kBlocks[] = {{8, 16}, {128, 1}, {32, 32}, {7, 3}, {1, 1}, {3, 300}};

TEST(WarpStudy, LanesHaveTheCountsOfTheFrame) {
    for (const Precision precision : {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
        const FrameJob job = seahorses(precision);
        const std::vector<Sample> frame = compute(*make_backend("cpu-scalar"), job);
        for (const BlockShape block : kBlocks) {
            for (const auto& [x, y] : {std::pair{0, 0}, {150, 100}, {300, 202}, {299, 7}}) {
                const WarpStudy study = study_warp(job, block, x, y).value();
                const WarpLane& own = study.lanes[static_cast<std::size_t>(study.lane)];
                EXPECT_FALSE(own.idle);
                EXPECT_EQ(own.x, x);
                EXPECT_EQ(own.y, y);
                for (const WarpLane& lane : study.lanes) {
                    if (lane.idle) continue;
                    EXPECT_EQ(lane.x / block.x, study.block_x);
                    EXPECT_EQ(lane.y / block.y, study.block_y);
                    const Sample& sample =
                        frame[static_cast<std::size_t>(lane.y * job.width + lane.x)];
                    EXPECT_EQ(lane.escapes, sample.count > 0);
                    EXPECT_EQ(lane.steps, sample.count > 0 ? sample.count : job.limit);
                }
            }
        }
    }
}

TEST(WarpStudy, ThreadsWithoutPixelAreIdle) {
    const FrameJob job = seahorses();
    const auto idle = [](const WarpStudy& study) {
        return std::ranges::count_if(study.lanes, [](const WarpLane& lane) { return lane.idle; });
    };
    EXPECT_EQ(idle(*study_warp(job, {8, 16}, 0, 0)), 0);
    EXPECT_EQ(idle(*study_warp(job, {7, 3}, 0, 0)), 32 - 21) << "the block has no more threads";
    // 301 = 37 * 8 + 5: the last block has 5 columns, a warp 4 of its rows.
    EXPECT_EQ(idle(*study_warp(job, {8, 16}, 300, 0)), 32 - 5 * 4);
    // 203 = 12 * 16 + 11: rows 8 to 10 are the third warp's first three.
    EXPECT_EQ(idle(*study_warp(job, {8, 16}, 0, 202)), 8);
    EXPECT_EQ(study_warp(job, {8, 16}, 0, 202)->warp, 2);
}

WarpStudy by_hand() {
    WarpStudy study;
    for (std::uint32_t i = 0; i < 16; ++i) study.lanes[i] = {false, 0, 0, {}, i + 1, true};
    study.lanes[16] = {false, 0, 0, {}, 100, false};
    return study;
}

TEST(WarpStudy, GroupsGoOnUntilTheirSlowestIsDone) {
    const WarpStudy study = by_hand();
    EXPECT_EQ(longest(study), 100u);
    const GroupCost scalar = group_cost(study, 1), vector = group_cost(study, 8),
                    warp = group_cost(study, 32);
    EXPECT_EQ(scalar.instructions, 136u + 100);
    EXPECT_EQ(scalar.efficiency(), 1);
    EXPECT_EQ(vector.instructions, 8u + 16 + 100);
    EXPECT_EQ(vector.lane_steps, 8 * vector.instructions);
    EXPECT_EQ(warp.instructions, 100u);
    EXPECT_DOUBLE_EQ(warp.efficiency(), 236. / 3200);
    EXPECT_EQ(warp.useful, scalar.useful);
    EXPECT_EQ(group_cost(WarpStudy{}, 32).efficiency(), 0);
}

TEST(WarpStudy, LanesGoDarkAsTheyEscape) {
    const WarpStudy study = by_hand();
    EXPECT_EQ(running_after(study, 0), 17);
    EXPECT_EQ(running_after(study, 1), 16);
    EXPECT_EQ(running_after(study, 16), 1);
    EXPECT_EQ(running_after(study, 99), 1);
    EXPECT_EQ(running_after(study, 100), 0);
}

TEST(WarpStudy, OrbitsEndOutside) {
    FrameJob job = seahorses();
    job.bailout = 2;
    for (const int x : {0, 150, 300}) {
        const WarpStudy study = study_warp(job, {8, 16}, x, 100).value();
        const WarpLane& lane = study.lanes[static_cast<std::size_t>(study.lane)];
        const std::vector<std::complex<double>> orbit = orbit_of(job, x, 100, 10'000);
        ASSERT_EQ(orbit.size(), lane.escapes ? lane.steps + 1 : 10'000);
        EXPECT_EQ(orbit[0], 0.0);
        EXPECT_EQ(orbit[1], lane.c);
        EXPECT_EQ(std::norm(orbit.back()) > 4, lane.escapes);
    }
    EXPECT_EQ(orbit_of(job, 0, 0, 3).size(), 3u);
    job.julia = true;
    job.julia_re = 0.3;
    const std::vector<std::complex<double>> julia = orbit_of(job, 0, 0, 2);
    EXPECT_NEAR(std::abs(julia[1] - (julia[0] * julia[0] + 0.3)), 0, 1e-15);
}

TEST(WarpStudy, RefusesWhatIsNotThere) {
    EXPECT_THROW(study_warp(seahorses(), {8, 16}, 301, 0), BackendError);
    EXPECT_THROW(study_warp(seahorses(), {8, 16}, 0, -1), BackendError);
    EXPECT_THROW(study_warp(seahorses(), {64, 64}, 0, 0), BackendError);
    EXPECT_THROW(orbit_of(seahorses(), 0, 203, 5), BackendError);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(study_warp(seahorses(), {8, 16}, 0, 0, stop.get_token()));
}

}  // namespace
}  // namespace warpscope
