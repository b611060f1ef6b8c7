// SPDX-License-Identifier: MIT
#include "app/session/history.h"

#include <gtest/gtest.h>

namespace warpscope {
namespace {

Scene at(double re) {
    Scene scene;
    scene.view.re = BigFloat{re};
    return scene;
}

TEST(History, UndoGoesBackAndRedoForward) {
    History history{at(0)};
    history.record(at(1), 10);
    history.record(at(2), 20);
    EXPECT_EQ(history.undo(), at(1));
    EXPECT_EQ(history.undo(), at(0));
    EXPECT_EQ(history.undo(), std::nullopt);
    EXPECT_EQ(history.redo(), at(1));
    EXPECT_EQ(history.redo(), at(2));
    EXPECT_EQ(history.redo(), std::nullopt);
}

TEST(History, ContinuousMotionIsOneEntry) {
    History history{at(0)};
    for (int i = 1; i <= 100; ++i) history.record(at(i), 5 + 0.1 * i);
    EXPECT_EQ(history.size(), 2u);
    EXPECT_EQ(history.undo(), at(0));
    EXPECT_EQ(history.redo(), at(100));
}

TEST(History, APauseBeginsANewEntry) {
    History history{at(0)};
    history.record(at(1), 1);
    history.record(at(2), 1.59);
    history.record(at(3), 2.20);
    EXPECT_EQ(history.size(), 3u);
    EXPECT_EQ(history.undo(), at(2));
}

TEST(History, TheFirstSceneIsNeverOverwritten) {
    History history{at(0)};
    history.record(at(1), 0);
    EXPECT_EQ(history.undo(), at(0));
}

TEST(History, RecordingWhatIsShownAddsNothing) {
    History history{at(0)};
    history.record(at(1), 1);
    history.undo();
    history.record(at(0), 9);
    EXPECT_TRUE(history.can_redo());
    EXPECT_EQ(history.redo(), at(1));
}

TEST(History, SomethingNewAfterUndoForgetsWhatWasUndone) {
    History history{at(0)};
    history.record(at(1), 1);
    history.record(at(2), 2);
    history.undo();
    history.record(at(3), 2.1);
    EXPECT_FALSE(history.can_redo());
    EXPECT_EQ(history.undo(), at(1)) << "an entry that was gone back to is not merged into";
}

TEST(History, IsBounded) {
    History history{at(0), 4};
    for (int i = 1; i <= 50; ++i) history.record(at(i), i);
    EXPECT_EQ(history.size(), 4u);
    history.undo();
    history.undo();
    EXPECT_EQ(history.undo(), at(47));
    EXPECT_FALSE(history.can_undo());
}

TEST(History, BringsTheFormulaBackToo) {
    Scene ship = at(1);
    ship.formula = Formula::kBurningShip;
    History history{at(0)};
    history.record(ship, 1);
    EXPECT_EQ(history.undo()->formula, Formula::kMandelbrot);
}

}  // namespace
}  // namespace warpscope
