// SPDX-License-Identifier: MIT
#include "app/trace_study.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace warpscope {
namespace {

std::vector<std::uint32_t> all_spans(const Trace& trace) {
    std::vector<std::uint32_t> spans(trace.spans.size());
    std::iota(spans.begin(), spans.end(), 0u);
    return spans;
}

/// Rows of units, in them places, in them time.
void sort_into_rows(TraceStudy& result) {
    const Trace& trace = result.trace;
    result.order = all_spans(trace);
    std::ranges::stable_sort(result.order, {}, [&trace](std::uint32_t i) {
        return std::pair{trace.spans[i].unit, trace.spans[i].slot};
    });
    result.rows.assign(static_cast<std::size_t>(trace.units) + 1, 0);
    for (const Span& span : trace.spans) {
        ++result.rows[static_cast<std::size_t>(span.unit) + 1];
        result.slots = std::max(result.slots, span.slot + 1);
    }
    std::partial_sum(result.rows.begin(), result.rows.end(), result.rows.begin());
}

void number_waves(TraceStudy& result) {
    const Trace& trace = result.trace;
    const int fit = trace.slots ? *trace.slots : std::max(most_resident(trace), 1);
    const auto capacity = static_cast<std::uint32_t>(fit * trace.units);
    std::vector<std::uint32_t> started(trace.grids.size(), 0);
    result.waves.reserve(trace.spans.size());
    for (const Span& span : trace.spans) {
        std::uint32_t& count = started[span.grid];
        const std::uint32_t wave = count / capacity;
        if (count++ % capacity == 0 && !result.waves.empty()) {
            result.wave_starts.push_back({span.start_us, wave});
        }
        result.waves.push_back(wave);
    }
}

void find_usual_durations(TraceStudy& result) {
    std::vector<double> durations = durations_us(result.trace);
    if (durations.empty()) return;
    const auto at = [&durations](std::size_t twentieths) {
        const auto place = durations.begin() +
                           static_cast<std::ptrdiff_t>((durations.size() - 1) * twentieths / 20);
        std::ranges::nth_element(durations, place);
        return *place;
    };
    result.short_us = at(1);
    result.long_us = at(19);
}

}  // namespace

std::shared_ptr<const TraceStudy> study(Trace trace) {
    auto result = std::make_shared<TraceStudy>();
    result->trace = std::move(trace);
    result->summary = summarize(result->trace);
    sort_into_rows(*result);
    number_waves(*result);
    find_usual_durations(*result);
    result->resident = resident_over_time(result->trace, kResidentBins);
    result->achieved = achieved_occupancy(result->trace);
    result->theoretical = theoretical_occupancy(result->trace);
    result->by_block = all_spans(result->trace);
    std::ranges::stable_sort(result->by_block, {}, [&result](std::uint32_t i) {
        return block_of(result->trace.spans[i]);
    });
    return result;
}

BlockId block_of(const Span& span) noexcept { return {span.grid, span.y, span.x}; }

double lane_efficiency(const Span& span) noexcept {
    if (span.lane_steps == 0) return 0;
    return static_cast<double>(span.executed) / static_cast<double>(span.lane_steps);
}

std::optional<std::size_t> span_of(const TraceStudy& study, const BlockId& block) {
    const std::vector<Span>& spans = study.trace.spans;
    const auto found = std::ranges::lower_bound(
        study.by_block, block, {}, [&](std::uint32_t i) { return block_of(spans[i]); });
    if (found == study.by_block.end() || block_of(spans[*found]) != block) return std::nullopt;
    return *found;
}

std::optional<BlockId> block_at(const Trace& trace, int x, int y) {
    for (std::size_t i = trace.grids.size(); i-- > 0;) {
        const std::optional<Part>& part = trace.grids[i].part;
        if (!part || x < part->x0 || x >= part->x1 || y < part->y0 || y >= part->y1) continue;
        return BlockId{static_cast<std::uint32_t>(i),
                       (y - part->y0) / (trace.shape.y * part->step_y),
                       (x - part->x0) / (trace.shape.x * part->step_x)};
    }
    return std::nullopt;
}

}  // namespace warpscope
