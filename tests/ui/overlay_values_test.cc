// SPDX-License-Identifier: MIT
// Colours, values, scales and texts of overlays, without a window.
#include "app/overlay_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/input.h"
#include "app/overlay_colors.h"
#include "app/session/color_space.h"
#include "kernels/deep/precision.h"
#include "tests/engine/traces.h"

namespace warpscope {
namespace {

Rgb lab_of(std::uint32_t rgba) {
    const auto channel = [rgba](int shift) { return (rgba >> shift & 255u) / 255.0; };
    return oklab_from_linear(linear_from_srgb({channel(0), channel(8), channel(16)}));
}

double distance(const Rgb& a, const Rgb& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(OverlayColors, TheScaleIsEvenAndGrowsLighter) {
    const OverlayColors colors = overlay_colors();
    constexpr std::size_t kStride = 16;  // single steps are lost in 8 bits
    std::vector<double> steps;
    for (std::size_t i = kStride; i < kOverlayColors; i += kStride) {
        const Rgb before = lab_of(colors.scale[i - kStride]), now = lab_of(colors.scale[i]);
        steps.push_back(distance(before, now));
        EXPECT_GT(now[0], before[0] + 0.02) << "grey tells it too, at " << i;
    }
    const auto [least, most] = std::ranges::minmax(steps);
    EXPECT_LT(most / least, 1.1);
    EXPECT_LT(lab_of(colors.scale.front())[0], 0.3);
    EXPECT_GT(lab_of(colors.scale.back())[0], 0.93);
}

TEST(OverlayColors, NeighbouringCategoriesAreNeverAlike) {
    const OverlayColors colors = overlay_colors();
    for (std::size_t i = 0; i < kOverlayColors; ++i) {
        const Rgb lab = lab_of(colors.categories[i]);
        for (std::size_t k = 1; k <= 2 && i + k < kOverlayColors; ++k) {
            const Rgb other = lab_of(colors.categories[i + k]);
            EXPECT_GT(distance(lab, other), 0.13) << i << " and " << i + k;
            EXPECT_GT(std::abs(lab[0] - other[0]), 0.1) << "told apart by lightness alone";
        }
    }
}

TEST(OverlayColors, WhatIsNoValueIsGrey) {
    const OverlayColors colors = overlay_colors();
    for (const std::uint32_t color : {colors.interior, colors.missing}) {
        const Rgb lab = lab_of(color);
        EXPECT_LT(std::hypot(lab[1], lab[2]), 0.02);
    }
}

TraceValues worked_out(const Trace& trace, OverlayKind kind) {
    return trace_values(std::make_shared<const Trace>(trace), kind);
}

std::vector<float> values_of(const Trace& trace, OverlayKind kind) {
    std::vector<float> values;
    for (const Cell& cell : worked_out(trace, kind).cells) values.push_back(cell.value);
    return values;
}

TEST(OverlayValues, AreThoseOfTheBlocks) {
    const Trace trace = two_multiprocessors();
    ASSERT_EQ(trace_problem(trace), "");
    // Cells are blocks (0, 0), (1, 0), (0, 1), (1, 1); spans come in the order of their starts.
    using Values = std::vector<float>;
    EXPECT_EQ(values_of(trace, OverlayKind::kLanes), (Values{0.75f, 1, 0.625f, 0.9f}));
    EXPECT_EQ(values_of(trace, OverlayKind::kWho), (Values{0, 0, 1, 0}));
    EXPECT_EQ(values_of(trace, OverlayKind::kPlace), (Values{0, 1, 0, 1}));
    EXPECT_EQ(values_of(trace, OverlayKind::kBlock), (Values{0, 1, 2, 3}));
    EXPECT_EQ(values_of(trace, OverlayKind::kOrder), (Values{1, 2, 3, 4}));
    EXPECT_EQ(values_of(trace, OverlayKind::kDuration), (Values{10, 4, 6, 3}));
    const TraceValues values = worked_out(trace, OverlayKind::kBlock);
    EXPECT_EQ(values.cell_to_span, (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(values.cells[3].start_us, 4);
    EXPECT_EQ(values.cells[3].end_us, 7);
    EXPECT_EQ(values.cells[0].flags, Cell::kHasValue);
    EXPECT_EQ(values.cells[1].flags, Cell::kHasValue | Cell::kShaded);
    EXPECT_EQ(values.cells[3].flags, Cell::kHasValue);
}

TEST(OverlayValues, BlocksThatWereNotRecordedHaveNone) {
    Trace trace = two_threads();
    trace.spans.pop_back();
    trace.spans.back().lane_steps = trace.spans.back().executed = 0;
    const TraceValues values = worked_out(trace, OverlayKind::kLanes);
    EXPECT_EQ(values.cells[2].flags, 0u) << "every pixel of it was known beforehand";
    EXPECT_EQ(values.cells[3].flags, 0u);
    EXPECT_EQ(values.cell_to_span, (std::vector{0, 1, 2, -1}));
}

TEST(OverlayValues, PixelsThatTellOfTheirWarpsAreShownByThemselves) {
    Trace trace = two_multiprocessors();
    trace.pixel_work.assign(16 * 16, {30, 40});
    trace.pixel_work[1] = {};
    trace.pixel_work[2] = {7, 7};
    const TraceValues values = worked_out(trace, OverlayKind::kLanes);
    ASSERT_EQ(values.levels.size(), trace.pixel_work.size());
    EXPECT_EQ(values.levels[0], level_of(0.75f));
    EXPECT_EQ(values.levels[1], kNoLevel);
    EXPECT_EQ(values.levels[2], level_of(1));
    EXPECT_EQ(pixel_text(trace, 0), "75.0 %");
    EXPECT_EQ(pixel_text(trace, 1), "no steps");
    EXPECT_TRUE(worked_out(trace, OverlayKind::kWho).levels.empty());
    EXPECT_EQ(recording_for(OverlayKind::kLanes), Recording::kPixels);
    EXPECT_EQ(recording_for(OverlayKind::kWho), Recording::kSpans);
    EXPECT_EQ(recording_for(OverlayKind::kIterations), Recording::kOff);
}

TEST(OverlayValues, ScalesFitTheTrace) {
    const Trace trace = two_multiprocessors();
    const auto range = [&](OverlayKind kind) { return worked_out(trace, kind).range; };
    EXPECT_EQ(range(OverlayKind::kLanes).low, 0);
    EXPECT_EQ(range(OverlayKind::kLanes).high, 1);
    EXPECT_EQ(range(OverlayKind::kWho).scale, OverlayScale::kCategories);
    EXPECT_EQ(range(OverlayKind::kWho).high, 1) << "units, idle ones included";
    EXPECT_EQ(range(OverlayKind::kOrder).low, 1);
    EXPECT_EQ(range(OverlayKind::kOrder).high, 4);
    EXPECT_EQ(range(OverlayKind::kDuration).scale, OverlayScale::kLog);
    EXPECT_EQ(range(OverlayKind::kDuration).low, 3);
    EXPECT_EQ(range(OverlayKind::kDuration).high, 10);
    Trace instant = trace;
    for (Span& span : instant.spans) span.end_us = span.start_us;
    const ValueRange none = worked_out(instant, OverlayKind::kDuration).range;
    EXPECT_GT(none.low, 0);
    EXPECT_GT(none.high, none.low);
}

TEST(OverlayValues, TextsNameUnitsAndBlocks) {
    const Trace gpu = two_multiprocessors(), cpu = two_threads();
    EXPECT_EQ(value_text(gpu, 2, OverlayKind::kWho), "SM 1");
    EXPECT_EQ(value_text(cpu, 1, OverlayKind::kWho), "thread 1");
    EXPECT_EQ(value_text(gpu, 0, OverlayKind::kLanes), "75.0 %");
    EXPECT_EQ(value_text(gpu, 3, OverlayKind::kBlock), "block 3");
    EXPECT_EQ(value_text(gpu, 3, OverlayKind::kOrder), "4 of 4");
    EXPECT_EQ(value_text(gpu, 3, OverlayKind::kPlace), "place 1");
    EXPECT_EQ(value_text(gpu, 0, OverlayKind::kDuration), "10.0 µs");
    EXPECT_EQ(span_text(cpu, 2), "tile (0, 1) on thread 0, 6.00 µs from 4.00 µs on");
    EXPECT_EQ(title_of(OverlayKind::kWho, TraceUnit::kMultiprocessor), "Who: SM");
    EXPECT_EQ(title_of(OverlayKind::kBlock, TraceUnit::kThread), "Who: tile number");
}

TEST(OverlayValues, KindsFollowEachOtherRound) {
    OverlayKind kind = OverlayKind::kNone;
    for (const OverlayInfo& overlay : overlay_infos()) {
        EXPECT_EQ(overlay.kind, kind);
        EXPECT_EQ(&info(kind), &overlay);
        kind = after(kind);
    }
    EXPECT_EQ(kind, OverlayKind::kNone);
    EXPECT_FALSE(needs_trace(OverlayKind::kIterations));
    EXPECT_TRUE(needs_trace(OverlayKind::kLanes));
    EXPECT_TRUE(std::ranges::any_of(
        key_help(), [](const KeyHelp& help) { return std::string_view{help.keys} == "O"; }));
}

std::string ticks(OverlayKind kind, const ValueRange& range) {
    std::string text;
    for (const LegendTick& tick : legend_ticks(kind, range)) text += tick.text + "|";
    return text;
}

TEST(Legend, NumbersAreRoundAndKeepTheirDistance) {
    EXPECT_EQ(ticks(OverlayKind::kLanes, {}), "0 %|50 %|100 %|");
    EXPECT_EQ(ticks(OverlayKind::kIterations, {OverlayScale::kLog, 1, 10000}),
              "1|10|100|1,000|10,000|");
    EXPECT_EQ(ticks(OverlayKind::kIterations, {OverlayScale::kLog, 17, 17}), "17|");
    EXPECT_EQ(ticks(OverlayKind::kWho, {OverlayScale::kCategories, 0, 3}), "0|1|2|3|");
    EXPECT_EQ(ticks(OverlayKind::kWho, {OverlayScale::kCategories, 0, 131}), "0|50|131|");
    EXPECT_EQ(ticks(OverlayKind::kOrder, {OverlayScale::kLinear, 1, 3}), "1|2|3|");
    EXPECT_EQ(ticks(OverlayKind::kDuration, {OverlayScale::kLog, 20, 2000}),
              "20.0 µs|100 µs|2.00 ms|");
    for (const float high : {2.0f, 37.0f, 1e3f, 3e6f, 4e9f}) {
        for (const OverlayScale scale : {OverlayScale::kLinear, OverlayScale::kLog}) {
            const std::vector<LegendTick> all =
                legend_ticks(OverlayKind::kIterations, {scale, 1, high});
            EXPECT_GE(all.size(), 2u);
            EXPECT_LE(all.size(), 6u);
            EXPECT_EQ(all.front().at, 0);
            EXPECT_EQ(all.back().at, 1);
            EXPECT_TRUE(std::ranges::is_sorted(all, {}, &LegendTick::at));
        }
    }
}

TEST(CountDensity, HoldsEveryPixelOnce) {
    CountSummary counts;
    counts.bins[0] = 500;  // inside
    for (const std::uint32_t count : {4u, 5u, 5u, 90u, 300u, 301u, 70'000u}) {
        ++counts.bins[count_bin(count)];
    }
    counts.least = 4;
    counts.most = 70'000;
    const std::vector<CountDensity> density = count_density(counts, 40);
    EXPECT_LE(density.size(), 50u);
    EXPECT_GT(density.size(), 30u);
    EXPECT_TRUE(std::ranges::is_sorted(density, {}, &CountDensity::count));
    // The middle between two bounds gives them back one after the other.
    double share = 0, from = 4;
    for (const CountDensity& part : density) {
        const double to = part.count * part.count / from;
        share += part.per_octave * std::log2(to / from);
        from = to;
    }
    EXPECT_NEAR(share, 1, 1e-9);
    EXPECT_GT(from, 70'000);
    EXPECT_TRUE(count_density(CountSummary{}, 40).empty());
}

TEST(TracePlace, AJobsViewIsWhereItsFrameLies) {
    Scene scene;
    scene.view.re = BigFloat::parse("-0.74364388703715");
    scene.view.im = BigFloat::parse("0.13182590420531");
    for (const double zoom : {1.0, 1e3, 1e9}) {
        scene.view.zoom = BigFloat{zoom};
        const GridFrame frame = *plan_on_grid(scene, 640, 360);
        const Reprojection map = reproject(view_of(frame.job), 16.0 / 9, frame.view, 16.0 / 9);
        EXPECT_NEAR(map.scale_x, 1, 1e-12);
        EXPECT_NEAR(map.shift_x * 640, 0, 0.01);
        EXPECT_NEAR(map.shift_y * 360, 0, 0.01);
    }
}

TEST(TracePlace, TellsWholeFramesFromPasses) {
    Trace trace = two_threads();
    EXPECT_TRUE(covers_frame(trace));
    EXPECT_TRUE(has_places(trace));
    trace.grids[0].part->step_x = 2;
    EXPECT_FALSE(covers_frame(trace));
    trace.grids[0].part.reset();
    EXPECT_TRUE(covers_frame(trace)) << "packed orbits are of whole frames";
    EXPECT_FALSE(has_places(trace));
    FrameJob job = trace.job, jittered = job;
    jittered.shift_x += 0.4;
    EXPECT_TRUE(same_picture(job, jittered));
    jittered.shift_x += 1;
    EXPECT_FALSE(same_picture(job, jittered));
    jittered = job;
    jittered.limit += 1;
    EXPECT_FALSE(same_picture(job, jittered));
}

}  // namespace
}  // namespace warpscope
