// SPDX-License-Identifier: MIT
// occupancy_rows.csv was computed with NVIDIA's cuda_occupancy.h (CUDA 13.0): our formula must give
// the same on every row and in every column.
#include "kernels/engine/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpscope {
namespace {

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream stream{line};
    for (std::string cell; std::getline(stream, cell, ',');) parts.push_back(cell);
    return parts;
}

int mask(const Occupancy& got) {
    int bits = 0;
    for (const Limiter limiter : got.limiters) bits |= 1 << static_cast<int>(limiter);
    return bits;
}

Occupancy at(const char* cc, int threads, int registers, int shared) {
    return occupancy(find_gpu_arch(cc),
                     {.threads = threads, .registers = registers, .dynamic_shared = shared});
}

std::string message_of(const auto& act) {
    try {
        act();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Occupancy, EqualsNvidiasHeaderOnEveryRow) {
    std::ifstream file{WARPSCOPE_OCCUPANCY_ROWS};
    ASSERT_TRUE(file) << WARPSCOPE_OCCUPANCY_ROWS;
    std::string line;
    std::getline(file, line);
    int rows = 0;
    while (std::getline(file, line)) {
        const std::vector<std::string> row = cells(line);
        ASSERT_EQ(row.size(), 12u) << line;
        const auto number = [&](std::size_t i) { return std::stoi(row[i]); };
        const Occupancy got = at(row[0].c_str(), number(1), number(2), number(3));
        EXPECT_EQ(got.blocks_per_sm, number(4)) << line;
        EXPECT_EQ(got.warps_per_sm, number(5)) << line;
        EXPECT_EQ(got.max_warps_per_sm, number(6)) << line;
        EXPECT_EQ(got.limit_warps.value_or(-1), number(7)) << line;
        EXPECT_EQ(got.limit_registers.value_or(-1), number(8)) << line;
        EXPECT_EQ(got.limit_shared.value_or(-1), number(9)) << line;
        EXPECT_EQ(got.limit_blocks.value_or(-1), number(10)) << line;
        EXPECT_EQ(mask(got), number(11)) << line;
        EXPECT_DOUBLE_EQ(got.occupancy, static_cast<double>(number(5)) / number(6)) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 9000);
}

TEST(Occupancy, SplittingSharedMemoryChangesNothing) {
    const GpuArch& arch = find_gpu_arch(8, 6);
    const Occupancy whole = occupancy(arch, {.threads = 128, .dynamic_shared = 20000});
    const Occupancy split =
        occupancy(arch, {.threads = 128, .static_shared = 7000, .dynamic_shared = 13000});
    EXPECT_EQ(whole.limit_shared, split.limit_shared);
}

TEST(Occupancy, MeetsTheGoldenExamples) {
    struct Golden {
        const char* cc;
        int threads, registers, shared, blocks, warps;
        double percent;
        std::vector<Limiter> limiters;
    };
    using enum Limiter;
    const Golden golden[] = {
        {"8.6", 32, 32, 0, 16, 16, 33.3, {kBlocks}},
        {"8.9", 32, 32, 0, 24, 24, 50.0, {kBlocks}},
        {"9.0", 32, 32, 0, 32, 32, 50.0, {kBlocks}},
        {"8.6", 256, 40, 0, 6, 48, 100.0, {kWarps, kRegisters}},
        {"8.0", 256, 40, 0, 6, 48, 75.0, {kRegisters}},
        {"8.6", 128, 72, 0, 7, 28, 58.3, {kRegisters}},
        {"8.6", 1024, 40, 0, 1, 32, 66.7, {kWarps, kRegisters}},
        {"7.5", 1024, 40, 0, 1, 32, 100.0, {kWarps, kRegisters}},
        {"8.6", 256, 32, 16384, 5, 40, 83.3, {kShared}},
        {"8.6", 256, 32, 24576, 4, 32, 66.7, {kShared}},
    };
    for (const Golden& want : golden) {
        const Occupancy got = at(want.cc, want.threads, want.registers, want.shared);
        EXPECT_EQ(got.blocks_per_sm, want.blocks) << want.cc << " " << want.threads;
        EXPECT_EQ(got.warps_per_sm, want.warps) << want.cc << " " << want.threads;
        EXPECT_NEAR(100 * got.occupancy, want.percent, 0.05) << want.cc << " " << want.threads;
        EXPECT_EQ(got.limiters, want.limiters) << want.cc << " " << want.threads;
    }
}

// The mistakes that public calculators make; each expectation fails with the mistake in.
TEST(Occupancy, RoundsRegistersPerWarpNotPerBlock) {
    // 33 registers: 1056 a warp become 1280, 12 warps a sub-partition; per block it would be 15.
    EXPECT_EQ(at("8.6", 96, 33, 0).limit_registers, 65536 / 4 / 1280 * 4 / 3);
    // 65536 registers over blocks of 3 * 1056 = 3168, rounded to 3328: 19.
    EXPECT_NE(at("8.6", 96, 33, 0).limit_registers, 65536 / 3328);
}

TEST(Occupancy, CountsTheReservedSharedMemoryFromAmpereOn) {
    EXPECT_EQ(at("8.6", 128, 16, 10240).limit_shared, 9);  // 100 KiB / (10 + 1) KiB, not 10
    EXPECT_EQ(at("7.5", 128, 16, 16384).limit_shared, 4);  // nothing is reserved before
    EXPECT_EQ(at("8.6", 32, 16, 0).limit_shared, 100);     // even a block that asks for none
    EXPECT_EQ(at("7.5", 32, 16, 0).limit_shared, std::nullopt);
}

TEST(Occupancy, TellsSharedPerBlockFromSharedPerSm) {
    EXPECT_EQ(at("9.0", 128, 16, 227 * 1024).limit_shared, 1);
    EXPECT_EQ(at("9.0", 128, 16, 228 * 1024).limit_shared, 0);
    EXPECT_EQ(at("9.0", 128, 16, 113 * 1024).limit_shared, 2);  // 2 * 114 KiB fill 228 KiB exactly
    EXPECT_EQ(at("8.9", 128, 16, 49 * 1024).limit_shared, 2);
}

TEST(Occupancy, CountsAPartialWarpAsAWarp) {
    const Occupancy got = at("8.6", 100, 16, 0);
    EXPECT_EQ(got.warps_per_block, 4);
    EXPECT_EQ(got.idle_lanes, 28);
    EXPECT_EQ(got.warps_per_sm, got.blocks_per_sm * 4);
}

TEST(Occupancy, KeepsToTheChosenCarveOut) {
    const GpuArch& arch = find_gpu_arch(9, 0);
    BlockNeeds needs{.threads = 128, .registers = 32, .dynamic_shared = 15 * 1024};
    EXPECT_EQ(occupancy(arch, needs).limit_shared, 14);
    needs.carveout_kib = 64;
    EXPECT_EQ(occupancy(arch, needs).limit_shared, 4);
    needs.carveout_kib = 0;
    EXPECT_EQ(occupancy(arch, needs).blocks_per_sm, 0);
    needs.carveout_kib = 65;
    EXPECT_NE(message_of([&] { occupancy(arch, needs); }).find("196, 228"), std::string::npos);
}

TEST(Occupancy, RejectsWhatIsOutOfRangeAndSaysTheRange) {
    const auto threads = [](int n) { return message_of([=] { at("8.6", n, 32, 0); }); };
    for (const int n : {0, 1025, -1}) {
        EXPECT_NE(threads(n).find("1 to 1024, got " + std::to_string(n)), std::string::npos);
    }
    EXPECT_NE(message_of([] { at("8.6", 32, 256, 0); }).find("0 to 255"), std::string::npos);
    EXPECT_NE(message_of([] { at("8.6", 32, -1, 0); }).find("0 to 255"), std::string::npos);
    EXPECT_NE(message_of([] { at("8.6", 32, 32, -4); }).find("got -4"), std::string::npos);
    for (const char* bad : {"8.5", "3.0", "86", "8.", ".6", "8.6x", "", "eight"}) {
        const std::string said = message_of([=] { at(bad, 32, 32, 0); });
        EXPECT_NE(said.find("listed: 5.0, 5.2"), std::string::npos) << said;
        EXPECT_NE(said.find("12.1"), std::string::npos) << said;
    }
}

TEST(Occupancy, ListsEveryCapabilityOnceAndAscending) {
    int last = 0;
    for (const GpuArch& arch : gpu_archs()) {
        const int now = arch.major * 10 + arch.minor;
        EXPECT_GT(now, last);
        last = now;
        ASSERT_FALSE(arch.carveouts_kib.empty());
        EXPECT_EQ(arch.carveouts_kib.back() * 1024, arch.limits.shared_per_sm);
    }
    EXPECT_EQ(gpu_archs().size(), 20u);
    EXPECT_EQ(at("8.8", 32, 32, 0).blocks_per_sm, 16);
}

TEST(Waves, ShowANearlyEmptyLastTurn) {
    EXPECT_DOUBLE_EQ(waves(132 * 8, 8, 132).waves, 1);
    EXPECT_DOUBLE_EQ(waves(132 * 8, 8, 132).tail_efficiency, 1);
    const Waves tail = waves(132 * 8 + 1, 8, 132);
    EXPECT_NEAR(tail.tail_efficiency, 0.5, 0.001);
    EXPECT_DOUBLE_EQ(waves(1, 8, 132).tail_efficiency, 1.0 / (8 * 132));
    EXPECT_THROW(waves(0, 8, 132), std::invalid_argument);
    EXPECT_THROW(waves(1, 0, 132), std::invalid_argument);
    EXPECT_THROW(waves(1, 8, -1), std::invalid_argument);
}

TEST(Advice, NamesTheLargestRegisterCountThatHelps) {
    const auto said = what_would_raise(find_gpu_arch(8, 0), {.threads = 256, .registers = 72});
    ASSERT_FALSE(said.empty());
    // 3 blocks at 72 registers; 65536 / 4 / 2048 * 4 / 8 = 4 from 64 on down.
    EXPECT_EQ(said[0], "64 registers or fewer per thread would allow 4 blocks per SM (50.0 %)");
}

TEST(Advice, NamesSharedMemoryBlockSizeAndCarveOut) {
    const GpuArch& arch = find_gpu_arch(8, 6);
    const auto shared =
        what_would_raise(arch, {.threads = 256, .registers = 32, .dynamic_shared = 24576});
    ASSERT_FALSE(shared.empty());
    EXPECT_EQ(
        shared[0],
        "19456 bytes or fewer of shared memory per block would allow 5 blocks per SM (83.3 %)");
    const auto size = what_would_raise(arch, {.threads = 1024, .registers = 40});
    ASSERT_EQ(size.size(), 1u);
    EXPECT_EQ(size[0], "blocks of 768 threads would allow 2 blocks per SM (100.0 %)");
    const auto carveout = what_would_raise(
        arch, {.threads = 256, .registers = 32, .dynamic_shared = 8192, .carveout_kib = 32});
    EXPECT_TRUE(std::ranges::any_of(carveout, [](const std::string& sentence) {
        return sentence.starts_with("a shared-memory carve-out of 64 KiB would allow");
    }));
}

TEST(Advice, FindsTheJointChangeWhereNoSingleOneHelps) {
    // Registers and shared memory both stop at 2 blocks of 1024 / 2 threads.
    const GpuArch& arch = find_gpu_arch(9, 0);
    BlockNeeds needs{.threads = 1024, .registers = 64, .dynamic_shared = 200 * 1024};
    const Occupancy now = occupancy(arch, needs);
    ASSERT_EQ(now.limiters, (std::vector{Limiter::kRegisters, Limiter::kShared}));
    for (const std::string& sentence : what_would_raise(arch, needs)) {
        EXPECT_NE(sentence.find("together with"), std::string::npos) << sentence;
    }
    EXPECT_EQ(what_would_raise(arch, needs).size(), 1u);
}

TEST(Advice, SaysNothingAtFullOccupancyAndWhyNothingLaunches) {
    EXPECT_TRUE(what_would_raise(find_gpu_arch(8, 6), {.threads = 256, .registers = 40}).empty());
    EXPECT_EQ(what_limits(find_gpu_arch(8, 6), {.threads = 256, .registers = 40}),
              "Limited by warp slots and registers: 6 blocks of 8 warps per SM, 48 of 48 warps "
              "(100.0 %).");
    const std::string none = what_limits(find_gpu_arch(8, 6), {.threads = 1024, .registers = 168});
    EXPECT_NE(none.find("No block can launch"), std::string::npos);
    EXPECT_NE(none.find("registers"), std::string::npos);
}

// Every claim of a sentence holds when the formula is asked again, on many needs.
TEST(Advice, NeverClaimsWhatTheFormulaDenies) {
    for (const GpuArch& arch : gpu_archs()) {
        for (int threads = 32; threads <= 1024; threads += 96) {
            for (int registers = 16; registers <= 255; registers += 29) {
                const BlockNeeds needs{.threads = threads, .registers = registers};
                const Occupancy now = occupancy(arch, needs);
                for (const std::string& sentence : what_would_raise(arch, needs)) {
                    const std::size_t at_blocks = sentence.find("allow ") + 6;
                    const int blocks = std::stoi(sentence.substr(at_blocks));
                    BlockNeeds then = needs;
                    if (sentence.starts_with("blocks of ")) {
                        then.threads = std::stoi(sentence.substr(10));
                    } else {
                        then.registers = std::stoi(sentence);
                        BlockNeeds above = needs;
                        above.registers = then.registers + 1;
                        EXPECT_LT(occupancy(arch, above).blocks_per_sm, blocks) << sentence;
                    }
                    EXPECT_EQ(occupancy(arch, then).blocks_per_sm, blocks) << sentence;
                    EXPECT_GT(occupancy(arch, then).warps_per_sm, now.warps_per_sm) << sentence;
                }
            }
        }
    }
}

TEST(Curves, CoverTheRangesOfTheCharts) {
    const GpuArch& arch = find_gpu_arch(8, 6);
    const auto threads = occupancy_by_threads(arch, {.registers = 40});
    EXPECT_EQ(threads.size(), 32u);
    EXPECT_EQ(threads[7].x, 256);
    EXPECT_DOUBLE_EQ(threads[7].at.occupancy, 1);
    EXPECT_EQ(occupancy_by_threads(arch, {}, 1).size(), 1024u);
    const auto registers = occupancy_by_registers(arch, {.threads = 256});
    EXPECT_EQ(registers.size(), 255u);
    EXPECT_GT(registers.front().at.occupancy, registers.back().at.occupancy);
    const auto shared = occupancy_by_shared(arch, {.threads = 256});
    EXPECT_EQ(shared.back().x, 99 * 1024);
    EXPECT_THROW(occupancy_by_shared(arch, {}, 0), std::invalid_argument);
    EXPECT_THROW(occupancy_by_threads(arch, {}, -1), std::invalid_argument);
}

}  // namespace
}  // namespace warpscope
