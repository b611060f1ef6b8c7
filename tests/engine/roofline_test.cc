// SPDX-License-Identifier: MIT
#include "kernels/engine/roofline.h"

#include <gtest/gtest.h>

#include "kernels/engine/fma_meter.h"
#include "kernels/engine/roof_meter.h"
#include "kernels/math/operations.h"

namespace warpscope {
namespace {

// 10 flop per byte at the ridge.
constexpr Roofs kRoofs{1e12, 1e11};

/// `flops` on 1 MB in as many milliseconds, all of them multiply-adds.
KernelWork work_of(double flops, double ms) { return {flops, 1e6, ms, flops / 2}; }

bool says(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

TEST(Operations, AMandelbrotStepIsFourInstructionsOfSevenOperations) {
    const Operations step = step_operations(Formula::kMandelbrot, Precision::kFloat);
    EXPECT_EQ(step.instructions, kStepInstructions);
    EXPECT_EQ(step.flops, 7);
    const Operations same = step_operations(Formula::kMandelbrot, Precision::kDouble);
    EXPECT_EQ(same.flops, 7);
}

TEST(Operations, SignsAreFree) {
    const Operations ship = step_operations(Formula::kBurningShip, Precision::kFloat);
    EXPECT_EQ(ship.flops, 7);
    EXPECT_EQ(ship.instructions, 4);
}

TEST(Operations, HigherPowersAndDf64CostMore) {
    int before = 0;
    for (const Formula formula :
         {Formula::kMandelbrot, Formula::kMultibrot3, Formula::kMultibrot5}) {
        const Operations step = step_operations(formula, Precision::kFloat);
        EXPECT_GT(step.flops, before);
        EXPECT_GE(step.flops, step.instructions);
        EXPECT_LE(step.flops, 2 * step.instructions);
        before = step.flops;
    }
    // escape_kernels.cuh: "A step of df64 is 47 instructions."
    EXPECT_EQ(step_operations(Formula::kMandelbrot, Precision::kDf64).instructions, 47);
}

TEST(Roofline, TheRidgeIsWhereBothRoofsMeet) {
    EXPECT_DOUBLE_EQ(kRoofs.ridge(), 10);
    EXPECT_DOUBLE_EQ(attainable(kRoofs, 10), 1e12);
    EXPECT_DOUBLE_EQ(attainable(kRoofs, 5), 5e11);
    EXPECT_DOUBLE_EQ(attainable(kRoofs, 1000), 1e12);
}

TEST(Roofline, FewOperationsPerByteAreLimitedByMemory) {
    const KernelWork work = work_of(1e6, 0.02);  // 1 flop per byte, 5e10 of 1e11
    const RoofVerdict verdict = judge(kRoofs, work);
    EXPECT_EQ(verdict.roof, Roof::kMemory);
    EXPECT_DOUBLE_EQ(verdict.attainable, 1e11);
    EXPECT_DOUBLE_EQ(verdict.fraction, 0.5);
    const std::string text = roof_sentence(kRoofs, work);
    EXPECT_TRUE(says(text, "Memory is the limit")) << text;
    EXPECT_TRUE(says(text, "50 % of the memory roof")) << text;
    EXPECT_TRUE(says(text, "waiting")) << text;
}

TEST(Roofline, ManyOperationsPerByteAreLimitedByArithmetic) {
    const KernelWork work = work_of(1e9, 1.25);  // 1000 flop per byte, 8e11 of 1e12
    const RoofVerdict verdict = judge(kRoofs, work);
    EXPECT_EQ(verdict.roof, Roof::kCompute);
    EXPECT_DOUBLE_EQ(verdict.fraction, 0.8);
    const std::string text = roof_sentence(kRoofs, work);
    EXPECT_TRUE(says(text, "Arithmetic is the limit: 1000 operations")) << text;
    EXPECT_TRUE(says(text, "80 % of the compute roof")) << text;
    EXPECT_FALSE(says(text, "waiting")) << text;
    EXPECT_FALSE(says(text, "mix")) << text;
}

TEST(Roofline, SaysWhatTheMixOfInstructionsAllows) {
    KernelWork work = work_of(7e8, 1);  // 70 %
    work.instructions = 4e8;            // of 87.5 %
    EXPECT_DOUBLE_EQ(work.mix(), 0.875);
    const std::string text = roof_sentence(kRoofs, work);
    EXPECT_TRUE(says(text, "that mix allows 87.5 %")) << text;
    EXPECT_FALSE(says(text, "waiting")) << text;  // 80 % of what it can
}

TEST(Roofline, MoreThanMemoryGivesIsTheCaches) {
    const std::string text = roof_sentence(kRoofs, work_of(1e6, 0.005));  // 200 %
    EXPECT_TRUE(says(text, "cache")) << text;
    EXPECT_TRUE(says(text, "200 %")) << text;
    EXPECT_FALSE(says(text, "waiting")) << text;
}

TEST(Roofline, AnEscapeLoopIsItsStepsAndOneSampleAPixel) {
    FrameStats stats;
    stats.job.precision = Precision::kFloat;
    stats.executed = 1000;
    stats.pixels = 50;
    stats.kernel_ms = 2;
    Method method;
    const KernelWork blocks = escape_work(method, stats);
    EXPECT_DOUBLE_EQ(blocks.flops, 7000);
    EXPECT_DOUBLE_EQ(blocks.instructions, 4000);
    EXPECT_DOUBLE_EQ(blocks.bytes, 400);
    EXPECT_DOUBLE_EQ(blocks.ms, 2);
    method.test = warpscope::Test::kEveryStep;
    EXPECT_DOUBLE_EQ(escape_work(method, stats).flops, 10'000);
}

TEST(Roofline, TheLineBendsAtTheRidge) {
    const std::vector<RoofPoint> line = roof_line(kRoofs, 0.1, 1e4, 6);
    ASSERT_EQ(line.size(), 7u);  // and the ridge
    EXPECT_DOUBLE_EQ(line.front().flops_per_second, 1e10);
    EXPECT_DOUBLE_EQ(line.back().flops_per_second, 1e12);
    bool has_ridge = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
        EXPECT_GT(line[i].intensity, line[i - 1].intensity * (1 - 1e-9));
        EXPECT_GE(line[i].flops_per_second, line[i - 1].flops_per_second);
        has_ridge |= line[i].intensity == kRoofs.ridge();
    }
    EXPECT_TRUE(has_ridge);
}

TEST(Roofs, AreTheFastestStreamAndTwoOperationsPerMultiplyAdd) {
    MachineRoofs machine;
    machine.float_fma = 100;
    machine.double_fma = 10;
    machine.bytes_per_second = {5, 3, 7, 6};
    EXPECT_EQ(machine.best_traffic(), Traffic::kCopy);
    EXPECT_EQ(machine.roofs(Precision::kFloat).flops_per_second, 200);
    EXPECT_EQ(machine.roofs(Precision::kDf64).flops_per_second, 200);
    EXPECT_EQ(machine.roofs(Precision::kDouble).flops_per_second, 20);
    EXPECT_EQ(machine.roofs(Precision::kDouble).bytes_per_second, 7);
}

TEST(Roofs, SayWhereACacheMayHaveHelped) {
    MachineRoofs machine;
    machine.cpu_threads = 4;
    machine.array_bytes = std::size_t{256} << 20;
    machine.cache_bytes = std::size_t{32} << 20;
    EXPECT_FALSE(says(roofs_method(machine), "too high"));
    machine.cache_bytes = std::size_t{200} << 20;
    EXPECT_TRUE(says(roofs_method(machine), "too high"));
}

TEST(RoofMeter, MeasuresThisProcessor) {
    RoofMeter meter{{}};
    double progress = 0;
    meter.measure({}, [&](double fraction) { progress = fraction; });
    EXPECT_EQ(progress, 1);
    const MachineRoofs& found = meter.found();
    EXPECT_GT(found.float_fma, 1e8);
    EXPECT_GT(found.float_fma, found.double_fma);
    for (const double rate : found.bytes_per_second) {
        EXPECT_GT(rate, 1e8);
        EXPECT_LT(rate, 1e13);
    }
    const double before = found.float_fma;
    meter.measure({});
    EXPECT_GE(meter.found().float_fma, before);
}

TEST(RoofMeter, StoppedBeforehandItFindsNothing) {
    std::stop_source source;
    source.request_stop();
    RoofMeter meter{{}};
    meter.measure(source.get_token());
    EXPECT_EQ(meter.found().runs, 0u);
}

}  // namespace
}  // namespace warpscope
