// SPDX-License-Identifier: MIT
#include "app/overlay_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format.h"

namespace warpscope {
namespace {

constexpr std::array kInfos{
    OverlayInfo{OverlayKind::kNone, "none", "None", "The picture alone."},
    OverlayInfo{OverlayKind::kIterations, "iterations", "Iterations",
                "How many steps each point took to escape, on a logarithmic scale; points that "
                "never do have a shade of their own. This is the work that the hardware has to "
                "spread."},
    OverlayInfo{OverlayKind::kLanes, "lanes", "Lane efficiency",
                "Share of the lanes' steps that did something, of the warps that each pixel was in "
                "(on a CPU of the vectors in a tile); the rest waited for a slower lane. Low where "
                "neighbours take very different numbers of steps: divergence."},
    OverlayInfo{OverlayKind::kWho, "who", "Who: ",
                "Which multiprocessor (SM), or which thread of the CPU, computed a block. Neither "
                "the order nor the place is promised: the hardware hands out blocks as units come "
                "free."},
    OverlayInfo{OverlayKind::kPlace, "place", "Who: place on its ",
                "Which of the places on its multiprocessor a block had; a CPU's thread has one. As "
                "many blocks as there are places run at once on a unit: occupancy."},
    OverlayInfo{OverlayKind::kBlock, "block", "Who: block",
                "The number of a block in its grid, row by row, as blockIdx tells it; neighbours "
                "are shaded in turn. Here the shape of the blocks is to be seen."},
    OverlayInfo{OverlayKind::kOrder, "when", "When: start order",
                "The order in which blocks started. Heavy blocks hold their place for long, so "
                "that others are handed out elsewhere meanwhile."},
    OverlayInfo{OverlayKind::kDuration, "duration", "When: duration",
                "How long each block ran, from its first instruction to its last. A launch is over "
                "when its longest block is: that is the tail."},
    OverlayInfo{
        OverlayKind::kXray, "xray", "Precision X-ray",
        "Pixels whose counts differ between two number types; the view is computed a second "
        "time when it rests. Rounding grows along an orbit, so chaos near the boundary shows "
        "it first, long before neighbouring pixels become the same number."},
    OverlayInfo{OverlayKind::kSplit, "split", "Split screen",
                "Left and right of a line that can be dragged, two processors or rungs compute the "
                "same view, live. Whatever they differ in would be marked loudly: nothing should, "
                "for one formula source is compiled for all of them."},
};

/// The least and the largest of what `of` says of the spans.
template <class Of>
ValueRange range_over(const Trace& trace, OverlayScale scale, Of of) {
    ValueRange range{scale, 0, 0};
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        const float value = of(i);
        range.low = i == 0 ? value : std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    return range;
}

float lanes_of(const Span& span) {
    return span.lane_steps > 0 ? static_cast<float>(static_cast<double>(span.executed) /
                                                    static_cast<double>(span.lane_steps))
                               : 0;
}

std::int64_t block_number(const Trace& trace, const Span& span) {
    return std::int64_t{span.y} * trace.grids[span.grid].x + span.x;
}

/// What overlay `kind` shows of span `index`, as a number.
float value_of(const Trace& trace, std::size_t index, OverlayKind kind) {
    const Span& span = trace.spans[index];
    switch (kind) {
        case OverlayKind::kLanes:
            return lanes_of(span);
        case OverlayKind::kWho:
            return static_cast<float>(span.unit);
        case OverlayKind::kPlace:
            return static_cast<float>(span.slot);
        case OverlayKind::kBlock:
            return static_cast<float>(block_number(trace, span));
        case OverlayKind::kOrder:
            return static_cast<float>(index + 1);
        case OverlayKind::kDuration:
            return static_cast<float>(span.duration_us());
        default:
            break;
    }
    return 0;
}

ValueRange range_of(const Trace& trace, OverlayKind kind) {
    constexpr float kMostDecades = 1e4f;  // one block that was over at once must not stretch it
    const auto of = [&](std::size_t i) { return value_of(trace, i, kind); };
    ValueRange range;
    switch (kind) {
        case OverlayKind::kWho:
            return {OverlayScale::kCategories, 0, static_cast<float>(trace.units - 1)};
        case OverlayKind::kPlace:
            range = range_over(trace, OverlayScale::kCategories, of);
            range.low = 0;
            return range;
        case OverlayKind::kBlock:
        case OverlayKind::kOrder:
            return range_over(trace, OverlayScale::kLinear, of);
        case OverlayKind::kDuration:
            range = range_over(trace, OverlayScale::kLog, of);
            range.high = std::max(range.high, 1e-3f);
            range.low = std::max(range.low, range.high / kMostDecades);
            return range;
        default:
            return range;
    }
}

double scaled(OverlayScale scale, double value) {
    return scale == OverlayScale::kLog ? std::log2(value) : value;
}

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
    const double unit = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * unit >= least * (1 - 1e-9)) return factor * unit;
    }
    return 10 * unit;
}

