// SPDX-License-Identifier: MIT
#include "app/session/explorer.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "app/session/command.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

constexpr Viewport kWindow{96, 64, true, 0};
using Samples = std::vector<Sample>;

Viewport at(double seconds) {
    Viewport viewport = kWindow;
    viewport.now = seconds;
    return viewport;
}

State economy_state() {
    State state;
    state.backend = "cpu";
    state.settings.pace = Pace::kEconomy;
    state.settings.antialias = false;
    return state;
}

/// All inside: every pixel costs the limit. Its right half is empty after a pan by that much.
State heavy_state(std::uint32_t limit) {
    State state = economy_state();
    state.scene.view = {BigFloat{0}, BigFloat{0}, BigFloat{1e4}};
    state.scene.limit = limit;
    state.tuning.method = kMethods.front().method;
    return state;
}

/// An explorer with the three buffers that a frame loop would give it.
class Bench {
  public:
    explicit Bench(Effort effort = Effort::kInteractive) : explorer{effort} {}

    struct Step {
        Goal goal;
        int step;
        std::int64_t pixels;
        bool carried;
    };

    /// Everything that one submit() leads to until there is no work left, or `most` pieces of it.
    std::vector<Step> run(const State& state, const Viewport& viewport, int most = 1000) {
        std::vector<Step> steps;
        bool work = explorer.submit(state, viewport);
        while (work && most-- > 0) {
            steps.push_back(finish());
            work = explorer.continue_frame();
        }
        return steps;
    }

    Step finish() {
        const Goal goal = explorer.goal();
        const FrameJob job = explorer.job();
        const auto count = static_cast<std::size_t>(whole(job).pixels());
        Samples& target = goal == Goal::kSample ? jittered : goal == Goal::kRefine ? front : back;
        const std::optional<CarryOver> carry = explorer.take_carry_over();
        target.resize(count);
        if (carry) carry_over(*carry, job);
        while (!explorer.advance({target.data(), Memory::kHost}, 50)) continue;
        if (goal == Goal::kNextFrame) front.swap(back);
        const Region region = explorer.front()->coverage.regions().front();
        return {goal, region.step, explorer.stats().pixels, carry.has_value()};
    }

    void carry_over(CarryOver by, const FrameJob& job) {
        back.assign(front.size(), Sample{4711, 0.25f});
        for (int y = 0; y < job.height; ++y) {
            for (int x = 0; x < job.width; ++x) {
                const int from_x = x + by.dx, from_y = y + by.dy;
                if (from_x < 0 || from_x >= job.width || from_y < 0 || from_y >= job.height)
                    continue;
                back[static_cast<std::size_t>(y * job.width + x)] =
                    front[static_cast<std::size_t>(from_y * job.width + from_x)];
            }
        }
    }

    Explorer explorer;
    Samples front, back, jittered;
};

Samples fresh_samples(const FrameJob& job) {
    Samples samples(static_cast<std::size_t>(whole(job).pixels()));
    const auto backend = make_backend("cpu");
    backend->start(job, {});
    while (!backend->advance({samples.data(), Memory::kHost}, 100).done) continue;
    return samples;
}

bool equal(const Samples& a, const Samples& b) {
    return std::ranges::equal(a, b, [](const Sample& x, const Sample& y) {
        return x.count == y.count && x.fraction == y.fraction;
    });
}

class ExplorerTest : public testing::Test {
  protected:
    Bench bench_;
    Explorer& explorer_ = bench_.explorer;
};

TEST_F(ExplorerTest, EconomyComputesAPictureOnceOnly) {
    const State state = economy_state();
    ASSERT_FALSE(bench_.run(state, at(10)).empty());
    EXPECT_TRUE(explorer_.front()->complete());
    EXPECT_FALSE(explorer_.submit(state, at(12)));
    EXPECT_FALSE(explorer_.submit(state, at(13)));
}

TEST_F(ExplorerTest, ColourEditsRecomputeNothing) {
    State state = economy_state();
    bench_.run(state, at(10));
    state.color.palette = "Glacier";
    state.color.density = 1;
    state.color.shading = 0;
    state.settings.wheel_factor = 3;
    EXPECT_FALSE(explorer_.submit(state, at(12)));
}

