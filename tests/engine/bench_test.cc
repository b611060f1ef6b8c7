// SPDX-License-Identifier: MIT
#include "kernels/engine/bench.h"

#include <gtest/gtest.h>

#include "kernels/engine/frame_run.h"
#include "kernels/engine/rungs.h"

namespace warpscope {
namespace {

BenchPlan small_plan() {
    BenchPlan plan;
    plan.views = {bench_views().front(), bench_views().back()};
    plan.types = {Precision::kFloat, Precision::kDouble};
    plan.rungs = {kMethods.begin(), kMethods.end()};
    plan.backends = {"cpu-scalar"};
    plan.scalar_everywhere = true;
    plan.width = 64;
    plan.height = 36;
    plan.sampling.min_samples = 3;
    plan.sampling.min_seconds = 0;
    plan.throttled = Throttled::kKeep;  // others may use the machine that tests
    return plan;
}

const BenchRow& row_of(const BenchResult& result, std::string_view view, std::string_view rung) {
    for (const BenchRow& row : result.rows) {
        if (row.view == view && row.rung == rung) return row;
    }
    throw std::runtime_error{"no such row"};
}

TEST(FmaMeter, FindsMoreInTwoThreadsOfVectorsThanASlowProcessorHas) {
    const auto meter = make_cpu_fma_meter(2);
    for (const Precision type : {Precision::kFloat, Precision::kDouble, Precision::kDf64}) {
        const double rate = meter->per_second(type, 5);
        EXPECT_GT(rate, 1e8);
        EXPECT_LT(rate, 1e13);
    }
}

TEST(FmaMeter, GivesTheSameForRunsOfAnyLength) {
    const auto meter = make_cpu_fma_meter(1);
    double brief = 0, lengthy = 0;
    for (int i = 0; i < 10; ++i) {  // the best: others only take away
        brief = std::max(brief, meter->per_second(Precision::kFloat, 2));
        lengthy = std::max(lengthy, meter->per_second(Precision::kFloat, 10));
    }
    // Of wrong units it would be 5 or 1/5; a busy machine takes from either.
    EXPECT_GT(brief / lengthy, 0.3);
    EXPECT_LT(brief / lengthy, 3);
}

TEST(Bench, CountsExecutedAndEffectiveIterationsApart) {
    const BenchResult result = bench(small_plan(), {});
    ASSERT_EQ(result.rows.size(), 2 * 2 * kMethods.size());
    for (const BenchRow& row : result.rows) {
        EXPECT_EQ(row.problem, "") << row.view << ' ' << row.rung;
        EXPECT_GE(row.kernel.count, 3u);
        EXPECT_LE(row.executed, row.iterations);
        EXPECT_GT(row.lane_efficiency(), 0);
        EXPECT_LE(row.lane_efficiency(), 1);
        EXPECT_GT(row.of_limit, 0);
    }
    const BenchRow& plain = row_of(result, "home", "blocks");
    const BenchRow& clever = row_of(result, "home", "closed-form");
    EXPECT_EQ(plain.executed, plain.iterations);
    EXPECT_EQ(clever.iterations, plain.iterations);
    EXPECT_LT(2 * clever.executed, clever.iterations) << "the cardioid was computed";
    EXPECT_EQ(clever.counts_hash, plain.counts_hash);
}

TEST(Bench, MeasuresDf64AgainstTheLimitOfFloat) {
    BenchPlan plan = small_plan();
    plan.types = {Precision::kDf64};
    plan.views.resize(1);
    const BenchResult result = bench(plan, {});
    const BenchPeak* peak = peak_of(result, "cpu-scalar", Precision::kDf64);
    ASSERT_NE(peak, nullptr);
    EXPECT_EQ(peak->type, Precision::kFloat);
    const BenchRow& row = row_of(result, "home", "naive");
    EXPECT_DOUBLE_EQ(row.of_limit, row.executed_per_second() / (peak->fma_per_second / 4));
}

TEST(Bench, SaysWhatItSkippedAndWhy) {
    BenchPlan plan = small_plan();
    plan.views.resize(1);
    plan.width = 640;
    plan.height = 360;
    plan.slowest_s = 1e-6;
    for (const BenchRow& row : bench(plan, {}).rows) {
        EXPECT_EQ(row.kernel.count, 0u);
        EXPECT_NE(row.problem.find("skipped: a frame takes more than 1e-06 s"), std::string::npos)
            << row.problem;
    }
    plan.backends = {"abacus"};
    for (const BenchRow& row : bench(plan, {}).rows) {
        EXPECT_NE(row.problem.find("abacus"), std::string::npos) << row.problem;
    }
}

TEST(Bench, LeavesTheSlowestBackendToTheFirstView) {
    BenchPlan plan = small_plan();
    plan.scalar_everywhere = false;
    const BenchResult result = bench(plan, {});
    EXPECT_EQ(result.rows.size(), 2 * kMethods.size());
    for (const BenchRow& row : result.rows) EXPECT_EQ(row.view, "home");
}

TEST(Bench, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    for (const BenchRow& row : bench(small_plan(), source.get_token()).rows) {
        EXPECT_EQ(row.problem, "stopped");
    }
}

TEST(BenchViews, AreWhatTheirNamesSay) {
    BenchPlan plan = small_plan();
    plan.width = 192;
    plan.height = 108;
    const auto backend = make_backend("cpu-scalar");
    for (const BenchView& view : bench_views()) {
        const FrameJob job = bench_job(plan, view, Precision::kDouble);
        const HostSamples samples = backend->allocate_host(pixel_count(job));
        ASSERT_EQ(run_frame(*backend, job, {}, samples.get(), {}), FrameEnd::kDone);
        std::size_t inside = 0;
        for (std::size_t i = 0; i < pixel_count(job); ++i) inside += samples[i].count == 0;
        const double share = static_cast<double>(inside) / static_cast<double>(pixel_count(job));
        if (view.key == "interior") {
            EXPECT_EQ(share, 1);
        } else if (view.key == "exterior") {
            EXPECT_EQ(share, 0);
        } else {
            EXPECT_GT(share, 0.005) << view.key;
            EXPECT_LT(share, 0.7) << view.key;
        }
    }
}

TEST(Rungs, AreTimedInOrderWithEqualCounts) {
    RungsRequest request;
    request.backend = "cpu-scalar";
    request.job = bench_job(small_plan(), bench_views().front(), Precision::kFloat);
    for (const MethodRung& rung : kMethods) request.methods.push_back(rung.method);
    request.seconds = 0.01;
    double last = 0;
    const std::vector<RungTime> rungs =
        time_rungs(request, {}, [&last](double fraction) { last = fraction; });
    ASSERT_EQ(rungs.size(), kMethods.size());
    EXPECT_EQ(last, 1);
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        EXPECT_EQ(rungs[i].method, kMethods[i].method);
        EXPECT_EQ(rungs[i].problem, "");
        EXPECT_GE(rungs[i].kernel.count, 3u);
        EXPECT_EQ(rungs[i].counts_hash, rungs.front().counts_hash);
        EXPECT_GE(rungs[i].effective_per_second(), rungs[i].executed_per_second());
    }
}

TEST(Rungs, ThatTakeTooLongSaySo) {
    RungsRequest request;
    request.backend = "cpu-scalar";
    request.job = bench_job(small_plan(), bench_views()[4], Precision::kFloat);
    request.job.limit = 100'000'000;
    request.methods = {kMethods.front().method};
    request.patience_s = 0.05;
    const std::vector<RungTime> rungs = time_rungs(request, {});
    ASSERT_EQ(rungs.size(), 1u);
    EXPECT_NE(rungs[0].problem.find("more than 0.05 s"), std::string::npos) << rungs[0].problem;
    EXPECT_EQ(rungs[0].kernel.count, 0u);
}

}  // namespace
}  // namespace warpscope
