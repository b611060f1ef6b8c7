// SPDX-License-Identifier: MIT
// Sentences and curves about occupancy, all found by asking the formula again with other needs:
// what it says can then never contradict the figures beside it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "kernels/engine/occupancy.h"

namespace warpscope {
namespace {

std::string count(int n, const char* thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string percent(double fraction) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * fraction);
    return text;
}

std::string allows(const Occupancy& then) {
    return " would allow " + count(then.blocks_per_sm, "block") + " per SM (" +
           percent(then.occupancy) + ")";
}

int asked_shared(const BlockNeeds& needs) { return needs.static_shared + needs.dynamic_shared; }

BlockNeeds with_registers(BlockNeeds needs, int registers) {
    needs.registers = registers;
    return needs;
}

BlockNeeds with_shared(BlockNeeds needs, int bytes) {
    needs.static_shared = 0;
    needs.dynamic_shared = bytes;
    return needs;
}

BlockNeeds with_threads(BlockNeeds needs, int threads) {
    needs.threads = threads;
    return needs;
}

// Most registers per thread, fewer than now, from which registers allow `blocks`.
std::optional<int> registers_for(const GpuArch& arch, const BlockNeeds& needs, int blocks) {
    for (int registers = needs.registers - 1; registers >= 1; --registers) {
        const Occupancy then = occupancy(arch, with_registers(needs, registers));
        if (then.limit_registers.value_or(blocks) >= blocks) return registers;
    }
    return std::nullopt;
}

// Most bytes per block, fewer than now, from which shared memory allows `blocks`.
std::optional<int> shared_for(const GpuArch& arch, const BlockNeeds& needs, int blocks) {
    const int unit = arch.limits.shared_unit;
    for (int bytes = (asked_shared(needs) - 1) / unit * unit; bytes >= 0; bytes -= unit) {
        const Occupancy then = occupancy(arch, with_shared(needs, bytes));
        if (then.limit_shared.value_or(blocks) >= blocks) return bytes;
    }
    return std::nullopt;
}

// The block size nearest to the present one that keeps more warps resident.
std::optional<int> threads_for(const GpuArch& arch, const BlockNeeds& needs, int warps_now) {
    std::optional<int> nearest;
    for (int threads = kWarpThreads; threads <= kMaxBlockThreads; threads += kWarpThreads) {
        if (occupancy(arch, with_threads(needs, threads)).warps_per_sm <= warps_now) continue;
        const int distance = std::abs(threads - needs.threads);
        if (!nearest || distance < std::abs(*nearest - needs.threads)) nearest = threads;
    }
    return nearest;
}

std::optional<int> carveout_for(const GpuArch& arch, const BlockNeeds& needs, int blocks_now) {
    if (!needs.carveout_kib) return std::nullopt;
    for (const int kib : arch.carveouts_kib) {
        BlockNeeds then = needs;
        then.carveout_kib = kib;
        if (kib > *needs.carveout_kib && occupancy(arch, then).blocks_per_sm > blocks_now) {
            return kib;
        }
    }
    return std::nullopt;
}

// Registers and shared memory limit together: neither helps alone.
std::optional<std::string> joint_change(const GpuArch& arch, const BlockNeeds& needs,
                                        const Occupancy& now) {
    const int blocks = now.blocks_per_sm + 1;
    const auto registers = registers_for(arch, needs, blocks);
    const auto bytes = shared_for(arch, needs, blocks);
    if (!registers || !bytes) return std::nullopt;
    const Occupancy then = occupancy(arch, with_shared(with_registers(needs, *registers), *bytes));
    if (then.blocks_per_sm < blocks) return std::nullopt;
    return count(*registers, "register") + " or fewer per thread together with " +
           count(*bytes, "byte") + " or fewer of shared memory per block" + allows(then);
}

}  // namespace