TEST_F(ExplorerTest, LiveComputesEveryFrameButOnlyWhileAttended) {
    State state = economy_state();
    state.settings.pace = Pace::kLive;
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(bench_.run(state, at(10 + i)).empty());
    EXPECT_TRUE(explorer_.front()->complete());
    Viewport hidden = at(20);
    hidden.attended = false;
    EXPECT_FALSE(explorer_.submit(state, hidden));
    state.paused = true;
    EXPECT_FALSE(explorer_.submit(state, at(21)));
}

TEST_F(ExplorerTest, WhatIsComputedFollowsTheState) {
    State state = economy_state();
    bench_.run(state, at(10));
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
        EXPECT_FALSE(bench_.run(state, at(now += 1)).empty());
        EXPECT_FALSE(explorer_.submit(state, at(now += 1)));
        EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.front()->job)));
    }
}

TEST_F(ExplorerTest, RefinesFromCoarseToFineInPlace) {
    const std::vector<Bench::Step> steps = bench_.run(economy_state(), at(10));
    ASSERT_GT(steps.size(), 1u) << "nothing is known of the cost yet";
    EXPECT_EQ(steps.front().goal, Goal::kNextFrame);
    EXPECT_GT(steps.front().step, 1);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].goal, Goal::kRefine);
        EXPECT_EQ(steps[i].step * 2, steps[i - 1].step);
    }
    EXPECT_EQ(steps.back().step, 1);
    EXPECT_EQ(steps.back().pixels, 96 * 64) << "all passes together are the frame, none twice";
    EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.front()->job)));
}

TEST_F(ExplorerTest, WhatFitsIntoARefreshIsComputedWhole) {
    State state = economy_state();
    bench_.run(state, at(10));  // now the cost is known: 6,144 pixels of home take far below 12 ms
    state.scene.view.zoom = BigFloat{1.6};
    const std::vector<Bench::Step> steps = bench_.run(state, at(11));
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps.front().step, 1);
}

TEST_F(ExplorerTest, PanningComputesOnlyWhatCameIntoView) {
    State state = economy_state();
    bench_.run(state, at(10));
    double now = 11;
    for (const auto& [dx, dy] : {std::pair{-10, 0}, {3, 20}, {0, -1}, {95, 63}, {-7, -7}}) {
        state.scene.view = pan(state.scene.view, dx, dy, 64);
        std::int64_t computed = 0;
        for (const Bench::Step& step : bench_.run(state, at(now += 1))) computed = step.pixels;
        EXPECT_EQ(computed, 96 * 64 - (96 - std::abs(dx)) * (64 - std::abs(dy)));
        EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.front()->job))) << dx << ' ' << dy;
    }
}

TEST_F(ExplorerTest, APanOfAFrameThatIsStillCoarseKeepsWhatIsThere) {
    State state = economy_state();
    bench_.run(state, at(10), 1);
    ASSERT_FALSE(explorer_.front()->complete());
    state.scene.view = pan(state.scene.view, -5, 9, 64);
    const std::vector<Bench::Step> steps = bench_.run(state, at(11));
    ASSERT_FALSE(steps.empty());
    EXPECT_TRUE(steps.front().carried);
    EXPECT_TRUE(explorer_.front()->complete());
    EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.front()->job)));
}

TEST_F(ExplorerTest, LiveComputesWholeFramesWhereTheyAreCheap) {
    State state = economy_state();
    state.settings.pace = Pace::kLive;
    bench_.run(state, at(10));
    bench_.run(state, at(11));
    state.scene.view = pan(state.scene.view, 10, 0, 64);
    const std::vector<Bench::Step> steps = bench_.run(state, at(12));
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_FALSE(steps.front().carried);
    EXPECT_EQ(steps.front().pixels, 96 * 64);
}

TEST_F(ExplorerTest, CompleteEffortIsNeverCoarseNorPieced) {
    Bench complete{Effort::kComplete};
    State state = economy_state();
    state.settings.antialias = true;
    EXPECT_EQ(complete.run(state, at(10)).size(), 1u);
    EXPECT_TRUE(complete.explorer.front()->complete());
    state.scene.view = pan(state.scene.view, 10, 0, 64);
    const std::vector<Bench::Step> steps = complete.run(state, at(11));
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps.front().pixels, 96 * 64);
    EXPECT_FALSE(complete.explorer.submit(state, at(20))) << "nor jittered";
}

