// SPDX-License-Identifier: MIT
// What overlays show: their names, the value of each block of a trace, scales, ticks and texts.
// Plain values; needs neither window nor OpenGL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/deep/view.h"
#include "render/count_differences.h"
#include "render/count_histogram.h"
#include "render/overlay.h"

namespace warpscope {

enum class OverlayKind : std::uint8_t {
    kNone,
    kIterations,
    kLanes,
    kWho,
    kPlace,
    kBlock,
    kOrder,
    kDuration,
    kXray,
    kSplit
};

struct OverlayInfo {
    OverlayKind kind;
    const char* key;    ///< on the command line
    const char* title;  ///< in menu and legend, but for the words of title_of()
    const char* about;  ///< one sentence what it is, one why it matters
};

/// All of them, in the order of the menu and of OverlayKind.
std::span<const OverlayInfo> overlay_infos();
const OverlayInfo& info(OverlayKind kind);

/// "none, iterations, …, split".
std::string overlay_keys();

/// "Who: thread": the title in the words of what computes.
std::string title_of(OverlayKind kind, TraceUnit unit);

/// The next one in the menu, round again.
OverlayKind after(OverlayKind kind);

/// Whether it shows a recorded frame; else samples alone.
constexpr bool needs_trace(OverlayKind kind) {
    return kind > OverlayKind::kIterations && kind < OverlayKind::kXray;
}

/// Whether it sets two frames of the view against each other.
constexpr bool compares(OverlayKind kind) { return kind >= OverlayKind::kXray; }

/// What must be recorded for it.
constexpr Recording recording_for(OverlayKind kind) {
    if (kind == OverlayKind::kLanes) return Recording::kPixels;
    return needs_trace(kind) ? Recording::kSpans : Recording::kOff;
}

/// How values become colours, and what stands at the ends.
struct ValueRange {
    OverlayScale scale = OverlayScale::kLinear;
    float low = 0, high = 1;
};

/// One overlay of one trace.
struct TraceValues {
    std::shared_ptr<const Trace> trace;
    OverlayKind kind = OverlayKind::kNone;
    View view;                               ///< what the trace's frame shows
    std::vector<Cell> cells;                 ///< in the order of first_cells()
    std::vector<std::int32_t> cell_to_span;  ///< index into Trace::spans; -1: none
    /// One a pixel, as Overlay::set_levels() takes them, where the trace tells more than blocks.
    std::vector<std::uint8_t> levels;
    ValueRange range;
};

/// `kind` must need a trace.
TraceValues trace_values(std::shared_ptr<const Trace> trace, OverlayKind kind);

/// The scale of a heat map of these counts.
ValueRange count_range(const CountSummary& counts);

/// Whether a trace is of a whole frame rather than of some passes of it.
bool covers_frame(const Trace& trace);

/// Whether a trace says where in the picture its blocks are: not where they take pixels as they
/// come.
bool has_places(const Trace& trace);

/// Whether two jobs show the same, up to jitter by fractions of a pixel.
bool same_picture(const FrameJob& a, const FrameJob& b);

/// What a job's frame shows.
View view_of(const FrameJob& job);

/// "thread 3", "87.5 %", "17 of 510": what span `index` of the trace has.
std::string value_text(const Trace& trace, std::size_t index, OverlayKind kind);

/// The same of a pixel by itself, an index into Trace::pixel_work.
std::string pixel_text(const Trace& trace, std::size_t pixel);

/// "tile (5, 2) on thread 3, 2.20 ms from 1.20 ms on".
std::string span_text(const Trace& trace, std::size_t index);

/// "12,345 of 921,600": in how many pixels two frames differ.
std::string difference_text(const DifferenceSummary& found);

/// A number beside the legend's bar; 0 is its left end, 1 the right.
struct LegendTick {
    float at = 0;
    std::string text;
};
/// Both ends, and round numbers between them that keep their distance.
std::vector<LegendTick> legend_ticks(OverlayKind kind, const ValueRange& range);

/// How densely counts lie: an area over the logarithm of the count.
struct CountDensity {
    double count;       ///< the middle of its interval, on a logarithmic scale
    double per_octave;  ///< share of the escaped pixels per doubling of the count
};
/// In about `intervals` of nearly equal ratio, none narrower than a bin. Empty where nothing
/// escapes.
std::vector<CountDensity> count_density(const CountSummary& counts, int intervals);

}  // namespace warpscope
