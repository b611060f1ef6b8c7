// SPDX-License-Identifier: MIT
// How many blocks of a kernel fit on one streaming multiprocessor (SM), and what stops more from
// fitting. Our own formula and limits table, so that it needs neither CUDA nor a GPU; equal to
// NVIDIA's cuda_occupancy.h on every row of tests/engine/occupancy_rows.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

/// Threads that execute in step, on every NVIDIA GPU so far.
inline constexpr int kWarpThreads = 32;
/// Most threads in a block, on every NVIDIA GPU so far.
inline constexpr int kMaxBlockThreads = 1024;
/// Most registers that a thread can have, on every listed GPU.
inline constexpr int kMaxThreadRegisters = 255;
/// Shared memory in bytes that a block may have without asking for more.
inline constexpr int kDefaultBlockShared = 48 * 1024;

/// What one SM has to give.
struct OccupancyLimits {
    int threads_per_sm;
    int blocks_per_sm;
    int registers_per_sm;     ///< 32-bit registers
    int registers_per_block;  ///< 32-bit registers
    int shared_per_sm;        ///< bytes, at the largest carve-out
    int shared_per_block;     ///< bytes, with opt-in
    int shared_reserved;      ///< bytes that the system takes of every block's shared memory
    int shared_unit;          ///< bytes; shared memory is handed out in multiples of it
    int register_unit;        ///< registers; handed out per warp in multiples of it
    int sub_partitions;       ///< warp schedulers, each with an equal share of the registers
};

/// One compute capability.
struct GpuArch {
    int major, minor;
    std::string_view examples;  ///< well-known GPUs, e.g. "H100, H200"
    OccupancyLimits limits;
    std::span<const int> carveouts_kib;  ///< selectable shared memory per SM, ascending; KiB
};

/// Every listed compute capability, ascending.
std::span<const GpuArch> gpu_archs() noexcept;

/// Throws std::invalid_argument naming the listed ones when major.minor is not among them.
const GpuArch& find_gpu_arch(int major, int minor);

/// "8.6" to its entry. Throws std::invalid_argument on malformed text or an unlisted capability.
const GpuArch& find_gpu_arch(std::string_view compute_capability);

/// "5.0, 5.2, … 12.1", for messages.
std::string gpu_arch_list();

/// What a kernel asks for.
struct BlockNeeds {
    int threads = 256;       ///< per block, 1 to 1024
    int registers = 32;      ///< per thread, 0 (no limit from registers) to 255
    int static_shared = 0;   ///< bytes per block, at least 0
    int dynamic_shared = 0;  ///< bytes per block, at least 0
    /// Shared memory per SM in KiB, one of the GpuArch's carveouts_kib; the largest when absent.
    std::optional<int> carveout_kib = std::nullopt;
};

/// What can limit the number of resident blocks.
enum class Limiter : std::uint8_t { kWarps, kRegisters, kShared, kBlocks };

/// "warps", "registers", "shared" or "blocks".
std::string_view limiter_name(Limiter limiter) noexcept;

/// What fits. A limit is in blocks per SM; an absent one does not limit.
struct Occupancy {
    int blocks_per_sm = 0;
    int warps_per_block = 0;
    int warps_per_sm = 0;  ///< resident at once
    int max_warps_per_sm = 0;
    double occupancy = 0;  ///< warps_per_sm / max_warps_per_sm, 0 to 1
    std::optional<int> limit_warps, limit_registers, limit_shared, limit_blocks;
    std::vector<Limiter> limiters;  ///< all that allow no more than blocks_per_sm
    int idle_lanes = 0;             ///< lanes of the block's last warp without a thread, 0 to 31
};

/// Throws std::invalid_argument naming the accepted range when `needs` are out of it. A block that
/// cannot launch at all (too many registers or too much shared memory) is valid: 0 blocks fit.
Occupancy occupancy(const GpuArch& arch, const BlockNeeds& needs);

/// How a grid fills the GPU in turns of all SMs.
struct Waves {
    double waves = 0;  ///< blocks / (blocks_per_sm * sm_count)
    double tail_efficiency =
        0;  ///< waves / ceil(waves), 0 to 1; low when the last turn is nearly empty
};

/// `blocks_per_sm` as from occupancy(). Throws std::invalid_argument unless all three are positive.
Waves waves(std::int64_t grid_blocks, int blocks_per_sm, int sm_count);

/// One sentence on what limits now, e.g. "Registers and warps limit it: 6 blocks of 8 warps fit …".
std::string what_limits(const GpuArch& arch, const BlockNeeds& needs);

/// Sentences on the smallest single changes, and where none helps on its own the smallest joint
/// one, that would keep more warps resident; found by searching the formula. Empty at full
/// occupancy.
std::vector<std::string> what_would_raise(const GpuArch& arch, const BlockNeeds& needs);

/// A point of a chart: `x` is threads per block, registers per thread or bytes of shared memory.
struct OccupancyPoint {
    int x;
    Occupancy at;
};

/// Against block size: every multiple of `step` threads up to 1024. Throws as occupancy() does.
std::vector<OccupancyPoint> occupancy_by_threads(const GpuArch& arch, BlockNeeds needs,
                                                 int step = kWarpThreads);
/// Against registers per thread, 1 to 255.
std::vector<OccupancyPoint> occupancy_by_registers(const GpuArch& arch, BlockNeeds needs);
/// Against dynamic shared memory per block, 0 to the most a block may have, in steps of `step`
/// bytes.
std::vector<OccupancyPoint> occupancy_by_shared(const GpuArch& arch, BlockNeeds needs,
                                                int step = 512);

}  // namespace warpscope