TEST_F(ExplorerTest, AnOvertakenFrameGivesWay) {
    State heavy = heavy_state(1'000'000'000);
    ASSERT_TRUE(explorer_.submit(heavy, at(10)));
    bench_.back.resize(96 * 64);
    EXPECT_FALSE(explorer_.advance({bench_.back.data(), Memory::kHost}, 20));
    State light = heavy;
    light.scene.limit = 10;
    ASSERT_TRUE(explorer_.submit(light, at(10.001)));
    EXPECT_EQ(explorer_.job().limit, 10u);
    EXPECT_FALSE(bench_.run(light, at(10.6)).empty());
}

TEST_F(ExplorerTest, TheFirstPassOfAViewThatMovesOnMayGoOnForTwoFrames) {
    State state = heavy_state(1'000'000'000);
    ASSERT_TRUE(explorer_.submit(state, at(10)));
    const FrameJob first = explorer_.job();
    state.scene.view = pan(state.scene.view, 1, 0, 64);
    EXPECT_TRUE(explorer_.submit(state, at(10.017)));
    EXPECT_EQ(explorer_.job(), first);
    EXPECT_TRUE(explorer_.submit(state, at(10.034)));
    EXPECT_NE(explorer_.job(), first);
    explorer_.cancel();
}

TEST_F(ExplorerTest, AFirstPassThatTakesTooLongBeginsAgainMoreCoarsely) {
    const State state = heavy_state(1'000'000'000);
    double now = 10;
    ASSERT_TRUE(explorer_.submit(state, at(now)));
    bench_.back.resize(96 * 64);
    explorer_.advance({bench_.back.data(), Memory::kHost}, 1);
    // A step of 4 at first; then, 50 ms later, as coarse as it gets.
    ASSERT_TRUE(explorer_.submit(state, at(now + 0.05)));
    for (int i = 0; i < 3; ++i) explorer_.submit(state, at(now + 0.2 + i));
    explorer_.advance({bench_.back.data(), Memory::kHost}, 1);
    EXPECT_LT(explorer_.fraction(), 0.002) << "of 6 pixels";
    explorer_.cancel();
    State light = state;
    light.scene.limit = 20;
    const std::vector<Bench::Step> steps = bench_.run(light, at(20));
    EXPECT_EQ(steps.front().step, kCoarsestStep) << "what is known of the cost is the worst";
    EXPECT_TRUE(explorer_.front()->complete());
}

TEST_F(ExplorerTest, WhatIsLateIsSketchedWithAThousandthOfTheLimitFirst) {
    State state = economy_state();
    state.scene.limit = 2'000'000;
    ASSERT_TRUE(explorer_.submit(state, at(10)));
    ASSERT_TRUE(explorer_.submit(state, at(10.05)));  // slow: begun again, as coarse as it gets
    EXPECT_EQ(explorer_.job().limit, 2'000'000u);
    ASSERT_TRUE(explorer_.submit(state, at(10.3)));
    ASSERT_EQ(explorer_.job().limit, 2'000u);
    const FrameJob sketch = explorer_.job();
    ASSERT_TRUE(explorer_.submit(state, at(11))) << "nothing is quicker than a sketch";
    EXPECT_EQ(explorer_.job(), sketch);
    EXPECT_EQ(bench_.finish().step, kCoarsestStep);
    EXPECT_EQ(explorer_.front()->job, sketch);
    while (explorer_.submit(state, at(12)) && explorer_.job() == sketch) bench_.finish();
    EXPECT_TRUE(explorer_.front()->complete());
    EXPECT_TRUE(equal(bench_.front, fresh_samples(sketch)));
    // The frame itself takes its place, seen as unfinished work.
    ASSERT_TRUE(explorer_.working());
    EXPECT_EQ(explorer_.goal(), Goal::kRefine);
    EXPECT_EQ(explorer_.job(), explorer_.wanted());
    EXPECT_GT(explorer_.running_seconds(13), 0);
    bench_.finish();
    EXPECT_EQ(explorer_.front()->job, explorer_.wanted());
    EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.wanted())));
    EXPECT_FALSE(explorer_.submit(state, at(14)));
}

TEST_F(ExplorerTest, APanOfASketchKeepsWhatIsThere) {
    State state = economy_state();
    state.scene.limit = 2'000'000;
    for (const double now : {10.0, 10.05, 10.3}) ASSERT_TRUE(explorer_.submit(state, at(now)));
    bench_.finish();
    state.scene.view = pan(state.scene.view, 7, 2, 64);
    ASSERT_TRUE(explorer_.submit(state, at(11)));
    EXPECT_EQ(explorer_.job().limit, 2'000u);
    EXPECT_TRUE(bench_.finish().carried);
    bench_.run(state, at(12));  // the rest of the sketch
    bench_.run(state, at(13));
    EXPECT_EQ(explorer_.front()->job, explorer_.wanted());
    EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.wanted())));
}