std::string what_limits(const GpuArch& arch, const BlockNeeds& needs) {
    const Occupancy now = occupancy(arch, needs);
    std::string names;
    for (std::size_t i = 0; i < now.limiters.size(); ++i) {
        const bool last = i + 1 == now.limiters.size();
        if (i != 0) names += last ? " and " : ", ";
        constexpr const char* kNames[]{"warp slots", "registers", "shared memory", "block slots"};
        names += kNames[static_cast<std::size_t>(now.limiters[i])];
    }
    if (now.blocks_per_sm == 0) {
        return "No block can launch: one block alone asks for more " + names +
               " than this GPU gives a block or an SM.";
    }
    return "Limited by " + names + ": " + count(now.blocks_per_sm, "block") + " of " +
           count(now.warps_per_block, "warp") + " per SM, " + std::to_string(now.warps_per_sm) +
           " of " + count(now.max_warps_per_sm, "warp") + " (" + percent(now.occupancy) + ").";
}

std::vector<std::string> what_would_raise(const GpuArch& arch, const BlockNeeds& needs) {
    const Occupancy now = occupancy(arch, needs);
    std::vector<std::string> sentences;
    if (now.warps_per_sm == now.max_warps_per_sm) return sentences;
    const int blocks = now.blocks_per_sm + 1;

    if (const auto registers = registers_for(arch, needs, blocks)) {
        const Occupancy then = occupancy(arch, with_registers(needs, *registers));
        if (then.blocks_per_sm >= blocks) {
            sentences.push_back(count(*registers, "register") + " or fewer per thread" +
                                allows(then));
        }
    }
    if (const auto bytes = shared_for(arch, needs, blocks)) {
        const Occupancy then = occupancy(arch, with_shared(needs, *bytes));
        if (then.blocks_per_sm >= blocks) {
            sentences.push_back(count(*bytes, "byte") + " or fewer of shared memory per block" +
                                allows(then));
        }
    }
    if (const auto kib = carveout_for(arch, needs, now.blocks_per_sm)) {
        BlockNeeds then = needs;
        then.carveout_kib = kib;
        sentences.push_back("a shared-memory carve-out of " + std::to_string(*kib) + " KiB" +
                            allows(occupancy(arch, then)));
    }
    if (const auto threads = threads_for(arch, needs, now.warps_per_sm)) {
        sentences.push_back("blocks of " + count(*threads, "thread") +
                            allows(occupancy(arch, with_threads(needs, *threads))));
    }
    if (sentences.empty()) {
        if (auto sentence = joint_change(arch, needs, now)) sentences.push_back(*sentence);
    }
    return sentences;
}

std::vector<OccupancyPoint> occupancy_by_threads(const GpuArch& arch, BlockNeeds needs, int step) {
    if (step < 1) {
        throw std::invalid_argument{"a step of threads must be at least 1, got " +
                                    std::to_string(step)};
    }
    std::vector<OccupancyPoint> points;
    for (int threads = step; threads <= kMaxBlockThreads; threads += step) {
        points.push_back({threads, occupancy(arch, with_threads(needs, threads))});
    }
    return points;
}

std::vector<OccupancyPoint> occupancy_by_registers(const GpuArch& arch, BlockNeeds needs) {
    std::vector<OccupancyPoint> points;
    for (int registers = 1; registers <= kMaxThreadRegisters; ++registers) {
        points.push_back({registers, occupancy(arch, with_registers(needs, registers))});
    }
    return points;
}

std::vector<OccupancyPoint> occupancy_by_shared(const GpuArch& arch, BlockNeeds needs, int step) {
    if (step < 1) {
        throw std::invalid_argument{"a step of shared memory must be at least 1 byte, got " +
                                    std::to_string(step)};
    }
    std::vector<OccupancyPoint> points;
    const int most = arch.limits.shared_per_block;
    for (int bytes = 0; bytes + needs.static_shared <= most; bytes += step) {
        needs.dynamic_shared = bytes;
        points.push_back({bytes, occupancy(arch, needs)});
    }
    return points;
}

}  // namespace warpscope
