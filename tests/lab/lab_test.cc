// SPDX-License-Identifier: MIT
// CPU rungs from request to figures, and what happens to a rung that is wrong.
#include "kernels/lab/lab.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "kernels/lab/cpu_run.h"

namespace warpscope {
namespace {

constexpr SamplingPlan kQuick{
    .warm_up = 0, .min_samples = 3, .min_seconds = 0, .max_samples = 3, .max_seconds = 5};

LabRequest quick(std::string demo, std::string rung, std::size_t n) {
    LabRequest request;
    request.demo = std::move(demo);
    request.rung = std::move(rung);
    request.n = n;
    request.plan = kQuick;
    request.cache = LabCache::kWarm;
    request.cpu_threads = 2;
    return request;
}

std::string message_of(const auto& act) {
    try {
        act();
    } catch (const LabError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

constexpr const char* kCpuRungs[]{"cpu-scalar", "cpu-simd", "cpu-threads", "cpu"};

TEST(Lab, ListsEveryLadderWithTitleIdeaAndSource) {
    ASSERT_EQ(lab_demos().size(), 3u);
    for (const LabDemo& demo : lab_demos()) {
        const std::vector<LabRung> rungs = lab_rungs(demo.name);
        ASSERT_GE(rungs.size(), 6u);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(rungs[i].name, kCpuRungs[i]);
            EXPECT_TRUE(rungs[i].unavailable.empty());
        }
        for (const LabRung& rung : rungs) {
            EXPECT_FALSE(rung.title.empty());
            EXPECT_TRUE(rung.idea.ends_with(".")) << rung.idea;
            EXPECT_GT(rung.source.size(), 80u) << rung.name;
        }
    }
    EXPECT_EQ(find_lab_demo("vector_add").default_n, 10'000'000u);
    EXPECT_EQ(find_lab_demo("matmul").default_n, 1024u);
}

TEST(Lab, EveryCpuRungOfEveryDemoIsVerifiedAndTimed) {
    for (const LabDemo& demo : lab_demos()) {
        for (const char* rung : kCpuRungs) {
            for (const std::size_t n : {1u, 33u, 257u}) {
                SCOPED_TRACE(std::string{demo.name} + " " + rung + " " + std::to_string(n));
                const LabResult got = run_rung(quick(std::string{demo.name}, rung, n));
                EXPECT_TRUE(got.verification.passed) << got.verification.failure;
                EXPECT_NE(got.seed, 0u);
                ASSERT_TRUE(got.figures);
                EXPECT_EQ(got.figures->kernel.count, 3u);
                EXPECT_GT(got.figures->kernel.median, 0);
                EXPECT_GT(got.figures->per_second, 0);
                EXPECT_GT(got.figures->peak, 0);
                EXPECT_GT(got.figures->of_peak, 0);
                EXPECT_GT(got.figures->stages.allocate, 0);
                EXPECT_GT(got.figures->stages.first_launch, 0);
                EXPECT_EQ(got.backend, rung);
            }
        }
    }
}

TEST(Lab, CountsBytesAndOperations) {
    const LabResult add = run_rung(quick("vector_add", "cpu-simd", 1000));
    ASSERT_TRUE(add.figures);
    EXPECT_EQ(add.figures->bytes, 12000);
    EXPECT_EQ(add.figures->flops, 1000);
    EXPECT_EQ(add.figures->rate, LabRate::kBandwidth);
    EXPECT_DOUBLE_EQ(add.figures->per_second, 12000 / (add.figures->kernel.median / 1000));
    const LabResult product = run_rung(quick("matmul", "cpu-simd", 64));
    ASSERT_TRUE(product.figures);
    EXPECT_EQ(product.figures->flops, 2.0 * 64 * 64 * 64);
    EXPECT_EQ(product.figures->rate, LabRate::kCompute);
    EXPECT_DOUBLE_EQ(product.figures->of_peak, product.figures->per_second / product.figures->peak);
}

TEST(Lab, ColdAndWarmSayWhatTheyAre) {
    LabRequest request = quick("vector_add", "cpu-simd", 100'000);
    const LabResult warm = run_rung(request);
    request.cache = LabCache::kCold;
    const LabResult cold = run_rung(request);
    EXPECT_TRUE(warm.cache.starts_with("warm")) << warm.cache;
    EXPECT_TRUE(cold.cache.starts_with("cold")) << cold.cache;
    ASSERT_TRUE(cold.figures);
}

TEST(Lab, ColdTimingOfTheShortestKernelTakesSeconds) {
    LabRequest request;  // with the plan that the command line uses
    request.demo = "vector_add";
    request.rung = "cpu-scalar";
    request.n = 1;
    const auto begin = std::chrono::steady_clock::now();
    const LabResult got = run_rung(request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(got.figures);
    EXPECT_GE(got.figures->kernel.count, 1u);
    EXPECT_EQ(got.figures->stop, StopReason::kTimeLimit);
    EXPECT_FALSE(got.cancelled);
    // 2.25 s of flushing, allocation, and sweeps more where the machine is busy. 1000 samples would
    // take minutes.
    EXPECT_LT(took.count(), 20) << got.cache;
}

TEST(Lab, SameSeedGivesSameDataAndZeroAFreshOne) {
    LabRequest request = quick("saxpy", "cpu", 1000);
    request.seed = 42;
    EXPECT_EQ(run_rung(request).seed, 42u);
    request.seed = 0;
    EXPECT_NE(run_rung(request).seed, run_rung(request).seed);
}

// Rungs that are deliberately wrong: each must lose its figures.
lab::CpuRung wrong_rung(void (*run)(const lab::Arrays&, std::size_t) noexcept) {
    return {{lab::vector_tasks, run, lab::Schedule::kFixed}, 1, "scalar"};
}

LabResult run_wrong(const lab::CpuRung& rung) {
    LabRequest request = quick("vector_add", "wrong", 70'000);
    request.seed = 1;
    return lab::run_cpu(lab::Demo::kVectorAdd, rung, request, {}, {});
}

TEST(Lab, KernelThatWritesNothingIsCaughtByThePoison) {
    const LabResult got = run_wrong(wrong_rung([](const lab::Arrays&, std::size_t) noexcept {}));
    EXPECT_FALSE(got.verification.passed);
    EXPECT_EQ(got.verification.not_finite, 70'000u);
    EXPECT_FALSE(got.figures);
}

TEST(Lab, KernelThatForgetsTheLastElementIsCaught) {
    const LabResult got =
        run_wrong(wrong_rung([](const lab::Arrays& data, std::size_t task) noexcept {
            const std::size_t begin = task * lab::kVectorTask;
            const std::size_t end = std::min(begin + lab::kVectorTask, data.n - 1);
            for (std::size_t i = begin; i < end; ++i) data.out[i] = data.a[i] + data.b[i];
        }));
    EXPECT_FALSE(got.verification.passed);
    EXPECT_EQ(got.verification.not_finite, 1u);
    EXPECT_FALSE(got.figures);
}

TEST(Lab, KernelThatSubtractsOrYieldsNanIsCaught) {
    const LabResult subtracts =
        run_wrong(wrong_rung([](const lab::Arrays& data, std::size_t) noexcept {
            for (std::size_t i = 0; i < data.n; ++i) data.out[i] = data.a[i] - data.b[i];
        }));
    EXPECT_FALSE(subtracts.verification.passed);
    EXPECT_GT(subtracts.verification.wrong, 69'000u);
    EXPECT_NE(subtracts.verification.failure.find("expected"), std::string::npos);
    EXPECT_FALSE(subtracts.figures);
    const LabResult nan = run_wrong(wrong_rung([](const lab::Arrays& data, std::size_t) noexcept {
        for (std::size_t i = 0; i < data.n; ++i) data.out[i] = data.a[i] + data.b[i];
        data.out[5] = std::numeric_limits<float>::quiet_NaN();
    }));
    EXPECT_EQ(nan.verification.not_finite, 1u);
    EXPECT_FALSE(nan.figures);
}

TEST(Lab, LongMatmulStopsWithinATenthOfASecond) {
    using Clock = std::chrono::steady_clock;
    for (const char* rung : kCpuRungs) {
        std::stop_source source;
        LabRequest request = quick("matmul", rung, 3000);
        request.plan = {.min_samples = 1000, .min_seconds = 1000, .max_seconds = 1000};
        Clock::time_point stopped;
        std::thread stopper{[&] {
            std::this_thread::sleep_for(std::chrono::milliseconds{600});
            stopped = Clock::now();
            source.request_stop();
        }};
        const LabResult got = run_rung(request, source.get_token());
        const auto after = Clock::now();
        stopper.join();
        EXPECT_TRUE(got.cancelled);
        EXPECT_FALSE(got.figures);
        // 100 ms promised; the machine that tests run on may be shared, and a run not cut short
        // would take hours.
        EXPECT_LT(after - stopped, std::chrono::seconds{2}) << rung;
    }
}

TEST(Lab, StoppedBeforehandItReturnsAtOnce) {
    std::stop_source source;
    source.request_stop();
    const LabResult got = run_rung(quick("matmul", "cpu", 4000), source.get_token());
    EXPECT_TRUE(got.cancelled);
    EXPECT_FALSE(got.figures);
}

TEST(Lab, ProgressRisesToOneOnTheCallersThread) {
    double last = -1;
    bool named = true;
    const std::thread::id here = std::this_thread::get_id();
    run_rung(quick("matmul", "cpu", 300), {}, [&](double fraction, std::string_view label) {
        EXPECT_GE(fraction, last);
        EXPECT_EQ(std::this_thread::get_id(), here);
        last = fraction;
        named = named && !label.empty();
    });
    EXPECT_DOUBLE_EQ(last, 1);
    EXPECT_TRUE(named);
}

TEST(Lab, RequestsThatCannotBeMetSayWhatIsAccepted) {
    EXPECT_NE(message_of([] { lab_rungs("sort"); }).find("vector_add, saxpy, matmul"),
              std::string::npos);
    EXPECT_NE(message_of([] { run_rung(quick("saxpy", "gpu", 10)); }).find("cpu-scalar, cpu-simd"),
              std::string::npos);
    EXPECT_NE(message_of([] { run_rung(quick("matmul", "cpu", 70'000)); }).find("1 to 65535"),
              std::string::npos);
    const std::string memory =
        message_of([] { run_rung(quick("vector_add", "cpu", std::size_t{1} << 36)); });
    EXPECT_NE(memory.find("n = 68719476736 needs"), std::string::npos) << memory;
    EXPECT_NE(memory.find("MiB are free"), std::string::npos) << memory;
    LabRequest threads = quick("matmul", "cpu", 8);
    threads.cpu_threads = -1;
    EXPECT_NE(message_of([&] { run_rung(threads); }).find("0 (all)"), std::string::npos);
    LabRequest block = quick("vector_add", "cuda-plain", 8);
    block.block_x = 1025;
    EXPECT_NE(message_of([&] { run_rung(block); }).find("1 to 1024"), std::string::npos);
    LabRequest rectangle = quick("matmul", "cuda-naive", 8);
    rectangle.block_x = rectangle.block_y = 33;
    EXPECT_NE(message_of([&] { run_rung(rectangle); }).find("33 by 33"), std::string::npos);
}

TEST(Lab, SelectsRungsByBackendNameOrAll) {
    EXPECT_EQ(select_lab_rungs("matmul", "cpu-simd"), std::vector<std::string>{"cpu-simd"});
    EXPECT_GE(select_lab_rungs("matmul", "").size(), 4u);
    EXPECT_EQ(select_lab_rungs("saxpy", "all"), select_lab_rungs("saxpy", ""));
    EXPECT_NE(message_of([] { select_lab_rungs("saxpy", "tpu"); }).find("accepted: all, auto"),
              std::string::npos);
    if (cuda_status().problem.empty()) return;
    EXPECT_EQ(select_lab_rungs("matmul", "auto"), std::vector<std::string>{"cpu"});
    EXPECT_NE(message_of([] { select_lab_rungs("saxpy", "cuda"); }).find("cannot run here"),
              std::string::npos);
    EXPECT_NE(message_of([] { run_rung(quick("saxpy", "cuda-plain", 10)); }), "nothing was thrown");
}

}  // namespace
}  // namespace warpscope
