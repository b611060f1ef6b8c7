// SPDX-License-Identifier: MIT
#include "app/session/explorer.h"

#include <gtest/gtest.h>

#include <thread>

#include "app/session/command.h"

namespace warpscope {
namespace {

constexpr Viewport kWindow{96, 64, true, 0};

Viewport at(double seconds) {
    Viewport viewport = kWindow;
    viewport.now = seconds;
    return viewport;
}

State economy_state() {
    State state;
    state.backend = "cpu";
    state.settings.pace = Pace::kEconomy;
    return state;
}

/// Steps until the frame is done; nothing where there was no work.
std::optional<ShownFrame> run(Explorer& explorer, const State& state, const Viewport& viewport,
                              std::vector<Sample>& samples) {
    if (!explorer.submit(state, viewport)) return std::nullopt;
    const FrameJob& job = explorer.job();
    samples.resize(static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height));
    for (;;) {
        if (auto frame = explorer.advance({samples.data(), Memory::kHost}, 50)) return frame;
    }
}

class ExplorerTest : public testing::Test {
  protected:
    Explorer explorer_{Effort::kInteractive};
    std::vector<Sample> samples_;
};

TEST_F(ExplorerTest, EconomyComputesAPictureOnceOnly) {
    const State state = economy_state();
    ASSERT_TRUE(run(explorer_, state, at(10), samples_));
    EXPECT_TRUE(run(explorer_, state, at(11), samples_)) << "the first picture was a coarse one";
    EXPECT_FALSE(explorer_.submit(state, at(12)));
    EXPECT_FALSE(explorer_.submit(state, at(13)));
}

TEST_F(ExplorerTest, ColourEditsRecomputeNothing) {
    State state = economy_state();
    run(explorer_, state, at(10), samples_);
    run(explorer_, state, at(11), samples_);
    state.color.palette = "Glacier";
    state.color.density = 1;
    state.color.shading = 0;
    state.settings.wheel_factor = 3;
    EXPECT_FALSE(explorer_.submit(state, at(12)));
}

TEST_F(ExplorerTest, LiveComputesEveryFrameButOnlyWhileAttended) {
    State state = economy_state();
    state.settings.pace = Pace::kLive;
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(run(explorer_, state, at(10 + i), samples_));
    Viewport hidden = at(20);
    hidden.attended = false;
    EXPECT_FALSE(explorer_.submit(state, hidden));
    state.paused = true;
    EXPECT_FALSE(explorer_.submit(state, at(21)));
}

TEST_F(ExplorerTest, WhatIsComputedFollowsTheState) {
    State state = economy_state();
    run(explorer_, state, at(10), samples_);
    run(explorer_, state, at(11), samples_);
    const auto changes = {+[](State& s) { s.scene.limit = 77; },
                          +[](State& s) { s.scene.bailout = 4; },
                          +[](State& s) { s.scene.formula = Formula::kTricorn; },
                          +[](State& s) { s.scene.view.zoom = BigFloat{3}; },
                          +[](State& s) { s.scene.julia = true; },
                          +[](State& s) { s.tuning.cpu_tile = 16; },
                          +[](State& s) { s.scene.precision = PrecisionChoice::kDouble; }};
    double now = 20;
    for (const auto& change : changes) {
        change(state);
        EXPECT_TRUE(run(explorer_, state, at(now += 1), samples_));
        run(explorer_, state, at(now += 1), samples_);
        EXPECT_FALSE(explorer_.submit(state, at(now += 1)));
    }
}

TEST_F(ExplorerTest, MovesCoarselyAndRestsAtFullResolution) {
    State state = economy_state();
    const auto first = run(explorer_, state, at(10), samples_);
    ASSERT_TRUE(first);
    EXPECT_GT(first->divisor, 1) << "nothing is known of the cost yet";
    EXPECT_EQ(first->job.width, (96 + first->divisor - 1) / first->divisor);
    const auto second = run(explorer_, state, at(11), samples_);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->divisor, 1);
    EXPECT_EQ(second->job.width, 96);
    EXPECT_EQ(second->job.height, 64);
}

TEST_F(ExplorerTest, CompleteEffortIsNeverCoarse) {
    Explorer complete{Effort::kComplete};
    const auto frame = run(complete, economy_state(), at(10), samples_);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->divisor, 1);
}

TEST_F(ExplorerTest, AnOvertakenFrameGivesWay) {
    State heavy = economy_state();
    heavy.scene.view = {BigFloat{0}, BigFloat{0}, BigFloat{1e4}};  // all inside
    heavy.scene.limit = 1'000'000'000;
    ASSERT_TRUE(explorer_.submit(heavy, at(10)));
    samples_.resize(96 * 64);
    EXPECT_FALSE(explorer_.advance({samples_.data(), Memory::kHost}, 20));
    State light = heavy;
    light.scene.limit = 10;
    ASSERT_TRUE(explorer_.submit(light, at(10.5)));
    EXPECT_EQ(explorer_.job().limit, 10u);
    EXPECT_TRUE(run(explorer_, light, at(10.6), samples_));
}

TEST_F(ExplorerTest, TellsOfANewBackendWhileTheOldOneLives) {
    std::vector<std::string> names;
    Explorer explorer{Effort::kComplete,
                      [&names](Backend& fresh) { names.push_back(fresh.info().name); }};
    State state = economy_state();
    run(explorer, state, at(10), samples_);
    state.backend = "cpu-scalar";
    run(explorer, state, at(11), samples_);
    EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cpu-scalar"}));
    EXPECT_EQ(explorer.backend().info().name, "cpu-scalar");
}

TEST_F(ExplorerTest, ABackendThatCannotBeMadeLeavesTheOldOneAtWork) {
    State state = economy_state();
    run(explorer_, state, at(10), samples_);
    state.backend = "nonsense";
    EXPECT_THROW(explorer_.submit(state, at(11)), BackendError);
    EXPECT_EQ(explorer_.backend().info().name, "cpu");
}

TEST_F(ExplorerTest, AnEmptyWindowIsNoWork) {
    EXPECT_FALSE(explorer_.submit(economy_state(), Viewport{0, 0, true, 1}));
}

TEST_F(ExplorerTest, KnowsWhatAFrameCost) {
    State state = economy_state();
    run(explorer_, state, at(10), samples_);
    const auto frame = run(explorer_, state, at(11), samples_);
    ASSERT_TRUE(frame);
    EXPECT_EQ(explorer_.stats().job, frame->job);
    EXPECT_GT(explorer_.stats().kernel_ms, 0);
    EXPECT_GT(explorer_.stats().iterations, 96u * 64u);
}

}  // namespace
}  // namespace warpscope
