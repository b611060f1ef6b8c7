// SPDX-License-Identifier: MIT
// The CUDA backend against the scalar CPU: counts bit for bit, whatever the method, the parts, the
// block and the slices. Skips without a GPU.
#include "kernels/engine/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <chrono>

#include "kernels/engine/compare.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/plan.h"
#include "tests/engine/frames.h"

namespace warpscope {
namespace {

class Cuda : public testing::Test {
  protected:
    void SetUp() override {
        const CudaStatus status = cuda_status();
        if (!status.problem.empty()) GTEST_SKIP() << status.problem;
        backend_ = make_backend("cuda");
    }
    std::unique_ptr<Backend> backend_;
};

TEST_F(Cuda, EveryMethodCountsAsTheNaiveScalarLoop) {
    const auto reference = make_backend("cpu-scalar");
    for_random_jobs(3, [&](const FrameJob& job) {
        const std::vector<Sample> want = compute(*reference, job, tuning_of("naive"));
        for (const MethodRung& rung : kMethods) {
            SCOPED_TRACE(rung.key);
            const std::vector<Sample> got = compute(*backend_, job, tuning_of(rung.key));
            EXPECT_EQ(differing(want, got), 0u);
            EXPECT_LT(worst_fraction(want, got), kFractionTolerance);
            const FrameStats stats = backend_->stats();
            EXPECT_EQ(stats.iterations, reference->stats().iterations);
            EXPECT_LE(stats.executed, stats.iterations);
            EXPECT_GE(stats.lane_steps, stats.executed);
            if (!rung.method.closed_form) {
                EXPECT_EQ(stats.executed, stats.iterations);
            }
        }
    });
}

/// Where rounding might part the shortcuts from the plain loop.
constexpr struct {
    const char* name;
    double re, im;
} kEdges[] = {{"cusp", 0.25, 0},
              {"between cardioid and disk", -0.75, 0},
              {"the disk's left end", -1.25, 0},
              {"cardioid at a third", -0.125, 0.649519052838329},
              {"seahorse", -0.7435, 0.1314}};

TEST_F(Cuda, ShortcutsChangeNoCountAtTheEdges) {
    for (const Precision precision : {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
        for (const auto& edge : kEdges) {
            for (const double width : {0.5, 0.01, 0.0003}) {
                FrameJob job;
                job.precision = precision;
                job.center_re = edge.re;
                job.center_im = edge.im;
                job.width = 160;
                job.height = 90;
                job.spacing = width / job.width;
                job.limit = 50'000;
                const std::vector<Sample> want = compute(*backend_, job, tuning_of("naive"));
                for (const char* rung : {"closed-form", "periodicity", "refill"}) {
                    EXPECT_EQ(differing(want, compute(*backend_, job, tuning_of(rung))), 0u)
                        << edge.name << ' ' << width << ' ' << precision_name(precision) << ' '
                        << rung;
                }
            }
        }
    }
}

TEST_F(Cuda, PartsLeaveTheRestAlone) {
    const auto reference = make_backend("cpu-scalar");
    FrameJob job;
    job.center_re = -0.75;
    job.width = 203;
    job.height = 117;
    job.spacing = 4 / 1.5 / job.height;
    job.limit = 400;
    const std::vector<Sample> want = compute(*reference, job);
    const std::vector<Part> parts = {{3, 5, 60, 41, 4, 2}, {100, 0, 203, 117}, {0, 90, 9, 91}};
    for (const char* rung : {"naive", "blocks", "refill"}) {
        const Sample untouched{0xdeadbeef, -7};
        const HostSamples samples = backend_->allocate_host(pixels(job));
        std::fill_n(samples.get(), pixels(job), untouched);
        backend_->start(job, tuning_of(rung), parts);
        while (!backend_->advance({samples.get(), Memory::kHost}, 50).done) {
        }
        for (int y = 0; y < job.height; ++y) {
            for (int x = 0; x < job.width; ++x) {
                bool asked = false;
                for (const Part& part : parts) {
                    asked = asked ||
                            (x >= part.x0 && x < part.x1 && y >= part.y0 && y < part.y1 &&
                             (x - part.x0) % part.step_x == 0 && (y - part.y0) % part.step_y == 0);
                }
                const std::size_t at = static_cast<std::size_t>(y * job.width + x);
                ASSERT_EQ(samples[at].count, asked ? want[at].count : untouched.count)
                    << rung << ' ' << x << ' ' << y;
            }
        }
        EXPECT_EQ(backend_->stats().pixels,
                  parts[0].pixels() + parts[1].pixels() + parts[2].pixels());
    }
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
        for (const char* rung : {"naive", "blocks", "refill"}) {
            Tuning tuning = tuning_of(rung);
            tuning.block = block;
            SCOPED_TRACE(std::string{rung} + " " + std::to_string(block.x) + "x" +
                         std::to_string(block.y));
            EXPECT_EQ(differing(want, compute(*backend_, job, tuning)), 0u);
            std::uint64_t iterations = 0;
            for (const Sample& sample : want) {
                iterations += sample.count == 0 ? job.limit : sample.count;
            }
            EXPECT_EQ(backend_->stats().iterations, iterations);
        }
    }
    Tuning bad;
    bad.block = {33, 32};
    EXPECT_THROW(backend_->start(job, bad), BackendError);
}

/// The method of `rung`, but no shortcuts: what is inside takes all its steps.
Tuning brute(std::string_view rung) {
    Tuning tuning = tuning_of(rung);
    tuning.method.closed_form = tuning.method.periodicity = false;
    return tuning;
}

TEST_F(Cuda, CutsHeavyFramesIntoShortKernels) {
    FrameJob job = endless_job();
    job.limit = 300'000;
    job.precision = Precision::kDouble;
    for (const char* rung : {"naive", "blocks", "refill"}) {
        compute(*backend_, job, brute(rung));
        const FrameStats stats = backend_->stats();
        EXPECT_GT(stats.launches, 1) << rung;
        EXPECT_LT(stats.kernel_ms / stats.launches, 20) << rung;
        EXPECT_EQ(stats.iterations, pixels(job) * std::uint64_t{job.limit}) << rung;
        EXPECT_EQ(stats.executed, stats.iterations) << rung;
    }
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
            for (const char* rung : {"naive", "blocks", "refill"}) {
                SCOPED_TRACE(std::string{row.title} + (julia ? " Julia " : " ") + rung);
                const std::vector<Sample> got = compute(*backend_, job, brute(rung));
                EXPECT_EQ(differing(want, got), 0u);
                EXPECT_LT(worst_fraction(want, got), kFractionTolerance);
                EXPECT_EQ(backend_->stats().iterations, reference->stats().iterations);
            }
            const std::vector<Sample> got = compute(*backend_, job, tuning_of("refill"));
            EXPECT_EQ(differing(want, got), 0u) << row.title << julia << " with shortcuts";
        }
    }
}

