// SPDX-License-Identifier: MIT
// The built-in tour: every step begins undone, can be done, and says what it points at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <set>
#include <thread>

#include "app/panels/pointers.h"
#include "app/tour_facts.h"

namespace warpscope {
namespace {

/// What a step acts on, as Application has it.
struct Desk {
    State state;
    UiState ui;
    Workshop workshop;
    bool gpu = false;  ///< whether this machine is taken to have one

    void begin(const TourForm& form) { set_up(form.state, gpu, state, ui); }
    bool done(const TourForm& form) const {
        return hold(form.wanted, tour_facts({state, ui, workshop, state.backend == "cuda"}));
    }
    void command(const Command& what) { state = apply(state, what).state; }
};

void wait_for(const std::function<bool()>& ready) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (!ready() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

void run_addition(Desk& desk) {
    LabRequest request;
    request.demo = "vector_add";
    request.rung = "cpu-scalar";
    request.n = 1000;
    request.plan.min_seconds = 0.001;
    desk.workshop.lab.start({request});
    wait_for([&desk] {
        desk.workshop.lab.collect();
        return !desk.workshop.lab.running();
    });
}

void run_comparison(Desk& desk) {
    desk.workshop.compare.start([](std::stop_token, WorkProgress&) { return Comparison{}; });
    wait_for([&desk] {
        desk.workshop.compare.collect();
        return !desk.workshop.compare.running();
    });
}

/// What the user does at each step, by what the step's condition is about: through the same
/// commands and fields as the controls that it points at.
void act(Desk& desk, const TourForm& form) {
    const std::string& control = form.control;
    const std::string& fact = form.wanted.front().fact;
    if (fact == "zoom") {
        for (int i = 0; i < 12; ++i) desk.command(ZoomAt{{}, 1.25});
    } else if (fact == "pixel") {
        desk.ui.microscope.point = {-0.75, 0.1};
    } else if (control == "backend") {
        desk.command(ToggleBackend{desk.state.backend});
    } else if (control == "worker_threads") {
        desk.state.tuning.cpu_threads = 1;
    } else if (control == "block_presets") {
        desk.command(SetBlock{{7, 3}});
    } else if (control == "model_threads") {
        desk.command(SetBlock{{21, 1}});
    } else if (control == "model_registers") {
        desk.ui.model_registers = 128;
    } else if (control == "shared_memory") {
        desk.state.tuning.what_if.shared_bytes = 40 << 10;
    } else if (control == "overlay") {
        desk.ui.overlay.kind = OverlayKind::kLanes;
    } else if (control == "timeline") {
        desk.command(ToggleTimeline{});
    } else if (control == "example_block") {
        desk.ui.compute.example.block = 3;
    } else if (control == "run_lab") {
        run_addition(desk);
    } else if (control == "tiled_rung") {
        desk.ui.compute.demos[desk.ui.compute.demo].selected = "cuda-tiled";
    } else if (control == "compare") {
        run_comparison(desk);
    } else {
        FAIL() << "no act for " << control;
    }
}

std::vector<TourStep> tour() { return load_tour(tour_vocabulary()); }

TEST(Tour, HasAboutTenStepsInOrder) {
    const std::vector<TourStep> steps = tour();
    EXPECT_GE(steps.size(), 8u);
    EXPECT_LE(steps.size(), 12u);
    EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &TourStep::id));
}

TEST(Tour, EachStepIsUndoneAtFirstAndDoneByItsTask) {
    const std::vector<TourStep> steps = tour();
    for (const bool gpu : {true, false}) {
        for (const TourStep& step : steps) {
            const TourForm& form = step.form(gpu);
            SCOPED_TRACE(step.id + (gpu ? " with a GPU" : " without"));
            Desk desk;
            desk.gpu = gpu;
            desk.begin(form);
            TourProgress progress{1};
            EXPECT_FALSE(desk.done(form));
            progress.observe(desk.done(form));
            act(desk, form);
            EXPECT_TRUE(desk.done(form));
            progress.observe(desk.done(form));
            EXPECT_TRUE(progress.done(0));
        }
    }
}

TEST(Tour, StepsAreUndoneWhereverOneComesFrom) {
    const std::vector<TourStep> steps = tour();
    for (const bool gpu : {true, false}) {
        Desk desk;
        desk.gpu = gpu;
        for (const TourStep& step : steps) {
            SCOPED_TRACE(step.id);
            desk.begin(step.form(gpu));
            EXPECT_FALSE(desk.done(step.form(gpu)));
            if (step.form(gpu).control == "run_lab" || step.form(gpu).control == "compare") {
                continue;  // measured results stay; then a new run has to end
            }
            act(desk, step.form(gpu));
        }
    }
}

TEST(Tour, WithoutGpuNoStepNeedsOne) {
    for (const TourStep& step : tour()) {
        const TourForm& form = step.form(false);
        for (const TourCondition& condition : form.wanted) {
            EXPECT_NE(condition.value, FactValue{std::string{"gpu"}}) << step.id;
        }
        EXPECT_NE(form.control, "block_presets") << step.id << ": the CPU has no blocks";
        EXPECT_NE(form.control, "shared_memory") << step.id;
        EXPECT_NE(form.control, "backend") << step.id;
    }
}

TEST(Tour, TextsAreShortEnoughForTheCard) {
    for (const TourStep& step : tour()) {
        for (const bool gpu : {true, false}) {
            const TourForm& form = step.form(gpu);
            EXPECT_LE(form.title.size(), 48u) << step.id;
            EXPECT_LE(form.text.size(), 420u) << step.id;
            EXPECT_LE(form.task.size(), 130u) << step.id;
            EXPECT_LE(form.done.size(), 400u) << step.id;
        }
    }
}

/// All that a learner reads of the tour on one machine.
std::string all_texts(bool gpu) {
    std::string all;
    for (const TourStep& step : tour()) {
        const TourForm& form = step.form(gpu);
        all += form.title + "\n" + form.text + "\n" + form.task + "\n" + form.done + "\n";
    }
    return all;
}

TEST(Tour, SaysWhatLearnersAreToTakeAway) {
    for (const bool gpu : {true, false}) {
        const std::string all = all_texts(gpu);
        for (const char* idea : {"16,384",       "16 to 24",       "warp",       "multiprocessor",
                                 "registers",    "shared memory",  "Occupancy",  "threadIdx",
                                 "blockIdx",     "blockDim",       "guard",      "allocate",
                                 "copy in",      "copy out",       "free",       "__syncthreads()",
                                 "race",         "1 to 6",         "7 to 12",    "T4",
                                 "SAXPY",        "matrix product", "1536×1024",  "Fused attention",
                                 "PyTorch",      "Numba",          "No kernel",  "compilation",
                                 "first launch", "AVX-512",        "in flight",  "memory",
                                 "ten times",    "hundred",        "prediction", "AI"}) {
            EXPECT_NE(all.find(idea), std::string::npos) << idea << (gpu ? "" : ", without a GPU");
        }
    }
}

TEST(Controls, AreListedInTheirOrderWithNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < controls().size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(controls()[i].control), i);
        EXPECT_TRUE(names.insert(controls()[i].name).second) << controls()[i].name;
        EXPECT_EQ(find_control(controls()[i].name), controls()[i].control);
    }
    EXPECT_FALSE(find_control("wheel"));
}

