// SPDX-License-Identifier: MIT
// Overlays of what the CPU computes, from the frame loop to the pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "app/overlay_director.h"
#include "tests/ui/sized_surface.h"

namespace warpscope {
namespace {

class OverlayDirectorTest : public testing::Test {
  protected:
    static constexpr Extent kSize{320, 200};

    void SetUp() override {
        try {
            surface_.emplace(kSize);
        } catch (const GlError& error) {
            GTEST_SKIP() << error.what();
        }
        loop_.emplace(*surface_, Effort::kComplete, InteropChoice::kOff, 0);
        overlays_.emplace(Effort::kComplete);
        state_.backend = "cpu";
        state_.tuning.cpu_tile = 32;
        state_.tuning.cpu_threads = 2;
        choice_.opacity = 1;
    }

    /// One frame of the window; returns what it shows.
    std::vector<std::uint32_t> frame() {
        loop_->record(recording_for(choice_.kind));
        State state = state_;
        if (loop_->wants_recorded_frame()) state.settings.pace = Pace::kLive;
        loop_->compute(state, {kSize.width, kSize.height, true, now_}, 100);
        painted_ = overlays_->prepare(choice_, {*loop_, state_, kSize, cursor_, 0.1, now_});
        loop_->draw(state_, 0, painted_);
        now_ += 1;
        return surface_->read_pixels();
    }

    static std::uint32_t at(const std::vector<std::uint32_t>& pixels, int x, int y) {
        return pixels[static_cast<std::size_t>(y * kSize.width + x)] | 0xff000000u;
    }

    static PixelPoint point(int x, int y) { return {x + 0.5, y + 0.5, kSize.width, kSize.height}; }

