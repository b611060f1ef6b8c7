// SPDX-License-Identifier: MIT
#include "app/motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/format.h"
#include "app/frame_log.h"

namespace warpscope {
namespace {

constexpr PixelPoint kCursor{300, 200, 1280, 720};

State carried_out(State state, const std::vector<Command>& commands) {
    for (const Command& command : commands) state = apply(std::move(state), command).state;
    return state;
}

double distance_in_pixels(const PlanePoint& a, const PlanePoint& b, const View& view) {
    const BigFloat spacing = pixel_spacing(view, 720);
    return std::hypot(((a.re - b.re) / spacing).to_double(), ((a.im - b.im) / spacing).to_double());
}

TEST(Motion, GlidesToExactlyTheZoomAskedForAndKeepsThePoint) {
    State state;
    const PlanePoint before = point_at(state.scene.view, kCursor);
    Motion motion;
    motion.zoom(kCursor, 1.25);
    motion.zoom(kCursor, 1.25);
    int frames = 0;
    for (; motion.moving() && frames < 1000; ++frames) {
        state = carried_out(state, motion.advance(1.0 / 60, Motion::Glide::kAnimated, 720));
        EXPECT_LT(distance_in_pixels(point_at(state.scene.view, kCursor), before, state.scene.view),
                  1e-3);
    }
    EXPECT_GT(frames, 5);
    EXPECT_LT(frames, 60) << "a glide is short";
    EXPECT_NEAR(state.scene.view.zoom.to_double(), 1.5 * 1.25 * 1.25, 1e-9);
}

TEST(Motion, WithoutAnimationJumpsAtOnce) {
    Motion motion;
    motion.zoom(kCursor, 2);
    motion.pan(10, 20);
    EXPECT_EQ(motion.advance(1.0 / 60, Motion::Glide::kAtOnce, 720).size(), 2u);
    EXPECT_FALSE(motion.moving());
}

TEST(Motion, DoubleClickEndsWithThePointInTheMiddle) {
    State state;
    const PlanePoint point = point_at(state.scene.view, kCursor);
    Motion motion;
    motion.zoom_to(kCursor, 2);
    while (motion.moving()) {
        state = carried_out(state, motion.advance(1.0 / 60, Motion::Glide::kAnimated, 720));
    }
    const PlanePoint middle{state.scene.view.re, state.scene.view.im};
    EXPECT_LT(distance_in_pixels(middle, point, state.scene.view), 1e-2);
    EXPECT_NEAR(state.scene.view.zoom.to_double(), 3, 1e-9);
}

TEST(Motion, PansExactlyTheWayAskedFor) {
    State state;
    const PlanePoint point = point_at(state.scene.view, kCursor);
    Motion motion;
    motion.pan(-72, 36);
    while (motion.moving()) {
        state = carried_out(state, motion.advance(1.0 / 60, Motion::Glide::kAnimated, 720));
    }
    const PlanePoint moved = point_at(state.scene.view, {300 - 72, 200 + 36, 1280, 720});
    EXPECT_LT(distance_in_pixels(moved, point, state.scene.view), 1e-6);
}

// Samples can be kept only where frames lie whole pixels apart.
TEST(Motion, PansAndDragsByWholePixelsAndLosesNoneOfThem) {
    Motion motion;
    motion.pan(-73, 7);
    double x = 0, y = 0;
    for (int frames = 0; motion.moving(); ++frames) {
        ASSERT_LT(frames, 100);
        for (const Command& command : motion.advance(1.0 / 60, Motion::Glide::kAnimated, 720)) {
            const Pan& pan = std::get<Pan>(command);
            EXPECT_EQ(pan.dx, std::round(pan.dx));
            EXPECT_EQ(pan.dy, std::round(pan.dy));
            x += pan.dx;
            y += pan.dy;
        }
    }
    EXPECT_EQ(x, -73);
    EXPECT_EQ(y, 7);
    x = y = 0;
    for (int i = 0; i < 100; ++i) {  // a mouse on a screen scaled by 1.5
        const Pan pan = motion.drag(1.5, -0.25, 720);
        EXPECT_EQ(pan.dx, std::round(pan.dx));
        EXPECT_EQ(pan.dy, std::round(pan.dy));
        x += pan.dx;
        y += pan.dy;
    }
    EXPECT_EQ(x, 150);
    EXPECT_EQ(y, -25);
}

TEST(Format, HasThreeSignificantDigitsAndAPrefix) {
    EXPECT_EQ(format_ms(0.213), "213 µs");
    EXPECT_EQ(format_ms(12.44), "12.4 ms");
    EXPECT_EQ(format_ms(1340), "1.34 s");
    EXPECT_EQ(format_ms(0.9996), "1.00 ms") << "rounding carries into the next prefix";
    EXPECT_EQ(format_si(4.1e12, "iter/s"), "4.10 Titer/s");
    EXPECT_EQ(format_si(0, "B/s"), "0 B/s");
    EXPECT_EQ(format_si(std::nan(""), "s"), "— s");
    EXPECT_EQ(format_share(0), "0 %");
    EXPECT_EQ(format_share(3e-9), "0.0000 %");
    EXPECT_EQ(format_share(0.0002), "0.020 %") << "not 0 % for minutes";
    EXPECT_EQ(format_share(0.041), "4.1 %");
    EXPECT_EQ(format_share(0.9999), "99 %") << "not done before the end";
    EXPECT_EQ(format_share(1), "100 %");
    EXPECT_EQ(format_number(0.998), "0.998") << "no thousandths of a thread";
    EXPECT_EQ(format_number(0.99961), "1.00");
    EXPECT_EQ(format_number(12.44), "12.4");
    EXPECT_EQ(format_number(1999.6), "2,000");
    EXPECT_EQ(format_number(0), "0");
    EXPECT_EQ(format_count(2073600), "2,073,600");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_ratio(12.44), "12.4×");
    EXPECT_EQ(format_ratio(3139.2), "3,139×");
    EXPECT_EQ(format_bytes(17.4 * 1024 * 1024), "17.4 MiB");
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_percent(0.875), "87.5 %");
    EXPECT_EQ(format_zoom(std::log2(1.5)), "1.5");
    EXPECT_EQ(format_zoom(std::log2(1.2e40)), "1.20e40");
    EXPECT_EQ(format_seconds_left(0), "1 s");
    EXPECT_EQ(format_seconds_left(11.2), "12 s");
    EXPECT_EQ(format_seconds_left(200), "3 min 20 s");
    EXPECT_EQ(format_seconds_left(7500), "2 h 5 min");
}

TEST(FrameLog, KeepsTheNewestFramesInOrder) {
    FrameLog log;
    for (int i = 0; i < 300; ++i) {
        FrameCost cost;
        cost.total = i;
        if (i % 2 == 0) cost.kernel = i;
        log.add(cost);
    }
    EXPECT_EQ(log.size(), FrameLog::kCapacity);
    EXPECT_EQ(log[0].total, 60);
    EXPECT_EQ(log[FrameLog::kCapacity - 1].total, 299);
    EXPECT_EQ(log.median(&FrameCost::total, 3), 298);
    EXPECT_EQ(log.median(&FrameCost::kernel, 4), 298) << "of 296 and 298 the upper one";
    EXPECT_FALSE(log.median(&FrameCost::copy, 240).has_value());
}

}  // namespace
}  // namespace warpscope
