// SPDX-License-Identifier: MIT
// Overlays that compare two frames of a view: which ones, from the choice to the pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "app/clock.h"
#include "app/overlay_director.h"
#include "app/panels/precision_axis.h"
#include "app/panels/split_divider.h"
#include "tests/ui/sized_surface.h"

namespace warpscope {
namespace {

constexpr auto kFloat = Precision::kFloat, kDf64 = Precision::kDf64, kDouble = Precision::kDouble;

TEST(OverlayPair, TheUsualTypesAreTheChosenOneAndItsNeighbour) {
    EXPECT_EQ(usual_types(kFloat, Df64Speed::kSlower), (TypePair{kFloat, kDouble}));
    EXPECT_EQ(usual_types(kFloat, Df64Speed::kFaster), (TypePair{kFloat, kDf64}));
    EXPECT_EQ(usual_types(kDf64, Df64Speed::kFaster), (TypePair{kFloat, kDf64}));
    EXPECT_EQ(usual_types(kDouble, Df64Speed::kFaster), (TypePair{kDf64, kDouble}));
    EXPECT_EQ(usual_types(kDouble, Df64Speed::kSlower), (TypePair{kFloat, kDouble}));
    EXPECT_EQ(usual_types(std::nullopt, Df64Speed::kSlower), (TypePair{kFloat, kDouble}));
}

TEST(OverlayPair, ATypeIsNeverComparedWithItself) {
    EXPECT_EQ(with_type({kFloat, kDouble}, 0, kDf64), (TypePair{kDf64, kDouble}));
    EXPECT_EQ(with_type({kFloat, kDouble}, 0, kDouble), (TypePair{kDouble, kFloat}));
    EXPECT_EQ(with_type({kFloat, kDouble}, 1, kFloat), (TypePair{kDouble, kFloat}));
}

TEST(OverlayPair, TheRivalIsTheOtherProcessorOrTheOtherRung) {
    EXPECT_EQ(usual_rival("cuda", Gpu::kPresent), "cpu");
    EXPECT_EQ(usual_rival("cpu", Gpu::kPresent), "cuda");
    EXPECT_EQ(usual_rival("cpu", Gpu::kAbsent), "cpu-scalar");
    EXPECT_EQ(usual_rival("cpu-scalar", Gpu::kAbsent), "cpu");
    for (const Gpu gpu : {Gpu::kAbsent, Gpu::kPresent}) {
        for (const BackendChoice& backend : backend_choices()) {
            const auto all = rivals(gpu);
            const bool there = backend.name != "cuda" || gpu == Gpu::kPresent;
            EXPECT_EQ(std::ranges::count(all, backend.name), there ? 1 : 0) << backend.name;
        }
    }
}

TEST(OverlayPair, OnlyWhatIsNotShownAlreadyIsComputedBesideThePicture) {
    OverlayChoice choice;
    PairContext context{.shown = kFloat, .automatic = kFloat, .running = "cpu"};
    EXPECT_TRUE(companions_for(choice, context).empty());
    choice.kind = OverlayKind::kWho;
    EXPECT_TRUE(companions_for(choice, context).empty());
    choice.kind = OverlayKind::kXray;
    EXPECT_EQ(companions_for(choice, context),
              (std::vector{Companion{.precision = kDouble, .backend = {}}}));
    choice.types = TypePair{kDf64, kDouble};
    EXPECT_EQ(companions_for(choice, context).size(), 2u);
    choice.kind = OverlayKind::kSplit;
    EXPECT_EQ(companions_for(choice, context),
              (std::vector{Companion{.precision = {}, .backend = "cpu-scalar", .live = true}}));
    choice.rival = "cpu-simd";
    EXPECT_EQ(companions_for(choice, context)[0].backend, "cpu-simd");
}

TEST(PrecisionAxis, StretchesFollowEachOtherAndThePresentZoomIsMarked) {
    const std::vector<PrecisionStretch> ladder{{kFloat, -2, 8}, {kDf64, 8, 32}, {kDouble, 32, 47}};
    for (const double present : {-2.0, 8.0, 40.0, 60.0, 1000.0}) {
        const PrecisionAxis axis = precision_axis(ladder, present);
        ASSERT_EQ(axis.stretches.size(), 4u);
        ASSERT_EQ(axis.switches.size(), 3u);
        float before = 0;
        for (const AxisStretch& stretch : axis.stretches) {
            EXPECT_EQ(stretch.from, before);
            EXPECT_GT(stretch.to, stretch.from);
            before = stretch.to;
        }
        EXPECT_EQ(before, 1);
        EXPECT_EQ(axis.stretches.back().precision, std::nullopt);
        EXPECT_GE(axis.present, 0);
        EXPECT_LE(axis.present, 1);
        if (present == 8) {
            EXPECT_FLOAT_EQ(axis.present, axis.switches[0].at);
        }
    }
    EXPECT_EQ(precision_axis(ladder, 8).switches[0].text, "256");
    EXPECT_LT(axis_start(-5), -4);
    EXPECT_EQ(precision_axis({}, 20).stretches.size(), 1u) << "nothing serves";
}

TEST(SplitDivider, StaysWithinWhatNoPanelCovers) {
    EXPECT_EQ(split_at(std::nullopt, 360, 1280, 1280, 32), 820);
    EXPECT_EQ(split_at(0.5f, 360, 1280, 1280, 32), 640);
    EXPECT_EQ(split_at(0.0f, 360, 1280, 1280, 32), 392);
    EXPECT_EQ(split_at(1.0f, 360, 1280, 1280, 32), 1248);
    EXPECT_EQ(split_at(0.9f, 360, 400, 400, 32), 380) << "too narrow for margins";
}

class OverlayPairsTest : public testing::Test {
  protected:
    static constexpr Extent kSize{160, 100};

