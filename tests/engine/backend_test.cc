// SPDX-License-Identifier: MIT
// Backends against each other: counts bit for bit. Skips what this machine lacks.
#include "kernels/engine/backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/engine/compare.h"
#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cuda/cuda_backend.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

std::size_t pixels(const FrameJob& job) {
    return static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height);
}

/// A view worth comparing: near the boundary, of odd size, at a random depth of the type.
FrameJob random_job(std::mt19937& random, const FormulaInfo& row, Precision precision) {
    std::uniform_real_distribution<double> unit{0, 1};
    FrameJob job;
    job.formula = row.formula;
    job.precision = precision;
    job.julia = unit(random) < 0.4;
    job.center_re = row.home_re + (unit(random) - 0.5) * 0.8;
    job.center_im = row.home_im + (unit(random) - 0.5) * 0.8;
    const double depth = precision == Precision::kFloat ? 2 : 8;
    job.spacing = 4 / row.home_zoom / 64 * std::pow(10, -depth * unit(random));
    job.julia_re = unit(random) * 1.6 - 1.2;
    job.julia_im = unit(random) * 1.2 - 0.6;
    job.width = 37 + static_cast<int>(unit(random) * 60);
    job.height = 21 + static_cast<int>(unit(random) * 40);
    job.limit = 1 + static_cast<std::uint32_t>(unit(random) * 700);
    job.bailout = unit(random) < 0.5 ? 256 : 2;
    return job;
}

/// The whole frame through the Backend interface.
std::vector<Sample> compute(Backend& backend, const FrameJob& job, const Tuning& tuning = {}) {
    const HostSamples samples = backend.allocate_host(pixels(job));
    std::fill_n(samples.get(), pixels(job), Sample{0xdeadbeef, -7});
    backend.start(job, tuning);
    while (!backend.advance({samples.get(), Memory::kHost}, 50).done) {
    }
    return {samples.get(), samples.get() + pixels(job)};
}

std::size_t differing(const std::vector<Sample>& a, const std::vector<Sample>& b) {
    std::size_t count = a.size() == b.size() ? 0 : a.size() + b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        count += a[i].count != b[i].count;
    }
    return count;
}

float worst_fraction(const std::vector<Sample>& a, const std::vector<Sample>& b) {
    float worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i].fraction - b[i].fraction));
    }
    return worst;
}

// Logarithms of several libraries; at bailout 2 the outer logarithm is steep.
constexpr float kFractionTolerance = 2e-4f;

/// Calls `visit` with random jobs of every formula and type; the seed is in the trace.
template <class Visit>
void for_random_jobs(int each, Visit visit) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
            for (int i = 0; i < each; ++i) {
                const FrameJob job = random_job(random, row, precision);
                SCOPED_TRACE(std::string{row.title} + (job.julia ? " Julia" : "") + " " +
                             std::to_string(job.width) + "x" + std::to_string(job.height));
                visit(job);
            }
        }
    }
}

TEST(CpuTargets, EveryInstructionSetWithFmaCountsAsScalarDoes) {
    const std::atomic<bool> stop{false};
    int compared = 0;
    for (const SimdTarget& target : simd_targets()) {
        if (!target.has_fma) continue;  // rounds differently by nature; still supported
        ++compared;
        SCOPED_TRACE(target.name);
        for_random_jobs(4, [&](const FrameJob& job) {
            std::vector<Sample> one(pixels(job)), many(pixels(job));
            const Work a = target.scalar(job, {}, whole(job), one.data(), stop);
            const Work b = target.simd(job, {}, whole(job), many.data(), stop);
            EXPECT_EQ(differing(one, many), 0u);
            EXPECT_EQ(a.iterations, b.iterations);
            EXPECT_LT(worst_fraction(one, many), kFractionTolerance);
        });
    }
    if (compared == 0) GTEST_SKIP() << "this processor has no instruction set with FMA";
}

