// SPDX-License-Identifier: MIT
// Who computed which block of a frame, where, when and how well: a recording, and what follows from
// it. Plain values and pure functions; needs neither clock nor GPU.
//
// A span is one block of threads on one streaming multiprocessor (SM), or one tile on one worker
// thread. Times are microseconds from the first start of the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/timing.h"

namespace warpscope {

/// What runs spans.
enum class TraceUnit : std::uint8_t { kThread, kMultiprocessor };

/// "thread" or "SM".
std::string_view unit_word(TraceUnit unit) noexcept;
/// What a span is there: "tile" or "block".
std::string_view span_word(TraceUnit unit) noexcept;

/// Blocks that are numbered together: those of one launch, or a CPU's tiles of one part.
struct TraceGrid {
    int x = 0, y = 0;  ///< blocks, at least 1 each
    /// The pixels that they cover, block (0, 0) at the upper left; absent where blocks take pixels
    /// from all over the frame (packed orbits).
    std::optional<Part> part;
    int warps = 1;  ///< of each block; 1 for tiles
    bool operator==(const TraceGrid&) const = default;
};

/// One block or tile, from its first instruction to its last.
struct Span {
    std::uint32_t grid = 0;        ///< index into Trace::grids
    std::int32_t x = 0, y = 0;     ///< block within that grid
    std::int32_t unit = 0;         ///< SM or worker thread, from 0
    std::int32_t slot = 0;         ///< place on the unit; spans of one place never overlap
    double start_us = 0;           ///< its first instruction; at least 0
    double end_us = 0;             ///< at least start_us
    std::uint64_t executed = 0;    ///< iterations executed, as in FrameStats
    std::uint64_t lane_steps = 0;  ///< as in FrameStats
    /// Time that its warps were there, added up: they end before their block does. A tile's time.
    double warp_us = 0;
    /// Where the hardware put its first warp on the SM (%warpid); 0 for tiles.
    std::int32_t first_warp = 0;
    /// Since when it had its place, at most start_us. What is placed on a busy SM waits for its
    /// first instruction as long as older warps keep the schedulers busy. Set by arrange().
    double placed_us = 0;
    double duration_us() const noexcept { return end_us - start_us; }
    bool operator==(const Span&) const = default;
};

/// What the warps did that a pixel was in, until it was done: with shortcuts or packed orbits its
/// count does not tell.
struct PixelWork {
    float executed = 0, lane_steps = 0;  ///< of the whole warp, as in FrameStats
    bool operator==(const PixelWork&) const = default;
};

/// One recorded frame.
struct Trace {
    std::string backend, device, detail;  ///< as in BackendInfo
    std::string kernel;                   ///< "escape_blocks<Mandelbrot, float>", "AVX3, refill"
    FrameJob job;
    BlockShape shape;  ///< threads of a block, or pixels of a tile
    TraceUnit unit = TraceUnit::kThread;
    int units = 0;  ///< SMs or worker threads that there are, idle ones included
    /// Spans that fit on a unit at once (1 on a thread, for SMs see occupancy.h); where known. A
    /// few more may overlap: a GPU starts a block when enough warps of others have ended.
    std::optional<int> slots;
    /// Most warps that an SM of this device can hold; absent for threads, and where not known.
    std::optional<int> unit_warps;
    double kernel_ms = 0;  ///< the frame's FrameStats::kernel_ms: another clock than the spans'
    std::vector<TraceGrid> grids;
    std::vector<Span> spans;  ///< ordered by start_us, the first at 0
    /// One a pixel of the job, row by row, or none. Never in files.
    std::vector<PixelWork> pixel_work = {};
};

/// What is impossible about `trace`, a sentence; empty where nothing is. Every function below needs
/// a trace without problem.
std::string trace_problem(const Trace& trace);

/// Most spans that are recorded of a frame: a block for every 32 pixels of 3840 x 2160.
inline constexpr std::size_t kMostSpans = std::size_t{1} << 18;

/// Orders the spans of a fresh trace by start, moves all times so that the first start is 0, and
/// gives every block a place on its SM, the one that has been free for longest. No device tells
/// places, nor since when a block has had its own: blocks are taken to come as soon as one is free
/// and the launch before has ended. [Greedy interval partitioning]
void arrange(Trace& trace);

/// The pixels of a span; absent where its grid has no part, or the span no pixel of it.
std::optional<Part> region(const Trace& trace, const Span& span);

/// From the first start to the last end, in microseconds; 0 without spans.
double span_us(const Trace& trace) noexcept;

/// Durations of all spans, added up, in microseconds.
double sum_us(const Trace& trace) noexcept;

/// Durations in microseconds, one a span, in the trace's order.
std::vector<double> durations_us(const Trace& trace);

/// Iterations executed / lane steps, 0 to 1; 0 without steps. FrameStats::lane_efficiency() of the
/// frame.
double lane_efficiency(const Trace& trace) noexcept;

/// What one unit did.
struct UnitUse {
    int spans = 0;
    double active_us = 0;    ///< time with at least one span: the union of their intervals
    double resident_us = 0;  ///< durations added up
    /// Time that warps were resident, added up: from their block's placed_us to their own end.
    double warp_us = 0;
};
/// One a unit.
std::vector<UnitUse> unit_uses(const Trace& trace);

/// active_us / span_us of the trace, 0 to 1: the busy share; what is left is idle.
double busy_share(const UnitUse& use, const Trace& trace) noexcept;

/// Mean of the units' busy shares, 0 to 1. 1 minus it is the idle share.
double busy_share(const Trace& trace);

/// The end of a launch, when some units have nothing left to start and others still run.
struct Tail {
    /// When a unit first lost a span and nothing of the launch took its place any more; the
    /// launch's first start where a unit had no span of it at all.
    double start_us = 0;
    double end_us = 0;  ///< the last end of the launch
    double duration_us() const noexcept { return end_us - start_us; }
    bool operator==(const Tail&) const = default;
};
/// One for each grid that has spans, in the order of the grids.
std::vector<Tail> tails(const Trace& trace);

/// From `us` on so much is resident.
struct ConcurrencyStep {
    double us;
    int warps;
    bool operator==(const ConcurrencyStep&) const = default;
};
/// Resident warps (on threads: tiles) over time as a step curve, on one unit or on all; the last
/// step is to 0. Neighbouring steps differ. Warps count until their block ends, as their place on
/// the SM is not given away before. Empty without spans.
std::vector<ConcurrencyStep> concurrency(const Trace& trace,
                                         std::optional<int> unit = std::nullopt);

/// Most spans at once on any unit.
int most_resident(const Trace& trace);

/// blocks / (units x spans that fit on one), as in occupancy.h, of the largest grid; with
/// most_resident() where Trace::slots is not known. Absent without spans.
std::optional<Waves> waves(const Trace& trace);

/// Resident warps / unit_warps, averaged over the time in which a unit had any, 0 to 1; a warp is
/// resident from Span::placed_us until it ends itself. [The definition of Nsight Compute's
/// sm__warps_active.avg.pct_of_peak_sustained_active.] Absent where unit_warps is.
std::optional<double> achieved_occupancy(const Trace& trace);

/// slots x warps of a block / unit_warps, of the largest grid: what the formula of occupancy.h
/// says. Absent where one of them is.
std::optional<double> theoretical_occupancy(const Trace& trace);

/// Warps (on threads: tiles) that a unit held, averaged over all units and over each of `bins` >= 1
/// equal parts of span_us. A span's warps are there as for achieved_occupancy(); when each of them
/// ended is not recorded, so that their time is spread evenly over the span's. All 0 without spans.
std::vector<double> resident_over_time(const Trace& trace, int bins);

/// Values in [from, to), in the last bin also those that equal `to`.
struct HistogramBin {
    double from, to;
    std::size_t count;
};
/// `bins` >= 1 of equal width from the smallest to the largest of `values`, which are finite. One
/// bin where all are equal, none without values.
std::vector<HistogramBin> histogram(const std::vector<double>& values, int bins);

/// All of it in figures.
struct TraceSummary {
    std::size_t spans = 0;
    double span_us = 0, sum_us = 0;
    double busy = 0, least_busy = 0, most_busy = 0;  ///< shares of the units: mean, extremes
    double mean_warps = 0;  ///< that run on all units (tiles on threads), averaged over span_us
    std::vector<Tail> tails;
    double tail_us = 0, tail_share = 0;  ///< of all tails together; 0 to 1 of span_us
    std::optional<Waves> waves;
    double lane_efficiency = 0;
    std::optional<double> achieved_occupancy;
    Distribution durations_us;
};
TraceSummary summarize(const Trace& trace);

}  // namespace warpscope
