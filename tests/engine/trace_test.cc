// SPDX-License-Identifier: MIT
// What follows from a trace, on small ones worked out by hand.
#include "kernels/engine/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/engine/traces.h"

namespace warpscope {
namespace {

TEST(Trace, TwoThreadsByHand) {
    const Trace trace = two_threads();
    ASSERT_EQ(trace_problem(trace), "");
    EXPECT_EQ(span_us(trace), 10);
    EXPECT_EQ(sum_us(trace), 4 + 6 + 2 + 1);
    const std::vector<UnitUse> uses = unit_uses(trace);
    ASSERT_EQ(uses.size(), 2u);
    EXPECT_EQ(uses[0].spans, 2);
    EXPECT_EQ(uses[0].active_us, 10);
    EXPECT_EQ(uses[1].active_us, 3);
    EXPECT_EQ(uses[1].resident_us, 3);
    EXPECT_DOUBLE_EQ(busy_share(uses[0], trace), 1);
    EXPECT_DOUBLE_EQ(busy_share(uses[1], trace), 0.3);
    EXPECT_DOUBLE_EQ(busy_share(trace), 0.65);
    EXPECT_DOUBLE_EQ(lane_efficiency(trace), 0.75);
    EXPECT_EQ(waves(trace)->waves, 2);
    EXPECT_EQ(waves(trace)->tail_efficiency, 1);
    EXPECT_FALSE(achieved_occupancy(trace));
}

TEST(Trace, TailBeginsWhenTheFirstUnitHasNothingMoreToStart) {
    Trace trace = two_threads();
    EXPECT_EQ(tails(trace), (std::vector<Tail>{{6, 10}}));
    EXPECT_EQ(summarize(trace).tail_us, 4);
    EXPECT_DOUBLE_EQ(summarize(trace).tail_share, 0.4);
    trace.units = 3;  // one that never had anything
    EXPECT_EQ(tails(trace), (std::vector<Tail>{{0, 10}}));
    EXPECT_EQ(summarize(trace).tail_share, 1);
    EXPECT_DOUBLE_EQ(busy_share(trace), 1.3 / 3);
}

TEST(Trace, EveryLaunchHasATailOfItsOwn) {
    Trace trace = two_threads();
    trace.grids.push_back(trace.grids[0]);
    trace.grids.push_back(trace.grids[0]);  // of which nothing was recorded
    trace.spans[2].grid = trace.spans[3].grid = 1;
    ASSERT_EQ(trace_problem(trace), "");
    EXPECT_EQ(tails(trace), (std::vector<Tail>{{3, 4}, {6, 10}}));
    EXPECT_EQ(summarize(trace).tail_us, 5);
    EXPECT_DOUBLE_EQ(summarize(trace).tail_share, 0.5);
}

TEST(Trace, TwoMultiprocessorsByHand) {
    Trace trace = two_multiprocessors();
    ASSERT_EQ(trace_problem(trace), "");
    const std::vector<UnitUse> uses = unit_uses(trace);
    EXPECT_EQ(uses[0].active_us, 10) << "the union, not the sum";
    EXPECT_EQ(uses[0].resident_us, 17);
    // 45 warp-us in 16 us of active SMs that hold 8 warps.
    EXPECT_DOUBLE_EQ(*achieved_occupancy(trace), 45. / 16 / 8);
    // The block that starts at 4 takes the place of the one that ends there; at 6 nothing does.
    EXPECT_EQ(tails(trace), (std::vector<Tail>{{6, 10}}));
    EXPECT_EQ(most_resident(trace), 2);
    EXPECT_EQ(waves(trace)->waves, 1);
    trace.slots = 4;  // half a wave: the grid is too small for the GPU
    EXPECT_EQ(waves(trace)->waves, 0.5);
    EXPECT_EQ(waves(trace)->tail_efficiency, 0.5);
    trace.slots.reset();
    EXPECT_EQ(waves(trace)->waves, 1) << "by what was seen";
}

TEST(Trace, ConcurrencyIsAStepCurveOfWarps) {
    using Steps = std::vector<ConcurrencyStep>;
    EXPECT_EQ(concurrency(two_threads()), (Steps{{0, 1}, {1, 2}, {3, 1}, {5, 2}, {6, 1}, {10, 0}}));
    EXPECT_EQ(concurrency(two_threads(), 1), (Steps{{1, 1}, {3, 0}, {5, 1}, {6, 0}}));
    EXPECT_EQ(concurrency(two_multiprocessors()), (Steps{{0, 6}, {6, 4}, {7, 2}, {10, 0}}));
    EXPECT_EQ(concurrency(two_multiprocessors(), 0), (Steps{{0, 4}, {7, 2}, {10, 0}}));
}

TEST(Trace, ResidentWarpsOverTimeAreThoseOfAUnit) {
    const std::vector<double> tiles = resident_over_time(two_threads(), 10);
    EXPECT_EQ(tiles, (std::vector<double>{0.5, 1, 1, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 0.5}));
    EXPECT_EQ(resident_over_time(two_threads(), 1), std::vector<double>{0.65});
    // 2, then 2, 11 of 12 and 2 warps; then what is left: (20 of 10 us, and 6 of 3) on two SMs.
    const std::vector<double> warps = resident_over_time(two_multiprocessors(), 10);
    EXPECT_NEAR(warps[0], (2 + 2 + 11.0 / 6) / 2, 1e-12);
    EXPECT_NEAR(warps[5], (2 + 2 + 11.0 / 6) / 2, 1e-12);
    EXPECT_NEAR(warps[6], 2, 1e-12);
    EXPECT_NEAR(warps[9], 1, 1e-12);
}

TEST(Trace, ResidentWarpsAddUpToThoseOfTheUnits) {
    for (const Trace& trace : {two_threads(), two_multiprocessors()}) {
        double warp_us = 0;
        for (const UnitUse& use : unit_uses(trace)) warp_us += use.warp_us;
        for (const int bins : {1, 3, 7, 256}) {
            double sum = 0;
            for (const double resident : resident_over_time(trace, bins)) sum += resident;
            EXPECT_NEAR(sum * trace.units * span_us(trace) / bins, warp_us, 1e-9) << bins;
        }
    }
}

TEST(Trace, TheoreticalOccupancyNeedsPlacesAndWarps) {
    EXPECT_EQ(theoretical_occupancy(two_multiprocessors()), 0.5);
    EXPECT_FALSE(theoretical_occupancy(two_threads()));
}

TEST(Trace, BlocksTakeThePlaceThatIsFreeForLongest) {
    Trace trace = two_multiprocessors();
    for (Span& span : trace.spans) span.slot = 77;
    arrange(trace);
    std::vector<int> slots;
    for (const Span& span : trace.spans) slots.push_back(span.slot);
    EXPECT_EQ(slots, (std::vector<int>{0, 1, 0, 1}));
}

TEST(Trace, PlacedBlocksWaitForTheirFirstInstruction) {
    Trace trace = two_multiprocessors();
    trace.grids.push_back({1, 1, std::nullopt, 4});  // another launch, two of whose blocks fit
    trace.spans = {{0, 0, 0, 0, 0, 0, 10, 30, 40, 20},
                   {0, 1, 0, 0, 1, 0, 4, 10, 10, 8},
                   {0, 1, 1, 0, 1, 7, 9, 9, 10, 4},
                   {1, 0, 0, 0, 0, 12, 14, 9, 10, 8}};
    arrange(trace);
    EXPECT_EQ(trace_problem(trace), "");
    EXPECT_EQ(trace.spans[1].placed_us, 0);
    EXPECT_EQ(trace.spans[2].placed_us, 4) << "since the block before it left";
    EXPECT_EQ(trace.spans[3].placed_us, 10) << "since the launch before it ended";
    EXPECT_EQ(unit_uses(trace)[0].active_us, 14);
    EXPECT_EQ(unit_uses(trace)[0].warp_us, 20 + 8 + (4 + 3 * 2) + (8 + 2 * 4));
    EXPECT_EQ(concurrency(trace), (std::vector<ConcurrencyStep>{{0, 4}, {9, 2}, {10, 4}, {14, 0}}));
}

TEST(Trace, ArrangingOrdersAndMovesToZero) {
    Trace trace = two_threads();
    std::reverse(trace.spans.begin(), trace.spans.end());
    for (Span& span : trace.spans) {
        span.start_us += 5;
        span.end_us += 5;
    }
    EXPECT_NE(trace_problem(trace), "");
    arrange(trace);
    EXPECT_EQ(trace.spans, two_threads().spans);
}

TEST(Trace, WithoutSpansIsAllZero) {
    Trace trace = two_threads();
    trace.spans.clear();
    EXPECT_EQ(trace_problem(trace), "");
    const TraceSummary summary = summarize(trace);
    EXPECT_EQ(summary.span_us, 0);
    EXPECT_EQ(summary.busy, 0);
    EXPECT_TRUE(summary.tails.empty());
    EXPECT_EQ(summary.tail_share, 0);
    EXPECT_EQ(summary.lane_efficiency, 0);
    EXPECT_FALSE(summary.waves);
    EXPECT_TRUE(concurrency(trace).empty());
    EXPECT_EQ(resident_over_time(trace, 3), std::vector<double>(3, 0));
    EXPECT_TRUE(histogram({}, 10).empty());
}

TEST(Trace, BlocksShorterThanTheClocksTickCountForNothing) {
    Trace trace = two_threads();
    for (Span& span : trace.spans) span.placed_us = span.start_us = span.end_us = 0;
    EXPECT_EQ(trace_problem(trace), "");
    EXPECT_EQ(summarize(trace).tail_us, 0);
    EXPECT_EQ(summarize(trace).tail_share, 0);
    EXPECT_EQ(busy_share(trace), 0);
    EXPECT_TRUE(concurrency(trace).empty());
    EXPECT_EQ(resident_over_time(trace, 2), std::vector<double>(2, 0));
    trace.slots.reset();
    EXPECT_EQ(waves(trace)->waves, 2) << "one at a time at least";
}

TEST(Trace, SummaryHoldsAllOfIt) {
    const TraceSummary threads = summarize(two_threads());
    EXPECT_EQ(threads.spans, 4u);
    EXPECT_EQ(threads.span_us, 10);
    EXPECT_EQ(threads.sum_us, 13);
    EXPECT_DOUBLE_EQ(threads.busy, 0.65);
    EXPECT_DOUBLE_EQ(threads.least_busy, 0.3);
    EXPECT_DOUBLE_EQ(threads.most_busy, 1);
    EXPECT_DOUBLE_EQ(threads.mean_warps, 1.3);
    EXPECT_EQ(threads.durations_us.median, 3);
    EXPECT_EQ(threads.durations_us.max, 6);
    EXPECT_DOUBLE_EQ(summarize(two_multiprocessors()).mean_warps, 4.5);
}

TEST(Trace, HistogramCountsEveryValueOnce) {
    const std::vector<HistogramBin> bins = histogram({0, 1, 2, 3, 4}, 2);
    ASSERT_EQ(bins.size(), 2u);
    EXPECT_EQ(bins[0].from, 0);
    EXPECT_EQ(bins[0].to, 2);
    EXPECT_EQ(bins[0].count, 2u);
    EXPECT_EQ(bins[1].to, 4);
    EXPECT_EQ(bins[1].count, 3u) << "the largest belongs to the last bin";
    ASSERT_EQ(histogram({7, 7, 7}, 5).size(), 1u);
    EXPECT_EQ(histogram({7, 7, 7}, 5)[0].count, 3u);
    std::size_t all = 0;
    for (const HistogramBin& bin : histogram({0.1, 0.2, 0.3, 0.7}, 7)) all += bin.count;
    EXPECT_EQ(all, 4u);
}

TEST(Trace, RegionsAreThePixelsOfABlock) {
    Trace trace = two_multiprocessors();  // 16x16 pixels in blocks of 8x8
    trace.job.width = 100;
    trace.job.height = 50;
    trace.grids = {{13, 7, whole_of(trace.job)}, {4, 2, Part{3, 5, 90, 40, 4, 3}}, {9, 1, {}}};
    EXPECT_EQ(region(trace, {.grid = 0, .x = 1, .y = 2}), (Part{8, 16, 16, 24}));
    EXPECT_EQ(region(trace, {.grid = 0, .x = 12, .y = 6}), (Part{96, 48, 100, 50}));
    EXPECT_EQ(region(trace, {.grid = 1, .x = 0, .y = 1}), (Part{3, 29, 35, 40, 4, 3}));
    EXPECT_EQ(region(trace, {.grid = 1, .x = 3, .y = 0}), std::nullopt) << "no pixel left";
    EXPECT_EQ(region(trace, {.grid = 2, .x = 8, .y = 0}), std::nullopt) << "packed orbits";
}

TEST(Trace, SaysWhatIsImpossible) {
    const auto expect = [](const std::string& word, const std::function<void(Trace&)>& damage) {
        Trace trace = two_multiprocessors();
        damage(trace);
        EXPECT_NE(trace_problem(trace).find(word), std::string::npos)
            << '"' << trace_problem(trace) << "\" does not say " << word;
    };
    expect("limit", [](Trace& trace) { trace.job.limit = 0; });
    expect("units", [](Trace& trace) { trace.units = 0; });
    expect("edges", [](Trace& trace) { trace.shape.x = 0; });
    expect("slots", [](Trace& trace) { trace.slots = 0; });
    expect("warps", [](Trace& trace) { trace.unit_warps = -1; });
    expect("kernel", [](Trace& trace) { trace.kernel_ms = std::nan(""); });
    expect("grid 0", [](Trace& trace) { trace.grids[0].x = 0; });
    expect("within the frame", [](Trace& trace) { trace.grids[0].part->x1 = 17; });
    expect("32768", [](Trace& trace) { trace.grids[0].part->step_x = 1 << 30; });
    expect("grid that is not there", [](Trace& trace) { trace.spans[1].grid = 1; });
    expect("span 1 is block (2, 0)", [](Trace& trace) { trace.spans[1].x = 2; });
    expect("unit 2 of 2", [](Trace& trace) { trace.spans[3].unit = 2; });
    expect("slot", [](Trace& trace) { trace.spans[3].slot = -1; });
    expect("ends before", [](Trace& trace) { trace.spans[3].end_us = 3; });
    expect("before the one before", [](Trace& trace) { trace.spans[2].start_us = 5; });
    expect("start at 0", [](Trace& trace) { trace.spans[0].start_us = 1; });
    expect("finite",
           [](Trace& trace) { trace.spans[3].end_us = std::numeric_limits<double>::infinity(); });
}

}  // namespace
}  // namespace warpscope