TEST_F(Cuda, NoLimitHoldsACallForLong) {
    using namespace std::chrono;
    const FrameJob job = endless_job();
    const HostSamples samples = backend_->allocate_host(pixels(job));
    for (const char* rung : {"naive", "blocks", "refill"}) {
        backend_->start(job, brute(rung));
        double before = -1;
        for (int i = 0; i < 20; ++i) {
            const auto start = steady_clock::now();
            const Progress progress = backend_->advance({samples.get(), Memory::kHost}, 10);
            EXPECT_FALSE(progress.done);
            EXPECT_GE(progress.fraction, before) << rung;
            before = progress.fraction;
            // Slices aim at 10 ms; the first may be off by a wrong guess, or load the kernel.
            // Unsliced it would be minutes.
            EXPECT_LT(steady_clock::now() - start, 200ms) << rung << i;
        }
        EXPECT_GT(before, 0) << rung;
        backend_->cancel();
    }
}

TEST_F(Cuda, OurOccupancyEqualsTheRuntimesForEveryKernelAndBlock) {
    const CudaDevice device = cuda_status().devices.front();
    const GpuArch& arch = find_gpu_arch(device.cc_major, device.cc_minor);
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision :
             {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
            for (const MethodRung& rung : kMethods) {
                FrameJob job;
                job.formula = row.formula;
                job.precision = precision;
                for (int threads = 1; threads <= 1024; threads += 31) {
                    const BlockShape block =
                        threads % 2 == 0 ? BlockShape{threads / 2, 2} : BlockShape{threads, 1};
                    const KernelResources needs =
                        cuda_kernel_resources(job, {rung.method, block}, device.index);
                    const Occupancy ours =
                        occupancy(arch, {threads, needs.registers,
                                         static_cast<int>(needs.static_shared), 0, std::nullopt});
                    EXPECT_EQ(ours.blocks_per_sm,
                              cuda_max_active_blocks(job, {rung.method, block}, device.index))
                        << needs.name << ", " << threads << " threads, " << needs.registers
                        << " registers";
                }
            }
        }
    }
}

TEST_F(Cuda, WasteChangesOccupancyAsForetoldAndNoCount) {
    const CudaDevice device = cuda_status().devices.front();
    const GpuArch& arch = find_gpu_arch(device.cc_major, device.cc_minor);
    FrameJob job;
    job.width = 300;
    job.height = 200;
    job.limit = 500;
    job.spacing = 3.0 / 300;
    job.center_re = -0.75;
    for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
        job.precision = precision;
        for (const char* rung : {"blocks", "periodicity", "refill"}) {
            Tuning tuning = tuning_of(rung);
            const std::vector<Sample> want = compute(*backend_, job, tuning);
            const KernelResources needs = cuda_kernel_resources(job, tuning, device.index);
            const std::vector<RegisterUse> uses = cuda_register_uses(job, tuning);
            const BlockNeeds block{tuning.block.x * tuning.block.y, needs.registers,
                                   static_cast<int>(needs.static_shared), 0, std::nullopt};
            for (const Tuning& way : occupancy_sweep(arch, block, tuning, uses)) {
                SCOPED_TRACE(std::string{rung} + ", registers " +
                             std::to_string(most_registers(way.what_if.registers)) + ", shared " +
                             std::to_string(way.what_if.shared_bytes));
                EXPECT_EQ(differing(want, compute(*backend_, job, way)), 0u);
                const KernelResources has = cuda_kernel_resources(job, way, device.index);
                const int most = most_registers(way.what_if.registers);
                if (most > 0) {
                    EXPECT_LE(has.registers, most);
                }
                // A variant that is meant to be wide is.
                if (most >= 64) {
                    EXPECT_GT(has.registers, most - 8);
                }
                const Occupancy ours = occupancy(
                    arch, {block.threads, has.registers, static_cast<int>(has.static_shared),
                           way.what_if.shared_bytes, std::nullopt});
                EXPECT_EQ(ours.blocks_per_sm, cuda_max_active_blocks(job, way, device.index));
            }
        }
    }
}

TEST_F(Cuda, RefusesMoreSharedMemoryThanThereIs) {
    FrameJob job;
    Tuning tuning = tuning_of("blocks");
    tuning.what_if.shared_bytes = 10 << 20;
    EXPECT_THROW(backend_->start(job, tuning), BackendError);
    tuning.what_if = {RegisterUse::k254, 0};
    tuning.block = {32, 32};
    EXPECT_THROW(backend_->start(job, tuning), BackendError);
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