    void SetUp() override {
        try {
            surface_.emplace(kSize);
        } catch (const GlError& error) {
            GTEST_SKIP() << error.what();
        }
        begin(Effort::kInteractive);
        state_.backend = "cpu";
        state_.settings.pace = Pace::kEconomy;
        state_.settings.antialias = false;
        state_.scene.view = {BigFloat{-0.7436}, BigFloat{0.1318}, BigFloat{20}};
        choice_.opacity = 1;
    }

    void begin(Effort effort) {
        overlays_.emplace(effort);
        loop_.emplace(*surface_, effort, InteropChoice::kOff, 0);
    }

    /// One frame of the window, as Application::frame() goes about it; returns what it shows.
    std::vector<std::uint32_t> frame() {
        const bool known = loop_->explorer().has_backend();
        if (known && compares(choice_.kind)) {
            loop_->accompany(companions_for(
                choice_, pair_context(loop_->explorer(), state_, kSize.height, Gpu::kAbsent)));
        } else {
            loop_->accompany({});
        }
        loop_->compute(state_, {kSize.width, kSize.height, true, now_}, 4);
        painted_ = overlays_->prepare(choice_, {*loop_, state_, kSize, cursor_, 0.1, now_});
        const bool split = choice_.kind == OverlayKind::kSplit;
        loop_->draw(state_, 0, painted_,
                    split ? std::optional<double>{choice_.split.value_or(0.5f)} : std::nullopt);
        now_ += 1.0 / 60;
        return surface_->read_pixels();  // waits, so that what is read back arrives
    }

    /// Frames until both pictures are there and compared.
    std::vector<std::uint32_t> compared() {
        const double until = seconds_now() + 60;
        do {
            frame();
        } while (overlays_->differences() == nullptr && seconds_now() < until);
        EXPECT_NE(overlays_->differences(), nullptr);
        return frame();
    }

    std::vector<Sample> samples_of(Precision precision) const {
        FrameLoop fresh{const_cast<SizedSurface&>(*surface_), Effort::kComplete,
                        InteropChoice::kOff, 0};
        State state = state_;
        state.scene.precision =
            precision == kFloat ? PrecisionChoice::kFloat : PrecisionChoice::kDouble;
        fresh.compute(state, {kSize.width, kSize.height, true, 0}, 100);
        return fresh.read_samples();
    }

