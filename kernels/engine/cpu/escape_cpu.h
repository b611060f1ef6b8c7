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

/// What a loop hears and tells while it runs; shared by all parts of a frame.
struct Signals {
    static constexpr std::uint64_t kPixel = 1 << 16;  ///< `done` of one pixel
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};  ///< of all parts, those that run included
};

/// Tells how far one part is, never backwards.
class PartProgress {
  public:
    explicit PartProgress(Signals& signals) : signals_{signals} {}
    /// `pixels` are finished; `running` others have taken `steps` of `limit` steps at least.
    void tell(std::uint64_t pixels, std::uint64_t running, std::uint64_t steps,
              std::uint64_t limit) {
        const std::uint64_t done =
            Signals::kPixel * pixels + Signals::kPixel * running * steps / limit;
        if (done <= told_) return;
        signals_.done.fetch_add(done - told_, std::memory_order_relaxed);
        told_ = done;
    }

  private:
    Signals& signals_;
    std::uint64_t told_ = 0;
};

/// Fills `part` of the frame at `samples` (row-major, job.width per row). Ends early, with the rest
/// unwritten, soon after `signals.stop` becomes true. Adds the part's pixels to `signals.done`,
/// fractions of those that take long too.
using EscapePart = Work (*)(const FrameJob& job, const Method& method, const Part& part,
                            Sample* samples, Signals& signals);

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