TEST(CpuTargets, SetsWithoutFmaStillDrawTheSamePicture) {
    const std::atomic<bool> stop{false};
    FrameJob job;
    job.center_re = -0.75;
    job.spacing = 4 / 1.5 / 200;
    job.width = 300;
    job.height = 200;
    job.limit = 200;
    job.precision = Precision::kDouble;
    for (const SimdTarget& target : simd_targets()) {
        std::vector<Sample> one(pixels(job)), many(pixels(job));
        target.scalar(job, {}, whole(job), one.data(), stop);
        target.simd(job, {}, whole(job), many.data(), stop);
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

/// All points inside, so that only a cancel ends it soon.
FrameJob endless_job() {
    FrameJob job;
    job.spacing = 1e-5;
    job.width = job.height = 512;
    job.limit = 1'000'000'000;
    return job;
}

TEST(Backends, CancelEndsEndlessWorkSoon) {
    using namespace std::chrono;
    for (const char* name : {"cpu-scalar", "cpu-simd", "cpu-threads", "cpu"}) {
        const auto backend = make_backend(name);
        const FrameJob job = endless_job();
        const HostSamples samples = backend->allocate_host(pixels(job));
        backend->start(job, {});
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

class Cuda : public testing::Test {
  protected:
    void SetUp() override {
        const CudaStatus status = cuda_status();
        if (!status.problem.empty()) GTEST_SKIP() << status.problem;
        backend_ = make_backend("cuda");
    }
    std::unique_ptr<Backend> backend_;
};

TEST_F(Cuda, CountsEqualTheScalarReferenceInEveryFormulaAndType) {
    const auto reference = make_backend("cpu-scalar");
    for_random_jobs(4, [&](const FrameJob& job) {
        const std::vector<Sample> want = compute(*reference, job), got = compute(*backend_, job);
        EXPECT_EQ(differing(want, got), 0u);
        EXPECT_LT(worst_fraction(want, got), kFractionTolerance);
    });
}

TEST_F(Cuda, AnyBlockShapeComputesTheSamePicture) {
    FrameJob job;
    job.center_re = -0.75;
    job.spacing = 4 / 1.5 / 123;
    job.width = 211;
    job.height = 123;
    job.limit = 300;
    const std::vector<Sample> want = compute(*make_backend("cpu"), job);
    for (const BlockShape block : {BlockShape{1, 1},
                                   {1, 1024},
                                   {1024, 1},
                                   {7, 3},
                                   {33, 31},
                                   {32, 32},
                                   {5, 200},
                                   {17, 1},
                                   {2, 16}}) {
        Tuning tuning;
        tuning.block = block;
        EXPECT_EQ(differing(want, compute(*backend_, job, tuning)), 0u)
            << block.x << 'x' << block.y;
        const FrameStats stats = backend_->stats();
        std::uint64_t iterations = 0;
        for (const Sample& sample : want)
            iterations += sample.count == 0 ? job.limit : sample.count;
        EXPECT_EQ(stats.iterations, iterations) << block.x << 'x' << block.y;
    }
    Tuning bad;
    bad.block = {33, 32};
    EXPECT_THROW(backend_->start(job, bad), BackendError);
}

TEST_F(Cuda, CutsHeavyFramesIntoShortKernels) {
    FrameJob job = endless_job();
    job.limit = 300'000;
    job.precision = Precision::kDouble;
    compute(*backend_, job);
    const FrameStats stats = backend_->stats();
    EXPECT_GT(stats.launches, 1);
    EXPECT_EQ(stats.iterations, pixels(job) * std::uint64_t{job.limit});
}

TEST_F(Cuda, SlicedFramesCountAsWholeOnesDo) {
    const auto reference = make_backend("cpu");
    for (const FormulaInfo& row : kFormulas) {
        for (const bool julia : {false, true}) {
            FrameJob job;
            job.formula = row.formula;
            job.julia = julia;
            job.julia_re = -0.4;
            job.julia_im = 0.59;
            job.precision = Precision::kDouble;
            job.center_re = julia ? 0 : row.home_re;
            job.center_im = julia ? 0 : row.home_im;
            job.spacing = 4 / row.home_zoom / 90;
            job.width = 151;
            job.height = 90;
            job.limit = 300'000;
            const std::vector<Sample> want = compute(*reference, job);
            const std::vector<Sample> got = compute(*backend_, job);
            EXPECT_EQ(differing(want, got), 0u) << row.title << julia;
            EXPECT_LT(worst_fraction(want, got), kFractionTolerance) << row.title << julia;
            EXPECT_GT(backend_->stats().launches, 1) << row.title << julia;
            EXPECT_EQ(backend_->stats().iterations, reference->stats().iterations) << row.title;
        }
    }
}

TEST_F(Cuda, NoLimitHoldsACallForLong) {
    using namespace std::chrono;
    const FrameJob job = endless_job();
    const HostSamples samples = backend_->allocate_host(pixels(job));
    backend_->start(job, {});
    for (int i = 0; i < 20; ++i) {
        const auto start = steady_clock::now();
        EXPECT_FALSE(backend_->advance({samples.get(), Memory::kHost}, 10).done);
        // Slices aim at 10 ms; the first may be off by a wrong guess. Unsliced it would be minutes.
        EXPECT_LT(steady_clock::now() - start, 200ms) << i;
    }
    backend_->cancel();
}

TEST_F(Cuda, OurOccupancyEqualsTheRuntimesForEveryKernelAndBlock) {
    const CudaDevice device = cuda_status().devices.front();
    const GpuArch& arch = find_gpu_arch(device.cc_major, device.cc_minor);
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
            FrameJob job;
            job.formula = row.formula;
            job.precision = precision;
            const KernelResources needs = cuda_kernel_resources(job, device.index);
            for (int threads = 1; threads <= 1024; threads += 31) {
                const Occupancy ours =
                    occupancy(arch, {threads, needs.registers,
                                     static_cast<int>(needs.static_shared), 0, std::nullopt});
                EXPECT_EQ(ours.blocks_per_sm,
                          cuda_max_active_blocks(job, {threads, 1}, device.index))
                    << needs.name << ", " << threads << " threads, " << needs.registers
                    << " registers";
            }
        }
    }
}

TEST_F(Cuda, NamesTheDevicesThatExist) {
    try {
        make_backend("cuda", 99);
        FAIL();
    } catch (const BackendError& error) {
        EXPECT_NE(std::string{error.what()}.find("99"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace warpscope
