// SPDX-License-Identifier: MIT
// What the CUDA backend records of a frame. Skips without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/engine/device_info.h"
#include "tests/engine/recordings.h"

namespace warpscope {
namespace {

class CudaRecording : public testing::Test {
  protected:
    void SetUp() override {
        const CudaStatus status = cuda_status();
        if (!status.problem.empty()) GTEST_SKIP() << status.problem;
        backend_ = make_backend("cuda");
        device_ = status.devices.front();
    }
    std::unique_ptr<Backend> backend_;
    CudaDevice device_;
};

/// Not a multiple of a block in either direction, and work for all of a GPU.
FrameJob seahorses(Precision precision = Precision::kFloat) {
    FrameJob job;
    job.center_re = -0.745;
    job.center_im = 0.1;
    job.spacing = 2e-5;
    job.width = 1501;
    job.height = 1003;
    job.limit = 5000;
    job.precision = precision;
    return job;
}

Tuning tuned(std::string_view rung, BlockShape block) {
    Tuning tuning = tuning_of(rung);
    tuning.block = block;
    return tuning;
}

constexpr BlockShape kBlocks[] = {{8, 16}, {128, 1}, {32, 32}, {7, 3}};

TEST_F(CudaRecording, TellsOfEveryBlockOnce) {
    for (const Precision precision : {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
        for (const BlockShape block : kBlocks) {
            for (const char* rung : {"naive", "blocks", "closed-form", "refill"}) {
                SCOPED_TRACE(std::string{precision_name(precision)} + " " + rung + " " +
                             std::to_string(block.x) + "x" + std::to_string(block.y));
                const Trace trace = record(*backend_, seahorses(precision), tuned(rung, block));
                ASSERT_EQ(trace_problem(trace), "");
                EXPECT_EQ(trace.unit, TraceUnit::kMultiprocessor);
                EXPECT_EQ(trace.units, device_.sm_count);
                const auto slices = std::ranges::count_if(
                    trace.grids, [](const TraceGrid& grid) { return grid.part.has_value(); });
                EXPECT_EQ(cover(trace),
                          std::vector<int>(pixels(trace.job), static_cast<int>(slices)));
                expect_no_overlap(trace);
                expect_sums(trace, backend_->stats());
                std::set<int> units;
                int wrong = 0;
                for (const Span& span : trace.spans) {
                    units.insert(span.unit);
                    const int warps = trace.grids[span.grid].warps;
                    wrong += span.warp_us > span.duration_us() * warps + 1e-6 ||
                             span.first_warp >= *trace.unit_warps;
                }
                EXPECT_EQ(wrong, 0) << "warps longer than their block, or of no slot";
                EXPECT_EQ(static_cast<int>(units.size()), device_.sm_count);
                if (trace.grids.size() == 1) {
                    // A block may come before those whose warps made room for it have ended.
                    EXPECT_LT(most_resident(trace), 2 * *trace.slots);
                }
                EXPECT_GT(*achieved_occupancy(trace), 0);
                EXPECT_LE(*achieved_occupancy(trace), 1.02);
            }
        }
    }
}

TEST_F(CudaRecording, AgreesWithTheEventsAroundTheKernel) {
    FrameJob job = seahorses();
    job.limit = 50'000;  // a few microseconds between event and kernel are little beside it
    for (const BlockShape block : kBlocks) {
        std::vector<double> ratios;
        for (int i = 0; i < 9; ++i) {
            const Trace trace = record(*backend_, job, tuned("blocks", block));
            ratios.push_back(span_us(trace) / (trace.kernel_ms * 1e3));
        }
        std::ranges::sort(ratios);
        EXPECT_NEAR(ratios[4], 1, 0.05) << block.x << "x" << block.y;
    }
}

TEST_F(CudaRecording, ChangesNoCount) {
    for (const char* rung : {"naive", "blocks", "refill"}) {
        backend_->record(Recording::kOff);
        const std::vector<Sample> want = compute(*backend_, seahorses(), tuning_of(rung));
        backend_->record(Recording::kPixels);
        EXPECT_EQ(differing(want, compute(*backend_, seahorses(), tuning_of(rung))), 0u) << rung;
    }
}

TEST_F(CudaRecording, PixelsTellWhatTheirWarpsDid) {
    for (const char* rung : {"naive", "blocks", "refill"}) {
        SCOPED_TRACE(rung);
        const Trace trace =
            record(*backend_, seahorses(), tuned(rung, {32, 4}), {}, Recording::kPixels);
        ASSERT_EQ(trace.pixel_work.size(), pixels(trace.job));
        for (const PixelWork& work : trace.pixel_work) {
            ASSERT_GE(work.executed, 0);
            ASSERT_LE(work.executed, work.lane_steps);
        }
        if (std::string_view{rung} == "refill") continue;
        // Warps are rows of 32 pixels: each tells the same, and once a warp they add up.
        double executed = 0;
        for (int y = 0; y < trace.job.height; ++y) {
            const PixelWork* row =
                trace.pixel_work.data() + static_cast<std::ptrdiff_t>(y) * trace.job.width;
            for (int x = 0; x < trace.job.width; ++x) ASSERT_EQ(row[x], row[x / 32 * 32]);
            for (int x = 0; x < trace.job.width; x += 32) {
                executed += static_cast<double>(row[x].executed);
            }
        }
        EXPECT_DOUBLE_EQ(executed, static_cast<double>(backend_->stats().executed));
    }
}

TEST_F(CudaRecording, SlicesAndPartsAreGrids) {
    FrameJob job = seahorses();
    job.width = 400;
    job.height = 300;
    const std::vector<Part> parts{{0, 0, 400, 100, 4, 4}, {10, 100, 150, 300, 1, 1}};
    Trace trace = record(*backend_, job, tuned("blocks", {16, 16}), parts);
    EXPECT_EQ(trace_problem(trace), "");
    ASSERT_EQ(trace.grids.size(), 2u);
    EXPECT_EQ(trace.grids[1].part, parts[1]);
    expect_sums(trace, backend_->stats());
    job.limit = 50'000'000;
    job.center_re = -0.1;
    job.center_im = 0;
    trace = record(*backend_, job, tuned("blocks", {16, 16}));
    EXPECT_EQ(trace_problem(trace), "");
    EXPECT_GT(trace.grids.size(), 3u) << "slices";
    expect_sums(trace, backend_->stats());
}

TEST_F(CudaRecording, TooManyBlocksLeaveNoTrace) {
    FrameJob job = seahorses();
    job.limit = 10;
    backend_->record(Recording::kSpans);
    EXPECT_EQ(compute(*backend_, job, tuned("blocks", {1, 1})).size(), pixels(job));
    EXPECT_FALSE(backend_->take_trace());
    EXPECT_EQ(trace_problem(record(*backend_, job, {})), "");
}

}  // namespace
}  // namespace warpscope
