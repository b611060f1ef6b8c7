// SPDX-License-Identifier: MIT
// The CPU's escape loops, dispatched at run time to the best instruction set of this processor.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/math/sample.h"

namespace warpscope {

/// Pixels [x0, x1) x [y0, y1) of a frame.
struct PixelRect {
    int x0, y0, x1, y1;
};

/// Fills `rect` of the frame at `samples` (row-major, job.width per row) and returns the iterations
/// executed for those pixels. Ends early, with the rest unwritten, soon after `stop` becomes true.
using EscapeRect = std::uint64_t (*)(const FrameJob& job, PixelRect rect, Sample* samples,
                                     const std::atomic<bool>& stop);

/// One pixel at a time.
EscapeRect escape_rect_scalar();
/// Several vectors of pixels at a time.
EscapeRect escape_rect_simd();

/// The instruction set that both use: "AVX3", "AVX2", "SSE4", "NEON", …
std::string simd_target_name();

/// One instruction set of this program that this processor runs; for tests that compare them.
struct SimdTarget {
    std::string name;
    bool has_fma;  ///< without it counts may differ from the scalar reference
    EscapeRect scalar, simd;
};
std::vector<SimdTarget> simd_targets();

}  // namespace warpscope
