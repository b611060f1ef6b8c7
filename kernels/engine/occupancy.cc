// SPDX-License-Identifier: MIT
// Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and
// NVIDIA's cccl (arch_traits.h). The formula was written from its rules and checked against
// cuda_occupancy.h.
#include "kernels/engine/occupancy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace warpscope {
namespace {

constexpr int kKib = 1024;

constexpr std::array kShared64{64};
constexpr std::array kShared96{96};
constexpr std::array kVolta{0, 8, 16, 32, 64, 96};
constexpr std::array kTuring{32, 64};
constexpr std::array kAmpere{0, 8, 16, 32, 64, 100, 132, 164};
constexpr std::array kAda{0, 8, 16, 32, 64, 100};
constexpr std::array kHopper{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

// Up to 7.x: nothing is reserved, units of 256 bytes.
constexpr OccupancyLimits before_ampere(int threads, int blocks, int block_registers, int sm_kib,
                                        int block_kib, int sub_partitions) {
    return {.threads_per_sm = threads,
            .blocks_per_sm = blocks,
            .registers_per_sm = 65536,
            .registers_per_block = block_registers,
            .shared_per_sm = sm_kib * kKib,
            .shared_per_block = block_kib * kKib,
            .shared_reserved = 0,
            .shared_unit = 256,
            .register_unit = 256,
            .sub_partitions = sub_partitions};
}

// From 8.0 on the system keeps 1 KiB of every block's shared memory; a block may have the rest.
constexpr OccupancyLimits since_ampere(int threads, int blocks, int sm_kib) {
    return {.threads_per_sm = threads,
            .blocks_per_sm = blocks,
            .registers_per_sm = 65536,
            .registers_per_block = 65536,
            .shared_per_sm = sm_kib * kKib,
            .shared_per_block = (sm_kib - 1) * kKib,
            .shared_reserved = kKib,
            .shared_unit = 128,
            .register_unit = 256,
            .sub_partitions = 4};
}

constexpr std::array kArchs{
    GpuArch{5, 0, "GTX 750 Ti", before_ampere(2048, 32, 65536, 64, 48, 4), kShared64},
    GpuArch{5, 2, "GTX 980", before_ampere(2048, 32, 65536, 96, 48, 4), kShared96},
    GpuArch{5, 3, "Jetson TX1", before_ampere(2048, 32, 32768, 64, 48, 4), kShared64},
    GpuArch{6, 0, "P100", before_ampere(2048, 32, 65536, 64, 48, 2), kShared64},
    GpuArch{6, 1, "GTX 1080", before_ampere(2048, 32, 65536, 96, 48, 4), kShared96},
    GpuArch{6, 2, "Jetson TX2", before_ampere(2048, 32, 32768, 64, 48, 4), kShared64},
    GpuArch{7, 0, "V100", before_ampere(2048, 32, 65536, 96, 96, 4), kVolta},
    GpuArch{7, 2, "Xavier", before_ampere(2048, 32, 65536, 96, 96, 4), kVolta},
    GpuArch{7, 5, "T4, RTX 20 series", before_ampere(1024, 16, 65536, 64, 64, 4), kTuring},
    GpuArch{8, 0, "A100", since_ampere(2048, 32, 164), kAmpere},
    GpuArch{8, 6, "RTX 30 series, A10, A6000", since_ampere(1536, 16, 100), kAda},
    GpuArch{8, 7, "Jetson Orin", since_ampere(1536, 16, 164), kAmpere},
    GpuArch{8, 8, "as 8.6", since_ampere(1536, 16, 100), kAda},
    GpuArch{8, 9, "RTX 40 series, L4, L40", since_ampere(1536, 24, 100), kAda},
    GpuArch{9, 0, "H100, H200", since_ampere(2048, 32, 228), kHopper},
    GpuArch{10, 0, "B200", since_ampere(2048, 32, 228), kHopper},
    GpuArch{10, 3, "B300", since_ampere(2048, 32, 228), kHopper},
    GpuArch{11, 0, "Thor", since_ampere(1536, 24, 228), kHopper},
    GpuArch{12, 0, "RTX 50 series", since_ampere(1536, 24, 100), kAda},
    GpuArch{12, 1, "GB10, DGX Spark", since_ampere(1536, 24, 100), kAda},
};

std::string arch_name(int major, int minor) {
    return std::to_string(major) + "." + std::to_string(minor);
}

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

void require(int value, int low, int high, std::string_view what) {
    if (value >= low && value <= high) return;
    throw std::invalid_argument{std::string{what} + " must be " + std::to_string(low) + " to " +
                                std::to_string(high) + ", got " + std::to_string(value)};
}

// Bytes that an SM offers under the chosen carve-out.
int shared_per_sm(const GpuArch& arch, const BlockNeeds& needs) {
    if (!needs.carveout_kib) return arch.limits.shared_per_sm;
    const int chosen = *needs.carveout_kib;
    if (std::ranges::find(arch.carveouts_kib, chosen) != arch.carveouts_kib.end()) {
        return chosen * kKib;
    }
    std::string accepted;
    for (const int kib : arch.carveouts_kib) {
        accepted += (accepted.empty() ? "" : ", ") + std::to_string(kib);
    }
    throw std::invalid_argument{"a carve-out of " + std::to_string(chosen) +
                                " KiB does not exist on compute capability " +
                                arch_name(arch.major, arch.minor) + "; accepted: " + accepted};
}

void validate(const BlockNeeds& needs) {
    constexpr int kMostShared = 1 << 30;  // a sum of two fits an int
    require(needs.threads, 1, kMaxBlockThreads, "threads per block");
    require(needs.registers, 0, kMaxThreadRegisters, "registers per thread");
    require(needs.static_shared, 0, kMostShared - 1, "static shared memory in bytes");
    require(needs.dynamic_shared, 0, kMostShared - 1, "dynamic shared memory in bytes");
}

// Registers are handed out per warp, and each sub-partition serves its own warps from its own
// share.
std::optional<int> limit_registers(const OccupancyLimits& limits, int warps, int registers) {
    if (registers == 0) return std::nullopt;
    const int per_warp = round_up(registers * kWarpThreads, limits.register_unit);
    // On 6.0, with two sub-partitions, a block must also fit as if there were four.
    const int launch_warps = std::max(round_up(warps, limits.sub_partitions), round_up(warps, 4));
    if (launch_warps * per_warp > limits.registers_per_block) return 0;
    const int share = limits.registers_per_sm / limits.sub_partitions;
    return share / per_warp * limits.sub_partitions / warps;
}

std::optional<int> limit_shared(const OccupancyLimits& limits, const BlockNeeds& needs,
                                int per_sm) {
    const int asked = needs.static_shared + needs.dynamic_shared;
    const int taken = round_up(asked + limits.shared_reserved, limits.shared_unit);
    // More than 48 KiB per block needs the opt-in, which callers of this formula are assumed to do.
    const int most = asked > kDefaultBlockShared ? limits.shared_per_block : kDefaultBlockShared;
    if (taken > most + limits.shared_reserved) return 0;
    if (taken == 0) return std::nullopt;
    return per_sm / taken;
}

}  // namespace

std::span<const GpuArch> gpu_archs() noexcept { return kArchs; }

std::string gpu_arch_list() {
    std::string list;
    for (const GpuArch& arch : kArchs) {
        list += (list.empty() ? "" : ", ") + arch_name(arch.major, arch.minor);
    }
    return list;
}

const GpuArch& find_gpu_arch(int major, int minor) {
    for (const GpuArch& arch : kArchs) {
        if (arch.major == major && arch.minor == minor) return arch;
    }
    throw std::invalid_argument{"no limits are known for compute capability " +
                                arch_name(major, minor) + "; listed: " + gpu_arch_list()};
}

const GpuArch& find_gpu_arch(std::string_view compute_capability) {
    int major = 0, minor = 0;
    const char* const end = compute_capability.data() + compute_capability.size();
    const auto first = std::from_chars(compute_capability.data(), end, major);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '.') {
        const auto second = std::from_chars(first.ptr + 1, end, minor);
        if (second.ec == std::errc{} && second.ptr == end) return find_gpu_arch(major, minor);
    }
    throw std::invalid_argument{"a compute capability reads like 8.6, got '" +
                                std::string{compute_capability} + "'; listed: " + gpu_arch_list()};
}

