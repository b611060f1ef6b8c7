// SPDX-License-Identifier: MIT
// CUDA rungs; skipped where no GPU works.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "kernels/lab/lab.h"

namespace warpscope {
namespace {

class LabCuda : public testing::Test {
  protected:
    void SetUp() override {
        const CudaStatus status = cuda_status();
        if (!status.problem.empty()) GTEST_SKIP() << status.problem;
    }
};

LabRequest request_for(const char* demo, const std::string& rung, std::size_t n) {
    LabRequest request;
    request.demo = demo;
    request.rung = rung;
    request.n = n;
    request.plan = {.warm_up = 0, .min_samples = 3, .min_seconds = 0, .max_samples = 3};
    return request;
}

void expect_verified(const LabRequest& request) {
    SCOPED_TRACE(request.demo + " " + request.rung + " n " + std::to_string(request.n) + " block " +
                 std::to_string(request.block_x) + " by " + std::to_string(request.block_y));
    const LabResult got = run_rung(request);
    EXPECT_TRUE(got.verification.passed) << got.verification.failure;
    ASSERT_TRUE(got.figures);
    EXPECT_GT(got.figures->kernel.median, 0);
    EXPECT_GT(got.figures->peak, 0);
    EXPECT_GT(got.figures->stages.copy_in, 0);
    EXPECT_GT(got.figures->stages.copy_out, 0);
    EXPECT_GT(got.figures->stages.first_launch, 0);
}

TEST_F(LabCuda, VectorRungsVerifyForAnyLengthAndBlock) {
    for (const char* demo : {"vector_add", "saxpy"}) {
        for (const char* rung : {"cuda-plain", "cuda-float4"}) {
            for (const std::size_t n : {1u, 2u, 3u, 31u, 4096u, 1000003u}) {
                for (const int block : {1, 32, 100, 256, 1024}) {
                    LabRequest request = request_for(demo, rung, n);
                    request.block_x = block;
                    expect_verified(request);
                }
            }
        }
    }
}

TEST_F(LabCuda, MatmulRungsVerifyForAnyEdge) {
    for (const std::string& rung : select_lab_rungs("matmul", "cuda")) {
        for (const std::size_t n : {1u, 17u, 33u, 128u, 132u, 257u, 1000u}) {
            expect_verified(request_for("matmul", rung, n));
        }
    }
}

TEST_F(LabCuda, MatmulTakesAnyBlock) {
    for (const auto& [x, y] : {std::pair{1, 1}, {7, 5}, {32, 32}, {1024, 1}, {1, 1024}}) {
        LabRequest request = request_for("matmul", "cuda-naive", 100);
        request.block_x = x;
        request.block_y = y;
        expect_verified(request);
    }
    for (const int edge : {8, 16, 32}) {
        LabRequest request = request_for("matmul", "cuda-shared", 100);
        request.block_x = edge;
        expect_verified(request);
        EXPECT_EQ(run_rung(request).block_y, edge);
    }
}

TEST_F(LabCuda, CountsWhatTheGuardStops) {
    LabRequest request = request_for("vector_add", "cuda-plain", 1000);
    request.block_x = 256;
    const LabResult got = run_rung(request);
    EXPECT_EQ(got.grid_blocks, 4u);
    EXPECT_EQ(got.guard_waste, 24u);
    EXPECT_GT(got.resources.registers, 0);
}

TEST_F(LabCuda, TooLargeANamesNeededAndFreeBytes) {
    try {
        run_rung(request_for("vector_add", "cuda-plain", std::size_t{1} << 36));
        FAIL() << "825 GB were not too much";
    } catch (const LabError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("68719476736 needs"), std::string::npos) << said;
        EXPECT_NE(said.find("are free"), std::string::npos) << said;
    }
}

TEST_F(LabCuda, StoppedBeforehandItReturnsWithoutFigures) {
    std::stop_source source;
    source.request_stop();
    const LabResult got =
        run_rung(request_for("vector_add", "cuda-plain", 1000), source.get_token());
    EXPECT_TRUE(got.cancelled);
    EXPECT_FALSE(got.figures);
}

TEST_F(LabCuda, UnknownDeviceIsAnError) {
    LabRequest request = request_for("vector_add", "cuda-plain", 1000);
    request.device = 99;
    EXPECT_THROW(run_rung(request), LabError);
}

// The goals of the compute tab: figures for the record, and a floor that a mistake would fall
// under.
TEST_F(LabCuda, VectorAddMovesMemoryAsFastAsACopy) {
    double best = 0;
    for (const char* rung : {"cuda-plain", "cuda-float4"}) {
        LabRequest request = request_for("vector_add", rung, 10'000'000);
        request.plan = {};
        const LabResult got = run_rung(request);
        ASSERT_TRUE(got.figures);
        RecordProperty(rung, std::to_string(got.figures->of_peak));
        printf("%s: %.1f GB/s, %.1f %% of %s\n", rung, got.figures->per_second / 1e9,
               100 * got.figures->of_peak, got.figures->peak_how.c_str());
        best = std::max(best, got.figures->of_peak);
    }
    EXPECT_GE(best, 0.95);
}

TEST_F(LabCuda, TiledMatmulIsFourTimesNaive) {
    std::map<std::string, double> rate;
    for (const std::string& rung : select_lab_rungs("matmul", "cuda")) {
        const LabResult got = run_rung(request_for("matmul", rung, 4096));
        ASSERT_TRUE(got.figures) << got.verification.failure;
        rate[rung] = got.figures->per_second;
        printf("%s: %.2f TFLOP/s, %.1f %% of peak\n", rung.c_str(), got.figures->per_second / 1e12,
               100 * got.figures->of_peak);
    }
    EXPECT_GE(rate["cuda-tiled"], 4 * rate["cuda-naive"]);
}

}  // namespace
}  // namespace warpscope
