// SPDX-License-Identifier: MIT
// The CPU's escape loops, dispatched at run time to the best instruction set of this processor.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

/// What a part took; the fields are those of FrameStats.
struct Work {
    std::uint64_t iterations = 0, executed = 0, lane_steps = 0;
};

/// Fills `part` of the frame at `samples` (row-major, job.width per row). Ends early, with the rest
/// unwritten, soon after `stop` becomes true.
using EscapePart = Work (*)(const FrameJob& job, const Method& method, const Part& part,
                            Sample* samples, const std::atomic<bool>& stop);

/// One pixel at a time.
EscapePart escape_part_scalar();
/// Several vectors of pixels at a time.
EscapePart escape_part_simd();

/// The instruction set that both use: "AVX3", "AVX2", "SSE4", "NEON", …
std::string simd_target_name();

/// One instruction set of this program that this processor runs; for tests that compare them.
struct SimdTarget {
    std::string name;
    bool has_fma;  ///< without it counts may differ from the scalar reference
    EscapePart scalar, simd;
};
std::vector<SimdTarget> simd_targets();

}  // namespace warpscope