/// Whether values are whole numbers.
bool is_whole(OverlayKind kind) {
    return kind != OverlayKind::kLanes && kind != OverlayKind::kDuration;
}

/// Whether every category finds room for its number.
bool few_categories(const ValueRange& range) {
    return range.scale == OverlayScale::kCategories && range.high - range.low < 16;
}

/// Round numbers within the range, a handful.
std::vector<double> round_values(OverlayKind kind, const ValueRange& range) {
    constexpr double kWanted = 4;
    const double low = range.low, high = range.high;
    std::vector<double> values;
    if (range.scale != OverlayScale::kLog) {
        double step = round_step((high - low) / kWanted);
        if (is_whole(kind)) step = std::max(step, 1.0);
        if (few_categories(range)) step = 1;
        for (double v = std::ceil(low / step) * step; v <= high; v += step) values.push_back(v);
        return values;
    }
    const double decades = std::log10(high / low);
    const bool fine = decades < 2;
    const int stride = fine ? 1 : static_cast<int>(std::ceil(decades / (kWanted + 1)));
    for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, e) <= high;
         e += stride) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor > 1 && !fine) continue;
            values.push_back(factor * std::pow(10.0, e));
        }
    }
    return values;
}

std::string tick_text(OverlayKind kind, double value) {
    switch (kind) {
        case OverlayKind::kLanes:
            return std::to_string(std::lround(100 * value)) + " %";
        case OverlayKind::kDuration:
            return format_ms(value * 1e-3);
        default:
            return format_count(static_cast<std::uint64_t>(std::llround(value)));
    }
}

}  // namespace

std::span<const OverlayInfo> overlay_infos() { return kInfos; }

const OverlayInfo& info(OverlayKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

std::string overlay_keys() {
    std::string keys;
    for (const OverlayInfo& overlay : kInfos)
        keys += (keys.empty() ? "" : ", ") + std::string{overlay.key};
    return keys;
}

std::string title_of(OverlayKind kind, TraceUnit unit) {
    const std::string title = info(kind).title;
    if (kind == OverlayKind::kBlock) return "Who: " + std::string{span_word(unit)} + " number";
    const bool of_unit = kind == OverlayKind::kWho || kind == OverlayKind::kPlace;
    return of_unit ? title + std::string{unit_word(unit)} : title;
}

OverlayKind after(OverlayKind kind) {
    return kInfos[(static_cast<std::size_t>(kind) + 1) % kInfos.size()].kind;
}

TraceValues trace_values(std::shared_ptr<const Trace> recorded, OverlayKind kind) {
    const Trace& trace = *recorded;
    const std::vector<std::size_t> first = first_cells(trace);
    TraceValues values;
    values.kind = kind;
    values.view = view_of(trace.job);
    values.range = range_of(trace, kind);
    values.cells.resize(first.back());
    values.cell_to_span.assign(first.back(), -1);
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        const Span& span = trace.spans[i];
        const std::size_t at =
            first[span.grid] + static_cast<std::size_t>(block_number(trace, span));
        const bool has_value = kind != OverlayKind::kLanes || span.lane_steps > 0;
        const bool shaded = kind == OverlayKind::kBlock && (span.x + span.y) % 2 != 0;
        values.cells[at] = {
            .value = value_of(trace, i, kind),
            .flags = (has_value ? Cell::kHasValue : 0) | (shaded ? Cell::kShaded : 0),
            .start_us = static_cast<float>(span.start_us),
            .end_us = static_cast<float>(span.end_us)};
        values.cell_to_span[at] = static_cast<std::int32_t>(i);
    }
    if (kind == OverlayKind::kLanes) {
        values.levels.reserve(trace.pixel_work.size());
        for (const PixelWork& work : trace.pixel_work) {
            values.levels.push_back(work.lane_steps > 0
                                        ? level_of(std::min(work.executed / work.lane_steps, 1.0f))
                                        : kNoLevel);
        }
    }
    values.trace = std::move(recorded);
    return values;
}

ValueRange count_range(const CountSummary& counts) {
    const auto low = static_cast<float>(std::max(counts.least, 1u));
    return {OverlayScale::kLog, low, std::max(static_cast<float>(counts.most), low + 1)};
}

bool covers_frame(const Trace& trace) {
    std::int64_t pixels = 0;
    for (const TraceGrid& grid : trace.grids) {
        if (!grid.part) return true;  // of some passes alone nothing is packed
        pixels += grid.part->pixels();
    }
    return pixels >= std::int64_t{trace.job.width} * trace.job.height;
}