    State state_;
    OverlayChoice choice_;
    std::optional<PixelPoint> cursor_;
    double now_ = 1;
    Overlay* painted_ = nullptr;
    std::optional<SizedSurface> surface_;
    std::optional<FrameLoop> loop_;
    std::optional<OverlayDirector> overlays_;
};

TEST_F(OverlayPairsTest, OffNothingIsComputedKeptOrPainted) {
    for (int i = 0; i < 20; ++i) frame();
    const std::uint64_t frames = loop_->frames_computed();
    choice_.kind = OverlayKind::kXray;
    compared();
    EXPECT_EQ(loop_->companions().size(), 1u);
    EXPECT_EQ(loop_->frames_computed(), frames) << "the picture is not computed anew";
    choice_.kind = OverlayKind::kNone;
    frame();
    EXPECT_TRUE(loop_->companions().empty()) << "its memory is given back";
    EXPECT_EQ(painted_, nullptr);
    EXPECT_EQ(overlays_->differences(), nullptr);
    EXPECT_FALSE(overlays_->moving());
    for (int i = 0; i < 20; ++i) frame();
    EXPECT_TRUE(loop_->settled());
    EXPECT_EQ(loop_->frames_computed(), frames);
}

TEST_F(OverlayPairsTest, TheXrayMarksThePixelsWhoseCountsDiffer) {
    choice_.kind = OverlayKind::kXray;
    cursor_ = PixelPoint{40.5, 30.5, kSize.width, kSize.height};
    compared();
    for (int i = 0; i < 3; ++i) frame();
    const std::vector<std::uint32_t> seen = frame();
    const std::vector<Sample> first = samples_of(kFloat), second = samples_of(kDouble);
    std::uint32_t differing = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool differs = first[i].count != second[i].count;
        differing += differs;
        const OverlayColors& colors = overlays_->colors();
        ASSERT_EQ(seen[i] | 0xff000000u, differs ? colors.differing : colors.missing) << i;
    }
    ASSERT_GT(differing, 10u) << "else the test shows nothing";
    EXPECT_EQ(overlays_->differences()->differing, differing);
    EXPECT_EQ(overlays_->differences()->pixels, first.size());
    EXPECT_EQ(overlays_->sides()[0].name, "float");
    EXPECT_EQ(overlays_->sides()[1].name, "double");
    EXPECT_EQ(overlays_->sides()[0].count_at_cursor, first[30 * 160 + 40].count);
    EXPECT_EQ(overlays_->sides()[1].count_at_cursor, second[30 * 160 + 40].count);
}

TEST_F(OverlayPairsTest, TheSecondFrameWaitsUntilTheViewRests) {
    choice_.kind = OverlayKind::kXray;
    compared();
    const std::uint64_t frames = loop_->companions().picture(0).frames();
    for (int i = 0; i < 30; ++i) {  // half a second of panning
        state_.scene.view = pan(state_.scene.view, 1, 0, kSize.height);
        frame();
        ASSERT_FALSE(loop_->companions().picture(0).explorer().working());
    }
    EXPECT_EQ(loop_->companions().picture(0).frames(), frames);
    compared();
    EXPECT_EQ(loop_->companions().picture(0).frames(), frames + 1);
}

TEST_F(OverlayPairsTest, AnInputStopsTheSecondFrameWithin50Ms) {
    constexpr double kMost = 50, kFrameMs = 4;
    Companions companions{Effort::kInteractive};
    companions.want({Companion{.precision = kDouble, .backend = {}}}, loop_->verdict());
    state_.scene.limit = 50'000'000;  // all inside, none of it known beforehand: minutes
    state_.scene.view = {BigFloat{-0.1}, BigFloat{0}, BigFloat{200}};
    state_.tuning.method = kMethods.front().method;
    Viewport viewport{kSize.width, kSize.height, true, now_};
    const auto lead = [&](bool ready) {
        const FrameJob job = plan_on_grid(state_.scene, kSize.width, kSize.height)->job;
        return Lead{state_, viewport, job, ready, false, 1};
    };
    for (int i = 0; i < 30; ++i) {
        viewport.now += 0.05;
        companions.leave_turn(lead(true));
        companions.compute(lead(true), kFrameMs);
    }
    ASSERT_TRUE(companions.picture(0).explorer().working());
    state_.scene.view = pan(state_.scene.view, 20, 0, kSize.height);
    const Stopwatch watch;
    EXPECT_TRUE(companions.leave_turn(lead(false))) << "the picture has the processor again";
    companions.compute(lead(false), kFrameMs);
    EXPECT_LT(watch.ms(), kMost);
    EXPECT_FALSE(companions.picture(0).explorer().working());
}

TEST_F(OverlayPairsTest, WhereTheViewMovesNothingOldIsCompared) {
    choice_.kind = OverlayKind::kXray;
    compared();
    state_.scene.view = pan(state_.scene.view, 33, 0, kSize.height);
    frame();
    EXPECT_EQ(overlays_->differences(), nullptr);
    EXPECT_NE(overlays_->problem(), "");
    compared();
    EXPECT_EQ(overlays_->problem(), "");
    choice_.types = TypePair{kDf64, kDouble};
    frame();
    EXPECT_EQ(overlays_->differences(), nullptr);
    compared();
    EXPECT_EQ(overlays_->sides()[0].name, "df64");
    EXPECT_LT(overlays_->differences()->differing, 10u);
}

TEST_F(OverlayPairsTest, BothSidesOfTheSplitRunLiveInTurnAndAgree) {
    state_.settings.pace = Pace::kLive;
    choice_.kind = OverlayKind::kSplit;
    compared();
    ASSERT_EQ(loop_->companions().size(), 1u);
    const SecondPicture& other = loop_->companions().picture(0);
    const std::uint64_t left = loop_->frames_computed(), right = other.frames();
    const double until = seconds_now() + 60;
    while (other.frames() < right + 10 && seconds_now() < until) {
        frame();
        ASSERT_LE(loop_->frames_computed() - left, other.frames() - right + 2) << "in turn";
    }
    EXPECT_GE(other.frames(), right + 10);
    EXPECT_GE(loop_->frames_computed(), left + 9);
    ASSERT_NE(overlays_->differences(), nullptr);
    EXPECT_EQ(overlays_->differences()->differing, 0u);
    EXPECT_EQ(overlays_->sides()[0].name, "cpu");
    EXPECT_EQ(overlays_->sides()[1].name, "cpu-scalar");
    EXPECT_EQ(painted_, nullptr) << "the mask is empty";
    EXPECT_TRUE(loop_->rates().contains("cpu"));
    EXPECT_TRUE(loop_->rates().contains("cpu-scalar"));
}

TEST_F(OverlayPairsTest, TheSplitShowsThePictureAtEveryPlaceOfItsLine) {
    const auto settle = [this] {
        do {
            frame();
        } while (!loop_->settled());
        return frame();
    };
    const std::vector<std::uint32_t> alone = settle();
    choice_.kind = OverlayKind::kSplit;
    compared();
    for (const float split : {0.0f, 0.3f, 0.5f, 1.0f}) {
        choice_.split = split;
        EXPECT_EQ(frame(), alone) << split;
    }
    // The picture goes on; what stands right of the line is old, until its turn comes.
    choice_.split = 0.5f;
    state_.scene.limit = 30;
    const std::vector<std::uint32_t> both = settle();
    choice_.kind = OverlayKind::kNone;
    EXPECT_EQ(both, settle());
    EXPECT_NE(both, alone);
}

TEST_F(OverlayPairsTest, ARivalThatCannotComputeIsSaidSoAndThePictureGoesOn) {
    choice_.kind = OverlayKind::kSplit;
    choice_.rival = "abacus";
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_NE(overlays_->problem().find("abacus"), std::string::npos) << overlays_->problem();
    EXPECT_TRUE(loop_->shown()->complete());
    choice_.rival = "cpu-simd";
    compared();
    EXPECT_EQ(overlays_->problem(), "");
}

}  // namespace
}  // namespace warpscope