TEST_F(ExplorerTest, AtRestJitteredFramesFollowOnceUpToSixtyFour) {
    State state = economy_state();
    state.settings.antialias = true;
    bench_.run(state, at(10));
    EXPECT_FALSE(explorer_.submit(state, at(10.1))) << "not yet at rest";
    std::set<std::pair<double, double>> places;
    const FrameJob base = explorer_.front()->job;
    FrameJob last;
    for (int i = 1; i < kMostSamples; ++i) {
        ASSERT_TRUE(explorer_.submit(state, at(11 + i)));
        ASSERT_EQ(explorer_.goal(), Goal::kSample);
        const FrameJob job = last = explorer_.job();
        const double dx = job.shift_x - base.shift_x, dy = job.shift_y - base.shift_y;
        EXPECT_LE(std::abs(dx), 0.5);
        EXPECT_LE(std::abs(dy), 0.5);
        EXPECT_EQ(dx * 64, std::round(dx * 64));
        places.emplace(dx, dy);
        bench_.finish();
        EXPECT_EQ(explorer_.sample_index(), i);
        EXPECT_EQ(explorer_.stats().job, base) << "its cost is the view's";
    }
    EXPECT_EQ(places.size(), 63u);
    EXPECT_FALSE(explorer_.submit(state, at(100)));
    EXPECT_TRUE(equal(bench_.front, fresh_samples(base))) << "the base samples stay";
    EXPECT_TRUE(equal(bench_.jittered, fresh_samples(last)));
}

TEST_F(ExplorerTest, JitterWaitsForColoursAndEndsWithThem) {
    State state = economy_state();
    state.settings.antialias = true;
    bench_.run(state, at(10));
    ASSERT_TRUE(explorer_.submit(state, at(11)));
    bench_.finish();
    ASSERT_TRUE(explorer_.submit(state, at(12)));
    state.color.density = 0.2f;
    EXPECT_FALSE(explorer_.submit(state, at(12.01))) << "work for the old colours goes on";
    EXPECT_TRUE(explorer_.submit(state, at(13)));
    bench_.finish();
    EXPECT_EQ(explorer_.sample_index(), 1) << "the mean begins anew";
    state.color.cycling = true;
    EXPECT_FALSE(explorer_.submit(state, at(20)));
    state.color.cycling = false;
    state.settings.antialias = false;
    EXPECT_FALSE(explorer_.submit(state, at(30)));
    state.settings.antialias = true;
    EXPECT_TRUE(explorer_.submit(state, at(40)));
    Viewport hidden = at(41);
    hidden.attended = false;
    EXPECT_FALSE(explorer_.submit(state, hidden));
}

TEST_F(ExplorerTest, LiveGoesOnWithWholeFramesAfterTheLastSample) {
    State state = economy_state();
    state.settings.antialias = true;
    state.settings.pace = Pace::kLive;
    double now = 10;
    bench_.run(state, at(now));
    bench_.run(state, at(now += 1));
    for (int i = 1; i < 200; ++i) {
        ASSERT_TRUE(explorer_.submit(state, at(now += 1)));
        const Goal goal = explorer_.goal();
        EXPECT_EQ(goal == Goal::kSample, explorer_.sample_index() < kMostSamples - 1);
        bench_.finish();
        if (goal == Goal::kNextFrame) {
            EXPECT_EQ(explorer_.running_seconds(now), 0);
        }
    }
}

