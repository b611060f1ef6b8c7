// SPDX-License-Identifier: MIT
// Backends against each other: counts bit for bit. Skips what this machine lacks.
#include "kernels/engine/backend.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/engine/compare.h"
#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cuda/cuda_backend.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/plan.h"
#include "tests/engine/frames.h"

namespace warpscope {
namespace {

TEST(CpuTargets, EveryInstructionSetWithFmaCountsAsScalarDoes) {
    Signals signals;
    int compared = 0;
    for (const SimdTarget& target : simd_targets()) {
        if (!target.has_fma) continue;  // rounds differently by nature; still supported
        ++compared;
        SCOPED_TRACE(target.name);
        for_random_jobs(4, [&](const FrameJob& job) {
            std::vector<Sample> one(pixels(job)), many(pixels(job));
            const Work a = target.scalar(job, {}, whole(job), one.data(), signals);
            const Work b = target.simd(job, {}, whole(job), many.data(), signals);
            EXPECT_EQ(differing(one, many), 0u);
            EXPECT_EQ(a.iterations, b.iterations);
            EXPECT_LT(worst_fraction(one, many), kFractionTolerance);
        });
    }
    if (compared == 0) GTEST_SKIP() << "this processor has no instruction set with FMA";
}

TEST(CpuTargets, SetsWithoutFmaStillDrawTheSamePicture) {
    Signals signals;
    FrameJob job;
    job.center_re = -0.75;
    job.spacing = 4 / 1.5 / 200;
    job.width = 300;
    job.height = 200;
    job.limit = 200;
    job.precision = Precision::kDouble;
    for (const SimdTarget& target : simd_targets()) {
        std::vector<Sample> one(pixels(job)), many(pixels(job));
        target.scalar(job, {}, whole(job), one.data(), signals);
        target.simd(job, {}, whole(job), many.data(), signals);
        EXPECT_LT(differing(one, many), pixels(job) / 1000) << target.name;
    }
}

TEST(Backends, AllRungsCountAlike) {
    const auto reference = make_backend("cpu-scalar");
    for (const char* name : {"cpu-simd", "cpu-threads", "cpu"}) {
        const auto backend = make_backend(name);
        SCOPED_TRACE(name);
        for_random_jobs(2, [&](const FrameJob& job) {
            EXPECT_EQ(differing(compute(*reference, job), compute(*backend, job)), 0u);
        });
    }
}

TEST(Backends, TuningNeverChangesACount) {
    const auto backend = make_backend("cpu");
    for_random_jobs(1, [&](const FrameJob& job) {
        const std::vector<Sample> want = compute(*backend, job);
        for (const Tuning& tuning :
             {Tuning{{}, 1, 8}, Tuning{{}, 3, 1024}, Tuning{{}, 7, 33}, Tuning{{}, 0, -5}}) {
            EXPECT_EQ(differing(want, compute(*backend, job, tuning)), 0u);
        }
    });
}

TEST(Backends, RefuseImpossibleJobs) {
    const auto backend = make_backend("cpu");
    FrameJob good;
    good.width = good.height = 8;
    good.limit = 10;
    good.spacing = 0.1;
    EXPECT_NO_THROW(backend->start(good, {}));
    const auto refused = [&](auto change) {
        FrameJob bad = good;
        change(bad);
        EXPECT_THROW(backend->start(bad, {}), BackendError);
    };
    refused([](FrameJob& job) { job.limit = 0; });
    refused([](FrameJob& job) { job.width = 0; });
    refused([](FrameJob& job) { job.height = 40000; });
    refused([](FrameJob& job) { job.spacing = 0; });
    refused([](FrameJob& job) { job.spacing = -1; });
    refused([](FrameJob& job) { job.center_re = std::nan(""); });
    refused([](FrameJob& job) { job.bailout = 1; });
    refused([](FrameJob& job) { job.bailout = std::numeric_limits<double>::infinity(); });
}

TEST(Backends, UnknownNameListsTheAcceptedOnes) {
    try {
        make_backend("gpu");
        FAIL();
    } catch (const BackendError& error) {
        EXPECT_NE(std::string{error.what()}.find("cpu-simd"), std::string::npos) << error.what();
    }
}

TEST(Backends, AutoAlwaysWorks) {
    const auto backend = make_backend("auto");
    FrameJob job;
    job.width = job.height = 16;
    job.spacing = 0.2;
    job.limit = 50;
    EXPECT_EQ(compute(*backend, job).size(), 256u);
}

TEST(Backends, CancelEndsEndlessWorkSoon) {
    using namespace std::chrono;
    for (const char* name : {"cpu-scalar", "cpu-simd", "cpu-threads", "cpu"}) {
        const auto backend = make_backend(name);
        const FrameJob job = endless_job();
        const HostSamples samples = backend->allocate_host(pixels(job));
        backend->start(job, tuning_of("blocks"));
        EXPECT_FALSE(backend->advance({samples.get(), Memory::kHost}, 30).done);
        const auto start = steady_clock::now();
        backend->cancel();
        // Generous: the machine may be busy. Without a look at the flag it would be minutes.
        EXPECT_LT(steady_clock::now() - start, 2s) << name;
        EXPECT_EQ(compute(*backend,
                          [] {
                              FrameJob small = endless_job();
                              small.limit = 10;
                              return small;
                          }())
                      .size(),
                  512u * 512u)
            << "a cancelled backend works on";
    }
}

TEST(Backends, TellTheProgressOfPixelsThatTakeLong) {
    FrameJob job = endless_job();
    job.width = job.height = 8;  // a single tile
    job.limit = 1'000'000'000;
    for (const char* name : {"cpu-scalar", "cpu-simd"}) {
        for (const char* kernel : {"naive", "blocks", "in-flight"}) {
            const auto backend = make_backend(name);
            const HostSamples samples = backend->allocate_host(pixels(job));
            backend->start(job, tuning_of(kernel));
            double last = 0;
            for (int i = 0; i < 400 && last == 0; ++i) {
                last = backend->advance({samples.get(), Memory::kHost}, 20).fraction;
            }
            EXPECT_GT(last, 0) << name << ' ' << kernel;
            EXPECT_LT(last, 0.5) << name << ' ' << kernel;
            EXPECT_GE(backend->advance({samples.get(), Memory::kHost}, 20).fraction, last);
            backend->cancel();
        }
    }
}

TEST(Backends, CountIterationsHonestly) {
    FrameJob job = endless_job();
    job.limit = 100;
    job.width = job.height = 32;
    for (const BackendChoice& choice : backend_choices()) {
        if (!choice.unavailable.empty()) continue;
        const auto backend = make_backend(choice.name);
        compute(*backend, job);
        EXPECT_EQ(backend->stats().iterations, 32u * 32u * 100u) << choice.name;
        EXPECT_EQ(backend->stats().job, job);
        EXPECT_GT(backend->stats().kernel_ms, 0);
    }
}

// --- on a machine with a GPU --------------------------------------------------------------------

}  // namespace
}  // namespace warpscope
