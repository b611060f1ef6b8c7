// SPDX-License-Identifier: MIT
// One frame from start to end, for whoever measures, and proof that it was computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>

#include "kernels/engine/backend.h"

namespace warpscope {

/// How a frame ended.
enum class FrameEnd : std::uint8_t { kDone, kStopped, kTooLong };

/// Computes all of `job` into `samples` (host memory from the backend's allocate_host()). Looks at
/// `stop` and the clock every few milliseconds, and gives up after `patience_ms`.
FrameEnd run_frame(Backend& backend, const FrameJob& job, const Tuning& tuning, Sample* samples,
                   const std::stop_token& stop,
                   double patience_ms = std::numeric_limits<double>::infinity());

std::size_t pixel_count(const FrameJob& job) noexcept;

/// [Fowler, Noll, Vo: FNV-1a, 64 bits], over the counts' 32-bit words.
std::uint64_t hash_counts(std::span<const Sample> samples) noexcept;

/// Overwrites them with counts that no frame has: nobody may look right because the one before left
/// its counts behind.
void poison(std::span<Sample> samples) noexcept;

}  // namespace warpscope