TEST_F(ExplorerTest, PausingInterruptsAFrameAndResumingCompletesIt) {
    State state = economy_state();
    bench_.run(state, at(10), 1);
    ASSERT_TRUE(explorer_.submit(state, at(10.02)));
    State paused = state;
    paused.paused = true;
    EXPECT_FALSE(explorer_.submit(paused, at(10.04)));
    EXPECT_EQ(explorer_.running_seconds(11), 0);
    EXPECT_FALSE(explorer_.front()->complete());
    bench_.run(state, at(20));
    EXPECT_TRUE(explorer_.front()->complete());
    EXPECT_TRUE(equal(bench_.front, fresh_samples(explorer_.front()->job)));
}

TEST_F(ExplorerTest, WhatIsShownCompletelyIsNotShownCoarselyForAnotherBackendOrTuning) {
    State state = economy_state();
    ASSERT_GT(bench_.run(state, at(10)).size(), 1u);
    state.backend = "cpu-simd";  // of which nothing is known
    EXPECT_EQ(bench_.run(state, at(11)).size(), 1u);
    state.tuning.cpu_tile = 16;
    EXPECT_EQ(bench_.run(state, at(12)).size(), 1u);
    state.backend = "cpu-scalar";
    state.scene.limit = 500;
    EXPECT_GT(bench_.run(state, at(13)).size(), 1u);
}

TEST_F(ExplorerTest, TellsOfANewBackendWhileTheOldOneLives) {
    std::vector<std::string> names;
    Explorer explorer{Effort::kComplete,
                      [&names](Backend& fresh) { names.push_back(fresh.info().name); }};
    State state = economy_state();
    explorer.submit(state, at(10));
    state.backend = "cpu-scalar";
    explorer.submit(state, at(11));
    EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cpu-scalar"}));
    EXPECT_EQ(explorer.backend().info().name, "cpu-scalar");
    EXPECT_FALSE(explorer.take_carry_over());
    explorer.cancel();
}

TEST_F(ExplorerTest, ABackendThatCannotBeMadeLeavesTheOldOneAtWork) {
    State state = economy_state();
    bench_.run(state, at(10));
    state.backend = "nonsense";
    EXPECT_THROW(explorer_.submit(state, at(11)), BackendError);
    EXPECT_EQ(explorer_.backend().info().name, "cpu");
}

TEST_F(ExplorerTest, AnEmptyWindowIsNoWork) {
    EXPECT_FALSE(explorer_.submit(economy_state(), Viewport{0, 0, true, 1}));
    EXPECT_TRUE(explorer_.submit(economy_state(), at(2)));
    EXPECT_FALSE(explorer_.submit(economy_state(), Viewport{0, 0, true, 3})) << "minimised";
}

TEST_F(ExplorerTest, KnowsWhatAFrameCost) {
    const State state = economy_state();
    bench_.run(state, at(10));
    EXPECT_EQ(explorer_.stats().job, explorer_.front()->job);
    EXPECT_GT(explorer_.stats().kernel_ms, 0);
    EXPECT_GT(explorer_.stats().iterations, 96u * 64u);
}

TEST(TimeLeft, SpeaksOfVeryLongWorkAfterSomeSeconds) {
    TimeLeft left;
    left.begin(100);
    left.update(101, 1e-6);
    EXPECT_FALSE(left.seconds_left(101));
    left.update(103, 3e-6);
    EXPECT_NEAR(*left.seconds_left(103), 1e6, 10);
    left.update(103.1, 3e-4);
    EXPECT_LT(*left.seconds_left(103.1), 11000) << "wrong by far: told at once";
}

TEST(TimeLeft, FollowsThePassesThatAreDone) {
    TimeLeft left;
    left.begin(100);
    EXPECT_FALSE(left.seconds_left(100));
    left.pass_done(101, 1.0 / 16);
    EXPECT_NEAR(*left.seconds_left(101), 15, 0.01);
    left.pass_done(104, 4.0 / 16);
    EXPECT_NEAR(*left.seconds_left(104), 12, 0.01);
    // The last pass meets the set first: its share lags behind, and what is foretold does not jump.
    double before = *left.seconds_left(104);
    for (double now = 104.02; now < 116; now += 0.02) {
        const double way = (now - 104) / 12;
        left.update(now, 0.25 + 0.75 * way * way);
        const double seconds = *left.seconds_left(now);
        EXPECT_LT(std::abs(seconds - before), 0.5) << now;
        before = seconds;
    }
    EXPECT_LT(before, 1.5);
}

}  // namespace
}  // namespace warpscope
