// SPDX-License-Identifier: MIT
// The Compute tab's arithmetic: what is typed, what is launched, what may be compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/panels/code_view.h"
#include "app/panels/compute_logic.h"

namespace warpscope {
namespace {

const LabDemo& vectors() { return find_lab_demo("vector_add"); }
const LabDemo& matrices() { return find_lab_demo("matmul"); }

LabOutcome outcome(const std::string& rung, double kernel_ms, double copies_ms, double memory_ms) {
    LabOutcome made;
    made.request.demo = "vector_add";
    made.request.rung = rung;
    made.result.emplace();
    made.result->rung = rung;
    made.result->backend = rung.starts_with("cuda") ? "cuda" : rung;
    made.result->verification.passed = true;
    LabFigures figures;
    figures.kernel = summarize({kernel_ms, kernel_ms, kernel_ms});
    figures.stages.copy_in = 2 * copies_ms / 3;
    figures.stages.copy_out = copies_ms / 3;
    figures.end_to_end_ms = kernel_ms + copies_ms + memory_ms;
    figures.per_second = 1 / kernel_ms;
    made.result->figures = figures;
    return made;
}

TEST(ComputeCount, ReadsWhatPeopleWrite) {
    EXPECT_EQ(parse_count("10000000"), 10'000'000u);
    EXPECT_EQ(parse_count("10,000,000"), 10'000'000u);
    EXPECT_EQ(parse_count(" 10 000 019 "), 10'000'019u);
    EXPECT_EQ(parse_count("1e7"), 10'000'000u);
    EXPECT_EQ(parse_count("1.5e3"), 1500u);
    EXPECT_EQ(parse_count("10M"), 10'000'000u);
    EXPECT_EQ(parse_count("64 k"), 64'000u);
    EXPECT_EQ(parse_count("0"), 0u);
}

TEST(ComputeCount, RefusesWhatIsNoWholeNumber) {
    for (const char* text :
         {"", " ", "abc", "-1", "1.5", "1e-3", "10Mx", "M", "nan", "inf", "1e99", "10k0", "0x10"}) {
        EXPECT_EQ(parse_count(text), std::nullopt) << text;
    }
}

TEST(ComputeGrid, CoversEveryElementAndCountsWhatTheGuardStops) {
    const GridCover grid = cover(vectors(), 10'000'000, 256, 1);
    EXPECT_EQ(grid.blocks(), 39'063u);
    EXPECT_EQ(grid.threads, 10'000'128u);
    EXPECT_EQ(grid.idle, 128u);
    EXPECT_EQ(grid.partial_blocks, 1u);
    EXPECT_EQ(grid.last_block_works, 128);
}

TEST(ComputeGrid, StopsNobodyWhereTheBlockDividesN) {
    const GridCover grid = cover(vectors(), 1 << 20, 256, 1);
    EXPECT_EQ(grid.idle, 0u);
    EXPECT_EQ(grid.partial_blocks, 0u);
    EXPECT_EQ(grid.last_block_works, 256);
}

TEST(ComputeGrid, CountsRectanglesOverAMatrixOnce) {
    // 10 by 10 entries in blocks of 4 by 8: three columns of blocks by two rows.
    const GridCover grid = cover(matrices(), 10, 4, 8);
    EXPECT_EQ(grid.blocks_x, 3u);
    EXPECT_EQ(grid.blocks_y, 2u);
    EXPECT_EQ(grid.threads, 6u * 32);
    EXPECT_EQ(grid.idle, 6u * 32 - 100);
    EXPECT_EQ(grid.partial_blocks, 4u);  // two at the right, three below, the corner is in both
    EXPECT_EQ(grid.last_block_works, 2 * 2);
}

TEST(ComputeBlock, IsClampedToWhatTheRungTakes) {
    LabRung rung;
    rung.default_block_x = 256;
    rung.default_block_y = 1;
    rung.block = LabBlock::kLinear;
    RungChoice choice;
    clamp_block(rung, choice);
    EXPECT_EQ(choice.block_x, 256);
    choice.block_x = 5000;
    clamp_block(rung, choice);
    EXPECT_EQ(choice.block_x, 1024);

    rung.block = LabBlock::kRectangle;
    choice.block_x = 100;
    choice.block_y = 100;
    clamp_block(rung, choice);
    EXPECT_EQ(choice.block_x, 100);
    EXPECT_EQ(choice.block_y, 10);

    rung.block = LabBlock::kSquare;
    choice.block_x = 31;
    clamp_block(rung, choice);
    EXPECT_EQ(choice.block_x, 16);
    EXPECT_EQ(choice.block_y, 16);
}

TEST(ComputeRequests, AskForWantedRungsThatCanRunOnly) {
    DemoChoice choice;
    choice.n = 1000;
    for (const char* name : {"cpu-scalar", "cpu", "cuda-plain"}) {
        LabRung rung;
        rung.name = name;
        rung.block = LabBlock::kLinear;
        rung.default_block_x = 128;
        rung.default_block_y = 1;
        choice.rungs.push_back(rung);
    }
    choice.rungs[2].unavailable = "no driver";
    choice.choices["cpu-scalar"].wanted = false;
    std::vector<LabRequest> requests =
        requests_of(vectors(), choice, {.device = 1, .cpu_threads = 3, .cache = LabCache::kWarm});
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].rung, "cpu");
    EXPECT_EQ(requests[0].n, 1000u);
    EXPECT_EQ(requests[0].cache, LabCache::kWarm);

    choice.rungs[2].unavailable.clear();
    choice.choices["cuda-plain"].block_x = 512;
    requests = requests_of(vectors(), choice, {.device = 1, .cpu_threads = 3});
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(requests[1].block_x, 512);
    EXPECT_EQ(requests[1].device, 1);
}

TEST(ComputeRatio, IsAgainstTheBestCpuRungInThreeWays) {
    const std::vector<LabOutcome> outcomes{outcome("cpu-scalar", 40, 0, 10),
                                           outcome("cpu", 10, 0, 10),
                                           outcome("cuda-plain", 0.1, 9.9, 10)};
    const LabResult* best = best_cpu(outcomes, "vector_add");
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->rung, "cpu");
    const LabRatio ratio = ratio_to(*best->figures, *outcomes[2].result->figures);
    EXPECT_NEAR(ratio.kernel, 100, 1e-9);
    EXPECT_NEAR(ratio.with_copies, 1, 1e-9);
    EXPECT_NEAR(ratio.end_to_end, 1, 1e-9);
    // 9.9 ms of copies more, 9.9 ms saved each run: earned back by the first.
    ASSERT_TRUE(ratio.break_even);
    EXPECT_EQ(*ratio.break_even, 1);
    EXPECT_EQ(fastest(outcomes, "vector_add")->rung, "cuda-plain");
    EXPECT_EQ(best_cpu(outcomes, "saxpy"), nullptr);
}

TEST(ComputeRatio, NeverPaysOffWhereTheKernelIsSlower) {
    const LabOutcome cpu = outcome("cpu", 1, 0, 0), gpu = outcome("cuda-plain", 2, 1, 0);
    EXPECT_FALSE(ratio_to(*cpu.result->figures, *gpu.result->figures).break_even);
}

TEST(ComputeRatio, LeavesWrongResultsOut) {
    std::vector<LabOutcome> outcomes{outcome("cpu", 10, 0, 0), outcome("cpu-simd", 1, 0, 0)};
    outcomes[1].result->figures.reset();
    outcomes[1].result->verification.passed = false;
    EXPECT_EQ(best_cpu(outcomes, "vector_add")->rung, "cpu");
}

TEST(ComputeRate, DoesNotSayHowFarAboveThePeak) {
    EXPECT_EQ(share_text(0.875), "87.5 %");
    EXPECT_EQ(share_text(1.01), "101.0 %");
    EXPECT_EQ(share_text(7.2), "> 100 %");
    EXPECT_EQ(spread_text(summarize({2, 3, 4})), "±33.3 %");
    EXPECT_EQ(spread_text(summarize({2})), "± —");
}

TEST(ComputeExample, NamesTheLaunchAndWhomTheGuardStops) {
    EXPECT_NE(example_text(ExampleStep::kLaunch, 4).text.find("add<<<2, 4>>>"), std::string::npos);
    EXPECT_NE(example_text(ExampleStep::kGuard, 4).text.find("stops 2 threads"), std::string::npos);
    EXPECT_NE(example_text(ExampleStep::kGuard, 7).text.find("stops 1 thread "), std::string::npos);
    EXPECT_NE(example_text(ExampleStep::kGuard, 3).text.find("no thread is past"),
              std::string::npos);
}

TEST(CodeView, CutsALineIntoAllOfItsTokens) {
    const std::string line = "    if (i < n) out[i] = 2.5f * a[threadIdx.x];  // the guard";
    std::string again;
    std::vector<TokenKind> kinds;
    for (const Token& token : tokens(line)) {
        again += token.text;
        const std::map<std::string_view, TokenKind> known{{"if", TokenKind::kKeyword},
                                                          {"2.5f", TokenKind::kNumber},
                                                          {"threadIdx", TokenKind::kBuiltIn}};
        if (const auto it = known.find(token.text); it != known.end()) {
            EXPECT_EQ(token.kind, it->second) << token.text;
        }
        kinds.push_back(token.kind);
    }
    EXPECT_EQ(again, line);
    EXPECT_EQ(kinds.back(), TokenKind::kComment);
    EXPECT_NE(std::ranges::find(kinds, TokenKind::kBuiltIn), kinds.end());
    EXPECT_NE(std::ranges::find(kinds, TokenKind::kNumber), kinds.end());
    EXPECT_TRUE(tokens("").empty());
}

}  // namespace
}  // namespace warpscope