TEST(Controls, PointingOpensTheirTab) {
    UiState ui;
    ui.panels_hidden = true;
    ui.panel_open = false;
    point_at(ui, Control::kCompare);
    EXPECT_EQ(ui.tab, Tab::kParallelism);
    EXPECT_TRUE(ui.panel_open);
    EXPECT_FALSE(ui.panels_hidden);
    EXPECT_EQ(ui.tour.pointed, Control::kCompare);
    point_at(ui, Control::kBackend);
    EXPECT_EQ(ui.tab, Tab::kParallelism) << "the bar is on every tab";
}

TEST(TourFacts, PanelsComeBackAsTheyWere) {
    UiState ui;
    ui.tab = Tab::kColour;
    ui.overlay.kind = OverlayKind::kWho;
    ui.model_registers = 77;
    ui.compute.demo = 2;
    ui.microscope.on = true;
    ui.microscope.point = {1, 2};
    const PanelsBefore before = panels_of(ui);
    State state;
    for (const TourStep& step : tour()) set_up(step.form(false).state, false, state, ui);
    bring_back(ui, before);
    EXPECT_EQ(ui.tab, Tab::kColour);
    EXPECT_EQ(ui.overlay.kind, OverlayKind::kWho);
    EXPECT_EQ(ui.model_registers, 77);
    EXPECT_EQ(ui.compute.demo, 2u);
    EXPECT_TRUE(ui.microscope.on);
    EXPECT_EQ(ui.microscope.point, (std::complex<double>{1, 2}));
}

}  // namespace
}  // namespace warpscope
