// SPDX-License-Identifier: MIT
#include "app/session/command.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/session/clamp.h"

namespace warpscope {
namespace {

constexpr PixelPoint kMiddle{640, 360, 1280, 720};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

State after(const Command& command, State state = {}) { return apply(state, command).state; }

TEST(Command, ZoomKeepsThePointUnderTheCursor) {
    const PixelPoint cursor{100, 500, 1280, 720};
    const State before;
    const State zoomed = after(ZoomAt{cursor, 8});
    const PlanePoint a = point_at(before.scene.view, cursor),
                     b = point_at(zoomed.scene.view, cursor);
    EXPECT_NEAR((a.re - b.re).to_double(), 0, 1e-15);
    EXPECT_NEAR((a.im - b.im).to_double(), 0, 1e-15);
    EXPECT_DOUBLE_EQ(zoomed.scene.view.zoom.to_double(), 12);
}

TEST(Command, ZoomingInStopsWhereDoubleEndsAndSaysSo) {
    State state;
    std::string message;
    int steps = 0;
    for (; message.empty() && steps < 1000; ++steps) {
        Applied applied = apply(state, ZoomAt{kMiddle, 2});
        state = applied.state;
        message = applied.message;
        ASSERT_TRUE(plan(state.scene, 1280, 720)) << "no number type after step " << steps;
    }
    EXPECT_LT(steps, 60);
    EXPECT_NE(message.find("zooming out works"), std::string::npos);
    EXPECT_NEAR(state.scene.view.zoom.log2_abs(), max_log2_zoom(state.scene.view, 720), 1e-3);
    EXPECT_EQ(after(ZoomAt{kMiddle, 2}, state), state) << "a stop is a stop";
}

TEST(Command, ZoomingOutWorksFromTheEndOfDouble) {
    State state = after(ZoomAt{kMiddle, 1e30});
    const double deepest = state.scene.view.zoom.log2_abs();
    const Applied out = apply(state, ZoomAt{kMiddle, 0.5});
    EXPECT_NEAR(out.state.scene.view.zoom.log2_abs(), deepest - 1, 1e-9);
    EXPECT_EQ(out.message, "");
}

TEST(Command, ZoomingOutStopsAtTheWidestView) {
    State state;
    for (int i = 0; i < 100; ++i) state = after(ZoomAt{kMiddle, 0.1}, state);
    EXPECT_NEAR(state.scene.view.zoom.log2_abs(), kMinLog2Zoom, 1e-9);
    EXPECT_NE(apply(state, ZoomAt{kMiddle, 0.5}).message, "");
    EXPECT_GT(after(ZoomAt{kMiddle, 2}, state).scene.view.zoom.log2_abs(), kMinLog2Zoom);
}

TEST(Command, ImpossibleMovesChangeNothing) {
    for (const double factor : {0.0, -1.0, kNan, kInf}) {
        EXPECT_EQ(after(ZoomAt{kMiddle, factor}), State{}) << factor;
    }
    EXPECT_EQ(after(ZoomAt{{kNan, 0, 1280, 720}, 2}), State{});
    EXPECT_EQ(after(ZoomAt{{0, 0, 0, 0}, 2}), State{});
    EXPECT_EQ(after(Pan{kNan, 0, 720}), State{});
    EXPECT_EQ(after(Pan{1, 1, 0}), State{});
    EXPECT_EQ(after(CenterAt{{0, kInf, 1280, 720}, 2}), State{});
}

TEST(Command, CenterAtPutsThePointInTheMiddle) {
    const PixelPoint cursor{17, 600, 1280, 720};
    const PlanePoint wanted = point_at(View{}, cursor);
    const State state = after(CenterAt{cursor, 4});
    EXPECT_NEAR((state.scene.view.re - wanted.re).to_double(), 0, 1e-15);
    EXPECT_NEAR((state.scene.view.im - wanted.im).to_double(), 0, 1e-15);
    EXPECT_DOUBLE_EQ(state.scene.view.zoom.to_double(), 6);
}

TEST(Command, PanMovesThePictureWithTheMouse) {
    const State state = after(Pan{36, -72, 720});
    const double spacing = 4 / (1.5 * 720);
    EXPECT_NEAR(state.scene.view.re.to_double(), -0.75 - 36 * spacing, 1e-12);
    EXPECT_NEAR(state.scene.view.im.to_double(), -72 * spacing, 1e-12);
}

TEST(Command, ADeepPlaceIsShownWhereDoubleEnds) {
    Scene scene;
    scene.view.zoom = BigFloat::parse("1e1086");
    const Applied applied = apply({}, SetScene{scene, 720});
    EXPECT_TRUE(plan(applied.state.scene, 1280, 720));
    EXPECT_NE(applied.message.find("deeper than double"), std::string::npos);
    EXPECT_NEAR(applied.state.scene.view.zoom.log2_abs(), max_log2_zoom(scene.view, 720), 1e-3);
}

TEST(Command, ATallerWindowKeepsTheZoomWithinDouble) {
    const State state = after(ZoomAt{kMiddle, 1e30});
    EXPECT_FALSE(plan(state.scene, 2560, 1440));
    EXPECT_TRUE(plan(after(SetWindowHeight{1440}, state).scene, 2560, 1440));
}

TEST(Command, ABrokenViewIsClamped) {
    View view;
    view.zoom = BigFloat{-3};
    EXPECT_DOUBLE_EQ(after(SetView{view}).scene.view.zoom.to_double(), 1);
    view.zoom = BigFloat{1};
    view.re = BigFloat::parse("-1e400");
    EXPECT_DOUBLE_EQ(after(SetView{view}).scene.view.re.to_double(), -kMaxCoordinate);
}

TEST(Command, AnotherFormulaGoesToItsHome) {
    const State state = after(SetFormula{Formula::kBurningShip}, after(ZoomAt{kMiddle, 100}));
    EXPECT_EQ(state.scene.formula, Formula::kBurningShip);
    EXPECT_EQ(state.scene.view, home_view(Formula::kBurningShip));
}

TEST(Command, TheSameFormulaKeepsTheView) {
    const State zoomed = after(ZoomAt{kMiddle, 100});
    EXPECT_EQ(after(SetFormula{Formula::kMandelbrot}, zoomed), zoomed);
}

TEST(Command, AnotherFormulaKeepsTheViewOfAJuliaSet) {
    State state = after(SetJulia{BigFloat{-0.8}, BigFloat{0.156}}, after(ZoomAt{kMiddle, 100}));
    EXPECT_EQ(state.scene.view, home_of(state.scene));
    state = after(ZoomAt{kMiddle, 3}, state);
    const State next = after(SetFormula{Formula::kMultibrot3}, state);
    EXPECT_EQ(next.scene.view, state.scene.view);
    EXPECT_TRUE(next.scene.julia);
}

TEST(Command, AnotherJuliaConstantKeepsTheView) {
    State state = after(SetJulia{BigFloat{0.1}, BigFloat{0.2}});
    state = after(ZoomAt{kMiddle, 3}, state);
    const State next = after(SetJulia{BigFloat{0.3}, BigFloat{0.4}}, state);
    EXPECT_EQ(next.scene.view, state.scene.view);
    EXPECT_EQ(next.scene.julia_im, BigFloat{0.4});
    EXPECT_EQ(after(LeaveJulia{}, next).scene.view, home_view(Formula::kMandelbrot));
}

TEST(Command, LimitsAreClampedWithAMessage) {
    EXPECT_EQ(after(SetLimit{0}).scene.limit, 1u);
    EXPECT_EQ(after(SetLimit{-5}).scene.limit, 1u);
    EXPECT_EQ(after(SetLimit{std::numeric_limits<std::int64_t>::max()}).scene.limit, 1000000000u);
    EXPECT_NE(apply({}, SetLimit{0}).message.find("set to 1."), std::string::npos);
    EXPECT_EQ(apply({}, SetLimit{5000}).message, "");
}

TEST(Command, TheBailoutIsClampedWithAMessage) {
    EXPECT_EQ(after(SetBailout{0}).scene.bailout, 2);
    EXPECT_EQ(after(SetBailout{1e300}).scene.bailout, 1e9);
    EXPECT_EQ(after(SetBailout{kNan}).scene.bailout, 256);
    EXPECT_NE(apply({}, SetBailout{0}).message, "");
}

TEST(Command, BlocksNeverExceed1024ThreadsNorFallBelowOne) {
    for (const int x : {std::numeric_limits<int>::min(), -1, 0, 1, 7, 32, 1024, 1025, 2000000000}) {
        for (const int y : {std::numeric_limits<int>::min(), 0, 1, 33, 1024, 2000000000}) {
            const BlockShape block = after(SetBlock{{x, y}}).tuning.block;
            EXPECT_GE(block.x, 1);
            EXPECT_GE(block.y, 1);
            EXPECT_LE(block.x * block.y, 1024);
        }
    }
    Tuning wide;
    wide.block = {16, 16};
    wide.what_if = {RegisterUse::k254, 1 << 30};
    const State state = after(SetTuning{wide});
    EXPECT_EQ(state.tuning.what_if, (WhatIf{RegisterUse::k254, 227 * 1024}));
    const Applied larger = apply(state, SetBlock{{32, 16}});
    EXPECT_EQ(larger.state.tuning.what_if.registers, RegisterUse::kCompiled);
    EXPECT_NE(larger.message.find("256 threads"), std::string::npos) << larger.message;
    EXPECT_EQ(apply(state, SetDevice{1}).state.tuning.what_if, WhatIf{});
    EXPECT_EQ(after(SetBlock{{13, 7}}).tuning.block, (BlockShape{13, 7}));
    EXPECT_NE(apply({}, SetBlock{{32, 64}}).message.find("32 x 32"), std::string::npos);
}

TEST(Command, EveryMethodCanBeChosenAndNoOther) {
    for (const MethodRung& rung : kMethods) {
        const Applied chosen = apply({}, SetMethod{rung.method});
        EXPECT_EQ(chosen.state.tuning.method, rung.method) << rung.key;
        EXPECT_EQ(chosen.message, "");
    }
    Method odd = kMethods.front().method;
    odd.schedule = static_cast<Schedule>(9);
    EXPECT_EQ(after(SetMethod{odd}).tuning.method, Method{});
    EXPECT_NE(apply({}, SetMethod{odd}).message, "");
}

TEST(Command, TuningIsClamped) {
    const Tuning tuning = after(SetTuning{{{}, {0, 0}, -3, 0}}).tuning;
    EXPECT_EQ(tuning, (Tuning{{}, {1, 1}, 0, 8}));
    EXPECT_EQ(after(SetTuning{{{}, {8, 8}, 4, 9999}}).tuning.cpu_tile, 1024);
}

TEST(Command, ColoursAreClamped) {
    ColorSettings color;
    color.density = 0;
    color.offset = -0.25f;
    color.transfer = 7;
    color.cycle_speed = std::numeric_limits<float>::quiet_NaN();
    color.interior[1] = 5;
    color.shading = -1;
    const Applied applied = apply({}, SetColor{color});
    EXPECT_FLOAT_EQ(applied.state.color.density, 1e-5f);
    EXPECT_FLOAT_EQ(applied.state.color.offset, 0.75f);
    EXPECT_EQ(applied.state.color.transfer, 2);
    EXPECT_FLOAT_EQ(applied.state.color.cycle_speed, ColorSettings{}.cycle_speed);
    EXPECT_FLOAT_EQ(applied.state.color.interior[1], 1);
    EXPECT_FLOAT_EQ(applied.state.color.shading, 0);
    EXPECT_NE(applied.message.find("density"), std::string::npos);
}

TEST(Command, ColoursLeaveTheSceneAlone) {
    ColorSettings color;
    color.palette = "Ice";
    EXPECT_EQ(after(SetColor{color}).scene, Scene{});
}

TEST(Command, SettingsAreClamped) {
    Settings settings;
    settings.wheel_factor = 1;
    settings.ui_scale = 100;
    const State state = after(SetSettings{settings});
    EXPECT_EQ(state.settings.wheel_factor, 1.01);
    EXPECT_EQ(state.settings.ui_scale, 4);
    settings = {};
    settings.ui_scale = 0;
    EXPECT_EQ(apply({}, SetSettings{settings}).message, "");
}

TEST(Command, EveryBackendOfTheEngineCanBeChosen) {
    for (const BackendChoice& choice : backend_choices()) {
        EXPECT_EQ(after(SetBackend{choice.name}).backend, choice.name);
    }
    EXPECT_EQ(after(SetBackend{"abacus"}).backend, "auto");
    EXPECT_NE(apply({}, SetBackend{"abacus"}).message.find("cpu-simd"), std::string::npos);
}

TEST(Command, ToggleGoesFromCudaToTheBestCpuAndBack) {
    EXPECT_EQ(after(ToggleBackend{"cuda"}).backend, "cpu");
    EXPECT_EQ(after(ToggleBackend{"cpu-simd"}).backend, "cuda");
    EXPECT_EQ(after(ToggleBackend{}).backend, "cpu");
    EXPECT_EQ(after(ToggleBackend{}, after(SetBackend{"cpu"})).backend, "cuda");
}

TEST(Command, PauseAndPaceToggle) {
    EXPECT_TRUE(after(TogglePause{}).paused);
    EXPECT_FALSE(after(TogglePause{}, after(TogglePause{})).paused);
    EXPECT_EQ(after(TogglePace{}).settings.pace, Pace::kEconomy);
}

TEST(Command, DevicesCountFromZero) {
    EXPECT_EQ(after(SetDevice{-1}).device, 0);
    EXPECT_EQ(after(SetDevice{3}).device, 3);
}

}  // namespace
}  // namespace warpscope
