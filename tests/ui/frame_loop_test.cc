// SPDX-License-Identifier: MIT
// Frames without a window: both ways of the samples to the screen, measured as "Measure both ways"
// does (needs a GPU that CUDA and OpenGL share), and what an edit of colours costs.
#include <gtest/gtest.h>

#include <iostream>
#include <optional>

#include "app/frame_loop.h"
#include "app/offscreen_surface.h"

namespace warpscope {
namespace {

class FrameLoopTest : public testing::Test {
  protected:
    void SetUp() override {
        try {
            OffscreenOptions options;
            options.width = 1920;
            options.height = 1080;
            options.cuda_device = 0;
            surface_.emplace(options);
        } catch (const GlError& error) {
            GTEST_SKIP() << error.what();
        }
        loop_.emplace(*surface_, Effort::kComplete, InteropChoice::kAuto, 0);
    }

    void frame() {
        const Extent size = surface_->framebuffer_size();
        loop_->compute(state_, {size.width, size.height, true, 0}, 100);
        loop_->draw(state_, 0);
        surface_->present();
        loop_->finish(1, 1);
    }

    State state_;
    std::optional<OffscreenSurface> surface_;
    std::optional<FrameLoop> loop_;
};

TEST_F(FrameLoopTest, SharedBufferBeatsTheHostCopy) {
    if (!loop_->verdict().active) GTEST_SKIP() << loop_->verdict().reason;
    state_.backend = "cuda";
    PathTrial trial;
    trial.start(InteropChoice::kAuto);
    while (trial.running()) {
        if (const auto choice = trial.next_frame()) loop_->probe(*choice, 0);
        frame();
    }
    EXPECT_TRUE(loop_->shares_buffer());
    const std::optional<PathFigures> shared = loop_->paths().figures(SamplePath::kShared);
    const std::optional<PathFigures> copied = loop_->paths().figures(SamplePath::kHostCopy);
    ASSERT_TRUE(shared);
    ASSERT_TRUE(copied);
    const std::optional<PathGain> gain = loop_->paths().gain();
    ASSERT_TRUE(gain);
    std::cout << "shared: kernel " << shared->kernel << " ms, hand-over " << shared->handover
              << " ms, draw " << shared->draw << " ms; host copy: kernel " << copied->kernel
              << " ms, hand-over " << copied->handover << " ms, draw " << copied->draw
              << " ms; ratio " << gain->ratio << '\n';
    EXPECT_GT(copied->handover, shared->handover);
    EXPECT_GT(gain->ratio, 1);
    EXPECT_GT(gain->saved_ms, 0);
}

TEST_F(FrameLoopTest, EditsOfColourComputeNothing) {
    frame();
    state_.settings.pace = Pace::kEconomy;
    frame();
    const std::uint64_t before = loop_->frames_computed();
    EXPECT_GT(before, 0u);
    for (int i = 0; i < 10; ++i) {
        state_.color.offset = 0.1f * static_cast<float>(i);
        state_.color.palette = loop_->palettes()[static_cast<std::size_t>(i)].name;
        frame();
    }
    EXPECT_EQ(loop_->frames_computed(), before);
    state_.scene.limit += 1;
    frame();
    EXPECT_EQ(loop_->frames_computed(), before + 1);
}

}  // namespace
}  // namespace warpscope