bool has_places(const Trace& trace) {
    return std::ranges::any_of(trace.grids,
                               [](const TraceGrid& grid) { return grid.part.has_value(); });
}

bool same_picture(const FrameJob& a, const FrameJob& b) {
    const double dx = std::abs(a.shift_x - b.shift_x), dy = std::abs(a.shift_y - b.shift_y);
    FrameJob moved = a;
    moved.shift_x = b.shift_x;
    moved.shift_y = b.shift_y;
    return moved == b && dx < 1 && dy < 1;
}

View view_of(const FrameJob& job) {
    constexpr double kHeights = 4;  // of the plane, at zoom 1
    return {BigFloat{job.center_re} + BigFloat{job.shift_x} * BigFloat{job.spacing},
            BigFloat{job.center_im} - BigFloat{job.shift_y} * BigFloat{job.spacing},
            BigFloat{kHeights} / (BigFloat{job.spacing} * BigFloat{double(job.height)})};
}

std::string value_text(const Trace& trace, std::size_t index, OverlayKind kind) {
    const Span& span = trace.spans[index];
    switch (kind) {
        case OverlayKind::kLanes:
            if (span.lane_steps == 0) return "no steps";
            return format_percent(static_cast<double>(lanes_of(span)));
        case OverlayKind::kWho:
            return std::string{unit_word(trace.unit)} + " " + std::to_string(span.unit);
        case OverlayKind::kPlace:
            return "place " + std::to_string(span.slot);
        case OverlayKind::kBlock:
            return std::string{span_word(trace.unit)} + " " +
                   format_count(static_cast<std::uint64_t>(block_number(trace, span)));
        case OverlayKind::kOrder:
            return format_count(index + 1) + " of " + format_count(trace.spans.size());
        case OverlayKind::kDuration:
            return format_ms(span.duration_us() * 1e-3);
        default:
            break;
    }
    return {};
}

std::string pixel_text(const Trace& trace, std::size_t pixel) {
    const PixelWork& work = trace.pixel_work[pixel];
    if (work.lane_steps <= 0) return "no steps";
    return format_percent(static_cast<double>(work.executed / work.lane_steps));
}

std::string span_text(const Trace& trace, std::size_t index) {
    const Span& span = trace.spans[index];
    return std::string{span_word(trace.unit)} + " (" + std::to_string(span.x) + ", " +
           std::to_string(span.y) + ") on " + std::string{unit_word(trace.unit)} + " " +
           std::to_string(span.unit) + ", " + format_ms(span.duration_us() * 1e-3) + " from " +
           format_ms(span.start_us * 1e-3) + " on";
}

std::string difference_text(const DifferenceSummary& found) {
    return format_count(found.differing) + " of " + format_count(found.pixels);
}

std::vector<LegendTick> legend_ticks(OverlayKind kind, const ValueRange& range) {
    const double low = range.low, high = range.high;
    const bool categories = range.scale == OverlayScale::kCategories;
    const double from = scaled(range.scale, low), to = scaled(range.scale, high);
    const float apart = few_categories(range) ? 0 : 0.24f;
    const auto place = [&](double value) {
        if (categories) return static_cast<float>((value + 0.5 - low) / (high - low + 1));
        return static_cast<float>(to > from ? (scaled(range.scale, value) - from) / (to - from)
                                            : 0);
    };
    std::vector<LegendTick> ticks{{place(low), tick_text(kind, low)}};
    if (!(high > low)) return ticks;
    const float end = place(high);
    for (const double value : round_values(kind, range)) {
        const float at = place(value);
        if (value <= low || value >= high) continue;
        if (at - ticks.back().at < apart || end - at < apart) continue;
        ticks.push_back({at, tick_text(kind, value)});
    }
    ticks.push_back({end, tick_text(kind, high)});
    return ticks;
}

std::vector<CountDensity> count_density(const CountSummary& counts, int intervals) {
    std::vector<CountDensity> density;
    const auto escaped = static_cast<double>(counts.escaped());
    if (escaped == 0) return density;
    const double all = (counts.most + 1.0) / counts.least;
    const double ratio = std::pow(all, 1.0 / intervals);
    const std::size_t last = count_bin(counts.most);
    for (std::size_t bin = count_bin(counts.least); bin <= last;) {
        const auto from = static_cast<double>(first_count(bin));
        double pixels = 0, to = from;
        do {
            pixels += counts.bins[bin];
            to = static_cast<double>(first_count(++bin));
        } while (bin <= last && static_cast<double>(first_count(bin + 1)) <= from * ratio);
        density.push_back({std::sqrt(from * to), pixels / escaped / std::log2(to / from)});
    }
    return density;
}

}  // namespace warpscope
