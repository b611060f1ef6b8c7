// SPDX-License-Identifier: MIT
// Steps of the guided tour as files, conditions, progress, and the way back.
#include "app/session/tour.h"

#include <gtest/gtest.h>

namespace warpscope {
namespace {

const TourVocabulary kVocabulary{{{"threads", 0.0, FactUse::kBoth, {}},
                                  {"overlay", std::string{}, FactUse::kBoth, {"none", "lanes"}},
                                  {"timeline", false, FactUse::kBoth, {}},
                                  {"place", std::string{}, FactUse::kSet, {"home"}},
                                  {"compared", false, FactUse::kRead, {}}},
                                 {"sliders", "picture"}};

/// A complete step: the keys of one, then `more`.
std::string step(const std::string& more) {
    return "title = \"T\"\ntext = \"X\"\ntask = \"Do\"\ndone = \"Seen\"\npoint_at = \"sliders\"\n" +
           more;
}

TourStep parsed(const std::string& text) { return parse_tour_step("t", text, kVocabulary); }

/// What is said about a file.
std::string problem_of(const std::string& text) {
    try {
        parsed(text);
    } catch (const TourError& error) {
        return error.what();
    }
    return "";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    const std::string problem = problem_of(text);
    for (const std::string& part : parts) {
        EXPECT_NE(problem.find(part), std::string::npos) << "no '" << part << "' in: " << problem;
    }
}

constexpr const char* kDone = "[done_when]\nthreads = 21\n";

TEST(TourStep, ReadsAllKeys) {
    const TourStep read =
        parsed(step("[state]\nthreads = 128\noverlay = \"lanes\"\nplace = "
                    "\"home\"\n[done_when]\nthreads = \">= 20\"\ncompared = "
                    "true\noverlay = \"!= none\"\n"));
    EXPECT_EQ(read.id, "t");
    EXPECT_FALSE(read.without_gpu);
    const TourForm& form = read.form(false);
    EXPECT_EQ(form.title + form.text + form.task + form.done + form.control, "TXDoSeensliders");
    EXPECT_EQ(form.state.at("threads"), FactValue{128.0});
    EXPECT_EQ(form.state.at("overlay"), FactValue{std::string{"lanes"}});
    EXPECT_TRUE(hold(form.wanted, {{"threads", 20.0}, {"compared", true}, {"overlay", "who"}}));
    EXPECT_FALSE(hold(form.wanted, {{"threads", 19.0}, {"compared", true}, {"overlay", "who"}}));
    EXPECT_FALSE(hold(form.wanted, {{"threads", 20.0}, {"compared", false}, {"overlay", "who"}}));
    EXPECT_FALSE(hold(form.wanted, {{"threads", 20.0}, {"compared", true}, {"overlay", "none"}}));
}

TEST(TourStep, WithoutGpuKeepsWhatItDoesNotSay) {
    const TourStep read =
        parsed(step("[state]\nthreads = 128\n[done_when]\nthreads = 21\n"
                    "[without_gpu]\ntask = \"Other\"\n"
                    "[without_gpu.done_when]\ncompared = true\n"));
    EXPECT_EQ(read.form(true).task, "Do");
    EXPECT_EQ(read.form(false).task, "Other");
    EXPECT_EQ(read.form(false).title, "T");
    EXPECT_EQ(read.form(false).state, read.form(true).state);
    EXPECT_EQ(read.form(false).wanted.at(0).fact, "compared");
}

TEST(TourStep, KnowsEachRelation) {
    const auto holds = [](const std::string& condition, double threads) {
        const TourStep read = parsed(step("[done_when]\nthreads = \"" + condition + "\"\n"));
        return hold(read.usual.wanted, {{"threads", threads}});
    };
    for (const auto& [sign, below, same, above] : {std::tuple{"<", true, false, false},
                                                   {"<=", true, true, false},
                                                   {"=", false, true, false},
                                                   {"!=", true, false, true},
                                                   {">=", false, true, true},
                                                   {">", false, false, true}}) {
        EXPECT_EQ(holds(std::string{sign} + " 20", 19), below) << sign;
        EXPECT_EQ(holds(std::string{sign} + "20", 20), same) << sign;
        EXPECT_EQ(holds(std::string{sign} + " 2e1", 20.5), above) << sign;
    }
}

TEST(TourStep, MissingKeysAreNamed) {
    for (const std::string key : {"title", "text", "task", "done", "point_at"}) {
        std::string text = step(kDone);
        text.erase(text.find(key), text.find('\n', text.find(key)) - text.find(key) + 1);
        expect_parts(text, {"tour step 't'", key, "missing"});
    }
    expect_parts(step(""), {"done_when", "missing", "at least one condition"});
    expect_parts(step("[done_when]\n"), {"done_when", "at least one condition"});
    expect_parts(step(std::string{kDone} + "[without_gpu]\ntask = \"\"\n"), {"task", "empty"});
}

TEST(TourStep, WhatIsUnknownIsNamedWithWhatIsAccepted) {
    expect_parts(step("colour = 1\n" + std::string{kDone}),
                 {"tour step 't': line 6", "colour", "title, text", "[without_gpu]"});
    expect_parts(step("[done_when]\nblocks = 1\n"),
                 {"line 7", "done_when.blocks", "threads, overlay, timeline, compared"});
    expect_parts(step("[state]\ncompared = true\n" + std::string{kDone}),
                 {"state.compared", "threads, overlay, timeline, place"});
    expect_parts(step("[done_when]\nplace = \"home\"\n"), {"done_when.place", "accepted"});
    expect_parts(step("[done_when]\noverlay = \"lane\"\n"), {"overlay", "'lane'", "none, lanes"});
    expect_parts("title = \"T\"\npoint_at = \"slider\"\n",
                 {"line 2", "point_at", "'slider'", "sliders, picture"});
    expect_parts(step(std::string{kDone} + "[without_gpu]\nstat = 1\n"), {"without_gpu.stat"});
    expect_parts(step(std::string{kDone} + "[without_gpu.without_gpu]\n"),
                 {"without_gpu.without_gpu"});
}

TEST(TourStep, WrongTypesAreNamed) {
    expect_parts(step("[state]\nthreads = \"many\"\n" + std::string{kDone}),
                 {"state.threads", "a number", "a string"});
    expect_parts(step("[state]\nthreads = nan\n" + std::string{kDone}), {"a number"});
    expect_parts(step("[state]\ntimeline = 1\n" + std::string{kDone}), {"true or false"});
    expect_parts(step("[state]\noverlay = 3\n" + std::string{kDone}), {"a string"});
    expect_parts(step("[done_when]\nthreads = \"=> 3\"\n"), {"'=> 3'", "!=, <=, >=, <, >, ="});
    expect_parts(step("[done_when]\nthreads = \">= \"\n"), {"threads", "number"});
    expect_parts(step("[done_when]\nthreads = \"\"\n"), {"threads", "number"});
    expect_parts(step("[done_when]\nthreads = \"< inf\"\n"), {"threads", "number"});
    expect_parts(step("[done_when]\noverlay = \"> none\"\n"), {"overlay", "= and != only"});
    expect_parts(step("[done_when]\nthreads = [1]\n"), {"threads", "a number"});
    expect_parts(step("done_when = 3\n"), {"done_when", "table"});
    expect_parts("title = 3\n", {"title", "string"});
}

TEST(TourStep, WhatIsNoTomlIsSaidWithItsLine) {
    expect_parts("title = \"T\"\ntext = ]\n", {"tour step 't': line 2"});
    EXPECT_NE(problem_of(std::string(100'000, '[')), "");
    EXPECT_NE(problem_of(std::string{"\0\xff", 2}), "");
    EXPECT_NE(problem_of(""), "");
}

TEST(TourProgress, StepIsDoneWhenItsConditionBecomesTrue) {
    TourProgress progress{3};
    progress.observe(true);  // as it was when the step began: nobody did anything
    EXPECT_FALSE(progress.done(0));
    progress.observe(false);
    progress.observe(true);
    EXPECT_TRUE(progress.done(0));
    progress.observe(false);
    EXPECT_TRUE(progress.done(0)) << "done stays done";
    progress.go(1);
    progress.observe(true);
    EXPECT_FALSE(progress.done(1)) << "another step begins anew";
}

TEST(TourProgress, GoesNowhereBeyondItsEnds) {
    TourProgress progress{2};
    progress.go(2);
    progress.go(static_cast<std::size_t>(-1));
    EXPECT_EQ(progress.current(), 0u);
    progress.go(1);
    EXPECT_EQ(progress.current(), 1u);
    EXPECT_EQ(progress.steps(), 2u);
}

/// A state that differs from the default in all that a tour sets, and in colours.
State other_state() {
    State state;
    state.scene.view.zoom = BigFloat{1000};
    state.scene.limit = 5000;
    state.backend = "cpu-simd";
    state.tuning.block = {7, 3};
    state.tuning.cpu_threads = 1;
    state.tuning.what_if.shared_bytes = 40 << 10;
    state.paused = true;
    state.settings.timeline = true;
    return state;
}

TEST(AfterTour, BringsBackWhatTheTourChangedAndKeepsTheRest) {
    const State before = other_state();
    State now;
    now.color.palette = "kept";
    now.settings.theme = Theme::kLight;
    const State after = after_tour(now, before);
    EXPECT_EQ(after.scene, before.scene);
    EXPECT_EQ(after.backend, before.backend);
    EXPECT_EQ(after.tuning, before.tuning);
    EXPECT_EQ(after.paused, before.paused);
    EXPECT_EQ(after.settings.timeline, before.settings.timeline);
    EXPECT_EQ(after.color.palette, "kept");
    EXPECT_EQ(after.settings.theme, Theme::kLight);
}

TEST(AfterTour, CommandsLeadThere) {
    const State wanted = other_state();
    State now;
    for (const Command& command : commands_towards(wanted, now, kUsualHeight)) {
        const Applied applied = apply(now, command);
        EXPECT_EQ(applied.message, "");
        now = applied.state;
    }
    EXPECT_EQ(after_tour(now, wanted), now);
    EXPECT_TRUE(commands_towards(wanted, now, kUsualHeight).empty());
}

}  // namespace
}  // namespace warpscope