    State state_;
    OverlayChoice choice_;
    std::optional<PixelPoint> cursor_;
    double now_ = 0;
    Overlay* painted_ = nullptr;
    std::optional<SizedSurface> surface_;
    std::optional<FrameLoop> loop_;
    std::optional<OverlayDirector> overlays_;
};

TEST_F(OverlayDirectorTest, NothingIsDoneWhileNoneIsChosen) {
    frame();
    EXPECT_EQ(painted_, nullptr);
    EXPECT_EQ(loop_->newest_trace(), nullptr);
    EXPECT_EQ(overlays_->counts(), nullptr);
    EXPECT_FALSE(overlays_->moving());
    EXPECT_FALSE(overlays_->range());
}

TEST_F(OverlayDirectorTest, CountsAreThoseOfTheSamples) {
    state_.settings.pace = Pace::kEconomy;
    choice_.kind = OverlayKind::kIterations;
    frame();
    EXPECT_TRUE(overlays_->moving()) << "a histogram is under way";
    const std::vector<Sample> samples = loop_->read_samples();  // waits
    cursor_ = point(40, 30);
    frame();
    ASSERT_NE(overlays_->counts(), nullptr);
    const CountSummary& counts = *overlays_->counts();
    EXPECT_EQ(counts.pixels(), samples.size());
    EXPECT_EQ(counts.bins[0], std::ranges::count(samples, std::uint32_t{0}, &Sample::count));
    glFinish();
    const std::vector<std::uint32_t> seen = frame();
    EXPECT_EQ(overlays_->count_at_cursor(), samples[30 * 320 + 40].count);
    ASSERT_TRUE(overlays_->range());
    EXPECT_EQ(overlays_->range()->low, static_cast<float>(counts.least));
    const OverlayColors& colors = overlays_->colors();
    EXPECT_EQ(at(seen, 160, 100), colors.interior) << "the middle is inside the set";
    const auto is_least = [&](const Sample& sample) { return sample.count == counts.least; };
    const auto least = std::ranges::find_if(samples, is_least) - samples.begin();
    EXPECT_EQ(at(seen, static_cast<int>(least % 320), static_cast<int>(least / 320)),
              colors.scale.front());
    frame();
    EXPECT_FALSE(overlays_->moving()) << "the same job is counted once";
}

TEST_F(OverlayDirectorTest, EachTileHasItsThreadsColour) {
    choice_.kind = OverlayKind::kWho;
    const std::vector<std::uint32_t> seen = frame();
    ASSERT_NE(painted_, nullptr);
    const Trace& trace = *overlays_->trace();
    EXPECT_EQ(trace.spans.size(), 70u);
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        const std::optional<Part> part = region(trace, trace.spans[i]);
        ASSERT_TRUE(part);
        const std::uint32_t color =
            overlays_->colors().categories[static_cast<std::size_t>(trace.spans[i].unit)];
        EXPECT_EQ(at(seen, part->x0, part->y0), color);
        EXPECT_EQ(at(seen, part->x1 - 1, part->y1 - 1), color);
    }
    cursor_ = point(100, 70);
    frame();
    ASSERT_TRUE(overlays_->span_at_cursor());
    const Span& span = overlays_->trace()->spans[*overlays_->span_at_cursor()];
    EXPECT_EQ(span.x, 3);
    EXPECT_EQ(span.y, 2);
}

TEST_F(OverlayDirectorTest, ItSticksToThePictureUntilTheNextOneIsThere) {
    choice_.kind = OverlayKind::kBlock;
    const std::vector<std::uint32_t> still = frame();
    state_.paused = true;
    state_.scene.view = pan(state_.scene.view, 20, -10, kSize.height);
    const std::vector<std::uint32_t> moved = frame();
    EXPECT_EQ(at(moved, 120, 60), at(still, 100, 70));
    EXPECT_EQ(at(moved, 52, 21), at(still, 32, 31));
    EXPECT_EQ(at(moved, 51, 21), at(still, 31, 31));
    state_.scene.formula = Formula::kBurningShip;
    frame();
    EXPECT_EQ(painted_, nullptr) << "another set's blocks say nothing about this one";
    EXPECT_NE(overlays_->problem(), "");
}

TEST_F(OverlayDirectorTest, ARestingPictureIsRecordedOnce) {
    state_.settings.pace = Pace::kEconomy;
    frame();
    choice_.kind = OverlayKind::kDuration;
    frame();
    frame();
    ASSERT_NE(painted_, nullptr) << "computed again for the recording";
    const std::uint64_t frames = loop_->frames_computed();
    frame();
    frame();
    EXPECT_EQ(loop_->frames_computed(), frames);
    choice_.kind = OverlayKind::kLanes;
    frame();
    EXPECT_EQ(loop_->frames_computed(), frames) << "another view of the same recording";
    state_.tuning.cpu_tile = 64;
    frame();
    ASSERT_NE(overlays_->trace(), nullptr);
    EXPECT_EQ(overlays_->trace()->shape.x, 64);
}

TEST_F(OverlayDirectorTest, TheClockRunsAndComesRound) {
    choice_.kind = OverlayKind::kOrder;
    frame();
    const Trace* watched = overlays_->trace();
    ASSERT_NE(watched, nullptr);
    const double end = span_us(*watched);
    EXPECT_NEAR(static_cast<double>(overlays_->ms_per_second(choice_)) * 6e3, end, 0.01 * end);
    choice_.playing = true;
    choice_.clock_us = 0;
    choice_.ms_per_second = static_cast<float>(end * 1e-3 / 0.45);  // frames are 0.1 s apart
    frame();
    EXPECT_TRUE(overlays_->moving());
    EXPECT_NEAR(*choice_.clock_us, end / 4.5, 0.01 * end);
    EXPECT_EQ(overlays_->trace(), watched) << "held while it is watched";
    for (int i = 0; i < 6; ++i) frame();
    EXPECT_GT(*choice_.clock_us, end) << "rests at the end";
    for (int i = 0; i < 20 && *choice_.clock_us > end; ++i) frame();
    EXPECT_LT(*choice_.clock_us, end) << "begins anew";
    choice_.playing = false;
    const double paused = *choice_.clock_us;
    frame();
    EXPECT_EQ(*choice_.clock_us, paused);
    EXPECT_FALSE(overlays_->moving());
}

TEST_F(OverlayDirectorTest, BlocksThatHaveNotStartedAreDark) {
    choice_.kind = OverlayKind::kOrder;
    frame();
    choice_.clock_us = 0;
    const std::vector<std::uint32_t> begun = frame();
    const auto dark =
        static_cast<std::size_t>(std::ranges::count_if(begun, [this](std::uint32_t pixel) {
            return (pixel | 0xff000000u) == overlays_->colors().missing;
        }));
    EXPECT_GT(dark, begun.size() / 2);
    EXPECT_LT(dark, begun.size());
}

}  // namespace
}  // namespace warpscope
