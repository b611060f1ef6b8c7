// SPDX-License-Identifier: MIT
// What the timeline works out of traces, without a window.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/panels/timeline_layout.h"
#include "tests/engine/traces.h"

namespace warpscope {
namespace {

/// 10 microseconds over 100 pixels, rows of 20.
TimelineView ten_a_microsecond() {
    TimelineView view;
    view.time = {0, 10};
    view.width = 100;
    view.height = 40;
    view.pitch = 20;
    return view;
}

/// `spans` blocks on `units` SMs of `slots` places, one after the other, of random length.
Trace busy_trace(int units, int slots, int spans) {
    Trace trace = four_blocks();
    trace.unit = TraceUnit::kMultiprocessor;
    trace.units = units;
    trace.slots = slots;
    trace.grids = {{spans, 1, std::nullopt}};
    std::mt19937 random{7};
    std::vector<double> free_at(static_cast<std::size_t>(units * slots), 0);
    for (int i = 0; i < spans; ++i) {
        const auto place = std::ranges::min_element(free_at);
        const auto number = static_cast<int>(place - free_at.begin());
        const double start = *place, end = start + 1 + static_cast<double>(random() % 100) / 10;
        trace.spans.push_back({0, i, 0, number % units, number / units, start, end, 8, 10});
        *place = end + 0.1;
    }
    arrange(trace);
    return trace;
}

double area(const std::vector<TimelineBar>& bars) {
    double sum = 0;
    for (const TimelineBar& bar : bars) {
        sum += static_cast<double>((bar.right - bar.left) * (bar.bottom - bar.top));
    }
    return sum;
}

TEST(TraceStudy, FindsBlocksByNumberAndByPixel) {
    const auto all = study(two_threads());
    EXPECT_EQ(all->slots, 1);
    EXPECT_EQ(all->rows, (std::vector<std::uint32_t>{0, 2, 4}));
    for (std::size_t i = 0; i < all->trace.spans.size(); ++i) {
        EXPECT_EQ(span_of(*all, block_of(all->trace.spans[i])), i);
    }
    EXPECT_FALSE(span_of(*all, {0, 7, 0}));
    EXPECT_FALSE(span_of(*all, {1, 0, 0}));
    EXPECT_EQ(block_at(all->trace, 7, 7), (BlockId{0, 0, 0}));
    EXPECT_EQ(block_at(all->trace, 8, 7), (BlockId{0, 0, 1}));
    EXPECT_EQ(block_at(all->trace, 15, 15), (BlockId{0, 1, 1}));
    EXPECT_FALSE(block_at(all->trace, 16, 0));
    // Packed blocks have no place; of two grids the later one tells.
    Trace trace = two_threads();
    trace.grids.push_back({1, 1, Part{8, 8, 16, 16, 2, 2}});
    EXPECT_EQ(block_at(trace, 9, 9), (BlockId{1, 0, 0}));
    trace.grids = {{2, 2, std::nullopt}};
    EXPECT_FALSE(block_at(trace, 3, 3));
}

TEST(TraceStudy, WavesAreAsManyBlocksAsFitAtOnce) {
    const auto threads = study(two_threads());
    EXPECT_EQ(threads->waves, (std::vector<std::uint32_t>{0, 0, 1, 1}));
    ASSERT_EQ(threads->wave_starts.size(), 1u);
    EXPECT_EQ(threads->wave_starts[0].us, 4);
    EXPECT_EQ(threads->wave_starts[0].wave, 1u);
    const auto blocks = study(two_multiprocessors());
    EXPECT_EQ(blocks->waves, (std::vector<std::uint32_t>{0, 0, 0, 0}));
    EXPECT_TRUE(blocks->wave_starts.empty());
    EXPECT_EQ(blocks->slots, 2);
}

TEST(TraceStudy, TellsOccupancyOfGpusOnly) {
    const auto threads = study(four_blocks());
    EXPECT_FALSE(threads->achieved);
    EXPECT_FALSE(threads->theoretical);
    Trace trace = busy_trace(4, 2, 60);
    trace.unit_warps = 64;
    for (TraceGrid& grid : trace.grids) grid.warps = 8;
    for (Span& span : trace.spans) span.warp_us = 8 * span.duration_us();
    const auto gpu = study(trace);
    EXPECT_EQ(gpu->theoretical, 0.25);
    ASSERT_TRUE(gpu->achieved);
    EXPECT_GT(*gpu->achieved, 0.2);
    EXPECT_LE(*gpu->achieved, 0.25 + 1e-12);
    ASSERT_EQ(gpu->resident.size(), static_cast<std::size_t>(kResidentBins));
    EXPECT_NEAR(gpu->resident[0], 16, 1e-9);
    EXPECT_LT(gpu->resident.back(), 16);
}

TEST(TimelineLayout, DrawsEachSpanWhereThereIsRoom) {
    const auto all = study(two_threads());
    const std::vector<TimelineBar> bars = lay_out(*all, ten_a_microsecond());
    ASSERT_EQ(bars.size(), 4u);
    const float edges[4][2] = {{0, 40}, {40, 100}, {10, 30}, {50, 60}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_FLOAT_EQ(bars[i].left, edges[i][0]);
        EXPECT_FLOAT_EQ(bars[i].right, edges[i][1]);
        EXPECT_FLOAT_EQ(bars[i].top, i < 2 ? 0.0f : 20.0f);
        EXPECT_TRUE(bars[i].alone);
    }
    // The longest is lightest.
    EXPECT_EQ(bars[1].shade, kBarShades - 1);
    EXPECT_LT(bars[3].shade, bars[2].shade);
}

TEST(TimelineLayout, PlacesHaveLanesWhileTheyFit) {
    const auto all = study(two_multiprocessors());
    TimelineView view = ten_a_microsecond();
    const RowShape row = row_shape(view, all->slots);
    EXPECT_EQ(row.lanes, 2);
    EXPECT_EQ(lay_out(*all, view).size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const TimelineBar bar = bar_of(*all, i, view);
        EXPECT_FLOAT_EQ(bar.top, static_cast<float>(all->trace.spans[i].unit) * 20 +
                                     static_cast<float>(all->trace.spans[i].slot) * row.lane());
        EXPECT_EQ(span_at(*all, view, (bar.left + bar.right) / 2, (bar.top + bar.bottom) / 2), i);
    }
    view.pitch = 4;
    EXPECT_EQ(row_shape(view, all->slots).lanes, 1);
    // 0 to 4 both places of SM 0 are busy, then 4 to 7 as well, then one alone: half as high.
    const std::vector<TimelineBar> bars = lay_out(*all, view);
    const float high = row_shape(view, all->slots).height;
    EXPECT_FLOAT_EQ(bars.front().bottom - bars.front().top, high);
    const auto last =
        std::ranges::find_if(bars, [](const TimelineBar& b) { return b.right == 100; });
    ASSERT_NE(last, bars.end());
    EXPECT_FLOAT_EQ(last->bottom - last->top, high / 2);
}

TEST(TimelineLayout, MergesWhatIsNarrowerThanAPixel) {
    Trace trace = two_threads();
    trace.spans = {{0, 0, 0, 0, 0, 0, 0.01, 1, 1},
                   {0, 1, 0, 0, 0, 0.02, 0.03, 1, 1},
                   {0, 0, 1, 0, 0, 0.04, 0.05, 1, 1},
                   {0, 1, 1, 0, 0, 5, 6, 1, 1}};
    const std::vector<TimelineBar> bars = lay_out(*study(trace), ten_a_microsecond());
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_FALSE(bars[0].alone);
    EXPECT_FLOAT_EQ(bars[0].right, 1);
    EXPECT_TRUE(bars[1].alone);
}

TEST(TimelineLayout, DrawsFewBarsHoweverManySpans) {
    for (const int slots : {1, 16}) {
        const auto all = study(busy_trace(132, slots, 65'000));
        TimelineView view;
        view.time = whole_time(all->trace);
        view.width = 1500;
        view.height = 200;
        for (const float pitch : {1.5f, 6.0f, 60.0f}) {
            view.pitch = pitch;
            for (const BarColor color : {BarColor::kDuration, BarColor::kWave, BarColor::kLanes}) {
                view.color = color;
                const std::vector<TimelineBar> bars = lay_out(*all, view);
                EXPECT_LE(bars.size(), kMostBars);
                // Busy nearly all the time: bars cover nearly all of the rows that are seen.
                const double rows = std::min(132.0, 200 / static_cast<double>(pitch));
                const double whole =
                    rows * 1500 * static_cast<double>(row_shape(view, slots).height);
                EXPECT_GT(area(bars), 0.8 * whole) << slots << ' ' << pitch;
                EXPECT_LT(area(bars), 1.2 * whole) << slots << ' ' << pitch;
            }
        }
        // Close up each is drawn alone.
        view.time = {100, 110};
        view.pitch = 60;
        view.color = BarColor::kDuration;
        const std::vector<TimelineBar> bars = lay_out(*all, view);
        EXPECT_TRUE(std::ranges::all_of(bars, &TimelineBar::alone));
    }
}

TEST(TimelineLayout, FindsTheNearestSpanOfALane) {
    const auto all = study(two_threads());
    const TimelineView view = ten_a_microsecond();
    EXPECT_EQ(span_at(*all, view, 20, 5), 0u);
    EXPECT_EQ(span_at(*all, view, 70, 5), 2u);
    EXPECT_EQ(span_at(*all, view, 20, 25), 1u);
    EXPECT_EQ(span_at(*all, view, 8, 25), 1u) << "2 pixels before it";
    EXPECT_FALSE(span_at(*all, view, 2, 25)) << "idle";
    EXPECT_FALSE(span_at(*all, view, 20, 45)) << "below the last row";
    EXPECT_FALSE(span_at(*all, view, -1, 5));
}

TEST(TimelineLayout, ZoomKeepsTheMomentUnderTheCursor) {
    const TimeRange whole{0, 100};
    const TimeRange close = zoomed(whole, 30, 4, whole);
    EXPECT_DOUBLE_EQ(close.length(), 25);
    EXPECT_DOUBLE_EQ((30 - close.from) / close.length(), 0.3);
    EXPECT_EQ(zoomed(close, 30, 1e-9, whole), whole);
    EXPECT_GT(zoomed(whole, 30, 1e30, whole).length(), 0);
    EXPECT_EQ(moved(close, -1e9, whole), (TimeRange{0, 25}));
    EXPECT_EQ(moved(close, 1e9, whole), (TimeRange{75, 100}));
}

TEST(TimelineLayout, TicksAreRoundAndNameTheirUnit) {
    const auto texts = [](TimeRange range, int wanted) {
        std::vector<std::string> all;
        for (const TimeTick& tick : time_ticks(range, wanted)) all.push_back(tick.text);
        return all;
    };
    EXPECT_EQ(texts({0, 10'000}, 5),
              (std::vector<std::string>{"0 ms", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"}));
    EXPECT_EQ(texts({3, 4}, 2), (std::vector<std::string>{"3.0 µs", "3.5 µs", "4.0 µs"}));
    EXPECT_EQ(texts({999'000, 2'010'000}, 2),
              (std::vector<std::string>{"1.0 s", "1.5 s", "2.0 s"}));
}

TEST(TimelineLayout, WaveLinesKeepTheirDistance) {
    const auto all = study(busy_trace(2, 1, 4000));
    TimelineView view;
    view.time = whole_time(all->trace);
    view.width = 1000;
    const std::vector<WaveStart> shown = shown_waves(*all, view, 50);
    EXPECT_GE(shown.size(), 8u);
    EXPECT_LE(shown.size(), 30u);
    for (std::size_t i = 1; i < shown.size(); ++i) {
        EXPECT_GE(view.x(shown[i].us) - view.x(shown[i - 1].us), 25);
        EXPECT_EQ(shown[i].wave - shown[i - 1].wave, shown[1].wave - shown[0].wave);
    }
}

TEST(TimelineLayout, RowsFitOrScroll) {
    EXPECT_FLOAT_EQ(fitting_pitch(10, 200, 1), 20);
    TimelineView view;
    view.height = 200;
    view.pitch = fitting_pitch(132, 200, 1);
    EXPECT_FLOAT_EQ(view.pitch, 200.0f / 132);
    EXPECT_FLOAT_EQ(most_scroll(400, view), 400 * view.pitch - 200);
    view.pitch = fitting_pitch(2, 200, 1);
    EXPECT_FLOAT_EQ(most_scroll(2, view), 0);
}

}  // namespace
}  // namespace warpscope
