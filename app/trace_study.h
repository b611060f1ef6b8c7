// SPDX-License-Identifier: MIT
// A trace with all that views of it need, worked out once and away from the main thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/engine/trace.h"

namespace warpscope {

/// Which block of a trace, whatever its span's index: the next frame's trace has it again.
struct BlockId {
    std::uint32_t grid = 0;
    std::int32_t y = 0, x = 0;
    auto operator<=>(const BlockId&) const = default;
};

/// As many blocks of a grid as all units can hold, in the order of their starts, are a wave.
struct WaveStart {
    double us = 0;           ///< when its first block started
    std::uint32_t wave = 0;  ///< within its grid, from 1; 0 where a later grid begins
};

inline constexpr int kResidentBins = 240;

struct TraceStudy {
    Trace trace;
    TraceSummary summary;
    int slots = 1;                       ///< places on a unit that spans had
    std::vector<std::uint32_t> order;    ///< spans by unit, slot and start
    std::vector<std::uint32_t> rows;     ///< where each unit's begin in `order`, and the end of all
    std::vector<std::uint32_t> waves;    ///< of each span, from 0
    std::vector<WaveStart> wave_starts;  ///< in order of time, without the very first
    std::vector<std::uint32_t> by_block;  ///< spans by BlockId
    double short_us = 0, long_us = 0;     ///< one duration in twenty is shorter, one is longer
    std::vector<double> resident;         ///< resident_over_time(), in kResidentBins parts
    std::optional<double> achieved, theoretical;  ///< occupancies, 0 to 1; of GPUs
};

/// `trace` must be in order and without problem.
std::shared_ptr<const TraceStudy> study(Trace trace);

BlockId block_of(const Span& span) noexcept;

/// Share of the lanes' steps that did something, 0 to 1; 0 without steps.
double lane_efficiency(const Span& span) noexcept;

/// The span of a block, an index into Trace::spans; absent where the trace has none.
std::optional<std::size_t> span_of(const TraceStudy& study, const BlockId& block);

/// The block that computed pixel (x, y) of the trace's frame, or its neighbour where only every
/// n-th was asked for; of several grids the last. Absent where none says that it was there.
std::optional<BlockId> block_at(const Trace& trace, int x, int y);

}  // namespace warpscope