std::string_view limiter_name(Limiter limiter) noexcept {
    constexpr std::array<std::string_view, 4> kNames{"warps", "registers", "shared", "blocks"};
    return kNames[static_cast<std::size_t>(limiter)];
}

Occupancy occupancy(const GpuArch& arch, const BlockNeeds& needs) {
    validate(needs);
    const OccupancyLimits& limits = arch.limits;
    Occupancy result;
    const int warps = (needs.threads + kWarpThreads - 1) / kWarpThreads;
    result.warps_per_block = warps;
    result.idle_lanes = warps * kWarpThreads - needs.threads;
    result.max_warps_per_sm = limits.threads_per_sm / kWarpThreads;
    result.limit_warps = result.max_warps_per_sm / warps;
    result.limit_registers = limit_registers(limits, warps, needs.registers);
    result.limit_shared = limit_shared(limits, needs, shared_per_sm(arch, needs));
    result.limit_blocks = limits.blocks_per_sm;

    const std::array all{result.limit_warps, result.limit_registers, result.limit_shared,
                         result.limit_blocks};
    result.blocks_per_sm = limits.blocks_per_sm;
    for (const std::optional<int>& limit : all) {
        if (limit) result.blocks_per_sm = std::min(result.blocks_per_sm, *limit);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] == result.blocks_per_sm) result.limiters.push_back(static_cast<Limiter>(i));
    }
    result.warps_per_sm = result.blocks_per_sm * warps;
    result.occupancy = static_cast<double>(result.warps_per_sm) / result.max_warps_per_sm;
    return result;
}

Waves waves(std::int64_t grid_blocks, int blocks_per_sm, int sm_count) {
    if (grid_blocks < 1 || blocks_per_sm < 1 || sm_count < 1) {
        throw std::invalid_argument{
            "waves need at least 1 block in the grid, per SM and 1 SM; got " +
            std::to_string(grid_blocks) + ", " + std::to_string(blocks_per_sm) + ", " +
            std::to_string(sm_count)};
    }
    Waves result;
    result.waves =
        static_cast<double>(grid_blocks) / (static_cast<double>(blocks_per_sm) * sm_count);
    result.tail_efficiency = result.waves / std::ceil(result.waves);
    return result;
}

}  // namespace warpscope
