// SPDX-License-Identifier: MIT
// Rungs measured beside the window: partial results, failures, stops.
#include "app/lab_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/panels/compute_logic.h"

namespace warpscope {
namespace {

LabRequest request(const std::string& rung, std::size_t n = 1000) {
    LabRequest made;
    made.demo = "vector_add";
    made.rung = rung;
    made.n = n;
    return made;
}

LabResult result_of(const LabRequest& request) {
    LabResult result;
    result.demo = request.demo;
    result.rung = request.rung;
    result.seed = request.seed == 0 ? 77 : request.seed;
    return result;
}

/// Waits for `done`, at most a minute, collecting as the main loop does.
template <class Done>
bool wait(LabRun& run, Done done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (std::chrono::steady_clock::now() < until) {
        run.collect();
        if (done()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return false;
}

bool finished(LabRun& run) {
    return wait(run, [&run] { return !run.running(); });
}

TEST(LabRun, ShowsEachResultWhileTheNextRungRuns) {
    std::atomic<bool> go_on{false};
    LabRun run{[&](const LabRequest& request, std::stop_token, const LabProgress&) {
        while (request.rung == "b" && !go_on) std::this_thread::yield();
        return result_of(request);
    }};
    run.start({request("a"), request("b")});
    EXPECT_TRUE(wait(run, [&] { return run.outcomes().size() == 1 && run.current() == "b"; }));
    EXPECT_TRUE(run.running());
    EXPECT_TRUE(run.asked_for("vector_add", "b"));
    EXPECT_FALSE(run.asked_for("saxpy", "b"));
    go_on = true;
    ASSERT_TRUE(finished(run));
    EXPECT_EQ(run.outcomes().size(), 2u);
    EXPECT_EQ(run.current(), "");
}

TEST(LabRun, GivesAllRungsTheSameData) {
    LabRun run{[](const LabRequest& request, std::stop_token, const LabProgress&) {
        return result_of(request);
    }};
    run.start({request("a"), request("b")});
    ASSERT_TRUE(finished(run));
    EXPECT_EQ(run.outcomes()[1].request.seed, 77u);
}

TEST(LabRun, KeepsTheReasonOfARungThatFailsAndGoesOn) {
    LabRun run{[](const LabRequest& request, std::stop_token, const LabProgress&) {
        if (request.rung == "a") throw LabError{"short of memory"};
        return result_of(request);
    }};
    run.start({request("a"), request("b")});
    ASSERT_TRUE(finished(run));
    ASSERT_EQ(run.outcomes().size(), 2u);
    EXPECT_EQ(run.outcomes()[0].problem, "short of memory");
    EXPECT_FALSE(run.outcomes()[0].result);
    EXPECT_TRUE(run.outcomes()[1].result);
}

TEST(LabRun, LeavesNoOutcomeOfARungThatWasStopped) {
    LabRun run{[](const LabRequest& request, std::stop_token stop, const LabProgress& progress) {
        progress(0.5, "running");
        LabResult result = result_of(request);
        while (request.rung == "b" && !stop.stop_requested()) std::this_thread::yield();
        result.cancelled = stop.stop_requested();
        return result;
    }};
    run.start({request("a"), request("b"), request("c")});
    EXPECT_TRUE(wait(run, [&] { return run.progress().label() == "b: running"; }));
    EXPECT_NEAR(run.progress().fraction(), 0.5, 1e-9);  // one of three, and half of the second
    EXPECT_NEAR(run.rung_progress().fraction(), 0.5, 1e-9);
    EXPECT_TRUE(run.progress().seconds_left());
    run.request_stop();
    ASSERT_TRUE(finished(run));
    ASSERT_EQ(run.outcomes().size(), 1u);
    EXPECT_EQ(run.outcomes()[0].request.rung, "a");
}

TEST(LabRun, KeepsComparableOutcomesAndDropsTheOthers) {
    LabRun run{[](const LabRequest& request, std::stop_token, const LabProgress&) {
        return result_of(request);
    }};
    run.start({request("a"), request("b")});
    ASSERT_TRUE(finished(run));
    run.start({request("b")});
    ASSERT_TRUE(finished(run));
    EXPECT_EQ(run.outcomes().size(), 2u);  // a is of the same size and stays
    run.start({request("b", 2000)});
    ASSERT_TRUE(finished(run));
    ASSERT_EQ(run.outcomes().size(), 1u);
    EXPECT_EQ(run.outcomes()[0].request.n, 2000u);
}

TEST(LabRun, RunsRealRungsOfTheLab) {
    DemoChoice choice;
    choice.rungs = lab_rungs("vector_add");
    choice.n = 100'003;
    const LabDemo& demo = find_lab_demo("vector_add");
    std::vector<LabRequest> requests = requests_of(demo, choice, {.cache = LabCache::kWarm});
    std::erase_if(requests, [](const LabRequest& r) { return !r.rung.starts_with("cpu"); });
    for (LabRequest& r : requests) r.plan = {.min_samples = 3, .min_seconds = 0, .max_seconds = 1};
    LabRun run;
    run.start(requests);
    ASSERT_TRUE(wait(run, [&] { return !run.running(); }));
    ASSERT_EQ(run.outcomes().size(), 4u);
    ASSERT_NE(best_cpu(run.outcomes(), "vector_add"), nullptr);
    for (const RungRow& row : rows_of(demo, choice, run)) {
        if (!row.rung->name.starts_with("cpu")) continue;
        EXPECT_EQ(row.phase, RungPhase::kMeasured) << row.rung->name << ": " << row.problem;
        EXPECT_FALSE(row.rung->source.empty());
    }
}

}  // namespace
}  // namespace warpscope
