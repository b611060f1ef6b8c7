// SPDX-License-Identifier: MIT
#include "kernels/engine/trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

constexpr double kMostUs = 1e15;  // thirty years: sums of such times are still numbers

std::string grid_problem(const Trace& trace, const TraceGrid& grid) {
    if (grid.x < 1 || grid.y < 1) return "has no blocks";
    if (grid.warps < 1 || grid.warps > 32) return "has blocks of other than 1 to 32 warps";
    if (!grid.part) return {};
    constexpr int kMaxStep = 32768;  // the largest frame's edge
    if (grid.part->step_x > kMaxStep || grid.part->step_y > kMaxStep) return "has steps over 32768";
    try {
        check_parts(trace.job, {&*grid.part, 1});
    } catch (const BackendError& error) {
        return error.what();
    }
    return {};
}

std::string span_problem(const Trace& trace, const Span& span) {
    if (span.grid >= trace.grids.size()) return "is of a grid that is not there";
    const TraceGrid& grid = trace.grids[span.grid];
    if (span.x < 0 || span.x >= grid.x || span.y < 0 || span.y >= grid.y) {
        return "is block (" + std::to_string(span.x) + ", " + std::to_string(span.y) +
               ") of a grid of " + std::to_string(grid.x) + "x" + std::to_string(grid.y);
    }
    if (span.unit < 0 || span.unit >= trace.units) {
        return "ran on unit " + std::to_string(span.unit) + " of " + std::to_string(trace.units);
    }
    if (span.slot < 0 || span.slot >= kMaxBlockThreads) return "has a slot that is not 0 to 1023";
    if (!(span.start_us >= 0 && std::isfinite(span.end_us) && span.end_us <= kMostUs)) {
        return "has times that are not finite, or before the first start, or over thirty years";
    }
    if (!(span.placed_us >= 0 && span.placed_us <= span.start_us)) {
        return "was placed before the first start or after its own";
    }
    if (!(span.warp_us >= 0 && span.warp_us <= kMostUs)) return "has warps of no finite time";
    return span.end_us < span.start_us ? "ends before it starts" : "";
}

std::string header_problem(const Trace& trace) {
    constexpr int kMostUnits = 65536;
    try {
        check_job(trace.job);
    } catch (const BackendError& error) {
        return error.what();
    }
    if (trace.units < 1 || trace.units > kMostUnits) return "units must be 1 to 65536";
    if (trace.shape.x < 1 || trace.shape.x > 1024 || trace.shape.y < 1 || trace.shape.y > 1024) {
        return "the block's edges must be 1 to 1024";
    }
    if (trace.slots.value_or(1) < 1 || trace.slots.value_or(1) > kMaxBlockThreads) {
        return "slots must be 1 to 1024";
    }
    if (trace.unit_warps.value_or(1) < 1 || trace.unit_warps.value_or(1) > kMaxBlockThreads) {
        return "the warps of a unit must be 1 to 1024";
    }
    if (!(trace.kernel_ms >= 0 && trace.kernel_ms * 1e3 <= kMostUs)) {
        return "the kernel's time must be at least 0, and at most thirty years";
    }
    return {};
}

/// Spans of a grid that fit on a unit at once.
std::size_t places_for(const Trace& trace, const TraceGrid& grid) {
    const bool main = trace.grids.front().warps == grid.warps;
    if (trace.slots && (main || !trace.unit_warps)) return index(*trace.slots);
    return index(std::max(trace.unit_warps.value_or(kMaxBlockThreads) / grid.warps, 1));
}

/// When the first span of each grid may have come: launches of a frame follow each other.
std::vector<double> launch_times(const Trace& trace) {
    std::vector<double> ends(trace.grids.size(), 0);
    for (const Span& span : trace.spans) {
        ends[span.grid] = std::max(ends[span.grid], span.end_us);
    }
    std::vector<double> starts(ends.size(), 0);
    for (std::size_t grid = 1; grid < starts.size(); ++grid) {
        starts[grid] = std::max(starts[grid - 1], ends[grid - 1]);
    }
    return starts;
}

void assign_places(Trace& trace) {
    const std::vector<double> launched = launch_times(trace);
    std::vector<std::vector<double>> free_since(index(trace.units));
    for (Span& span : trace.spans) {
        std::vector<double>& places = free_since[index(span.unit)];
        const std::size_t fit = places_for(trace, trace.grids[span.grid]);
        if (places.size() < fit) places.resize(fit, 0);
        auto place = std::min_element(places.begin(), places.end());
        if (*place > span.start_us) place = places.insert(places.end(), span.start_us);
        span.slot = static_cast<std::int32_t>(place - places.begin());
        span.placed_us = std::min(std::max(*place, launched[span.grid]), span.start_us);
        *place = span.end_us;
    }
}

/// The units' busy shares.
std::vector<double> busy_shares(const Trace& trace) {
    std::vector<double> shares;
    for (const UnitUse& use : unit_uses(trace)) shares.push_back(busy_share(use, trace));
    return shares;
}

std::int64_t blocks_of(const TraceGrid& grid) { return std::int64_t{grid.x} * grid.y; }

/// Of a trace that has grids.
const TraceGrid& largest_grid(const Trace& trace) {
    return *std::ranges::max_element(trace.grids, {}, blocks_of);
}

/// Warps times microseconds that a span took room on its unit.
double resident_us(const Trace& trace, const Span& span) {
    return span.warp_us + (span.start_us - span.placed_us) * trace.grids[span.grid].warps;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

bool Backend::record(Recording) { return false; }
std::optional<Trace> Backend::take_trace() { return std::nullopt; }

std::string_view unit_word(TraceUnit unit) noexcept {
    return unit == TraceUnit::kThread ? "thread" : "SM";
}

std::string_view span_word(TraceUnit unit) noexcept {
    return unit == TraceUnit::kThread ? "tile" : "block";
}

std::string trace_problem(const Trace& trace) {
    std::string problem = header_problem(trace);
    if (!problem.empty()) return problem;
    for (std::size_t i = 0; i < trace.grids.size(); ++i) {
        problem = grid_problem(trace, trace.grids[i]);
        if (!problem.empty()) return "grid " + std::to_string(i) + ": " + problem;
    }
    double last = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        const Span& span = trace.spans[i];
        problem = span_problem(trace, span);
        if (problem.empty() && span.start_us < last) problem = "starts before the one before it";
        if (problem.empty() && i == 0 && span.start_us > 0) problem = "does not start at 0";
        if (!problem.empty()) return "span " + std::to_string(i) + " " + problem;
        last = span.start_us;
    }
    return {};
}

void arrange(Trace& trace) {
    std::stable_sort(trace.spans.begin(), trace.spans.end(),
                     [](const Span& a, const Span& b) { return a.start_us < b.start_us; });
    const double first = trace.spans.empty() ? 0 : trace.spans.front().start_us;
    for (Span& span : trace.spans) {
        span.start_us -= first;
        span.end_us -= first;
    }
    for (Span& span : trace.spans) span.placed_us = span.start_us;
    if (trace.unit == TraceUnit::kMultiprocessor) assign_places(trace);
}

std::optional<Part> region(const Trace& trace, const Span& span) {
    const std::optional<Part>& part = trace.grids[span.grid].part;
    if (!part) return std::nullopt;
    if (span.x >= part->columns() || span.y >= part->rows()) return std::nullopt;
    const std::int64_t wide = std::int64_t{trace.shape.x} * part->step_x;
    const std::int64_t high = std::int64_t{trace.shape.y} * part->step_y;
    const std::int64_t x = part->x0 + span.x * wide, y = part->y0 + span.y * high;
    if (x >= part->x1 || y >= part->y1) return std::nullopt;
    return Part{static_cast<int>(x),
                static_cast<int>(y),
                static_cast<int>(std::min<std::int64_t>(x + wide, part->x1)),
                static_cast<int>(std::min<std::int64_t>(y + high, part->y1)),
                part->step_x,
                part->step_y};
}

double span_us(const Trace& trace) noexcept {
    double end = 0;
    for (const Span& span : trace.spans) end = std::max(end, span.end_us);
    return end;
}

double sum_us(const Trace& trace) noexcept {
    double sum = 0;
    for (const Span& span : trace.spans) sum += span.duration_us();
    return sum;
}

std::vector<double> durations_us(const Trace& trace) {
    std::vector<double> durations;
    durations.reserve(trace.spans.size());
    for (const Span& span : trace.spans) durations.push_back(span.duration_us());
    return durations;
}

double lane_efficiency(const Trace& trace) noexcept {
    double executed = 0, lane_steps = 0;
    for (const Span& span : trace.spans) {
        executed += static_cast<double>(span.executed);
        lane_steps += static_cast<double>(span.lane_steps);
    }
    return lane_steps > 0 ? executed / lane_steps : 0;
}

std::vector<UnitUse> unit_uses(const Trace& trace) {
    std::vector<UnitUse> uses(index(trace.units));
    std::vector<double> covered(uses.size(), 0);
    for (const Span& span : trace.spans) {
        const std::size_t unit = index(span.unit);
        UnitUse& use = uses[unit];
        ++use.spans;
        use.resident_us += span.duration_us();
        use.warp_us += resident_us(trace, span);
        use.active_us += std::max(0.0, span.end_us - std::max(span.placed_us, covered[unit]));
        covered[unit] = std::max(covered[unit], span.end_us);
    }
    return uses;
}

double busy_share(const UnitUse& use, const Trace& trace) noexcept {
    const double all = span_us(trace);
    return all > 0 ? std::min(use.active_us / all, 1.0) : 0;
}

double busy_share(const Trace& trace) { return mean(busy_shares(trace)); }

std::vector<Tail> tails(const Trace& trace) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    struct Launch {
        double first_start = kNever, end = 0;
        std::vector<double> last_start;  // of each unit; -1: it had nothing
    };
    std::vector<Launch> launches(trace.grids.size());
    for (const Span& span : trace.spans) {
        Launch& launch = launches[span.grid];
        launch.last_start.resize(index(trace.units), -1);
        launch.first_start = std::min(launch.first_start, span.start_us);
        launch.end = std::max(launch.end, span.end_us);
        launch.last_start[index(span.unit)] = span.start_us;
    }
    std::vector<double> start(launches.size(), kNever);
    for (const Span& span : trace.spans) {
        const double last = launches[span.grid].last_start[index(span.unit)];
        // What ended as the last one started made room for it.
        if (span.end_us <= last && span.start_us != last) continue;
        start[span.grid] = std::min(start[span.grid], span.end_us);
    }
    std::vector<Tail> result;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Launch& launch = launches[i];
        if (launch.last_start.empty()) continue;
        const bool left_out = std::ranges::find(launch.last_start, -1) != launch.last_start.end();
        result.push_back({left_out ? launch.first_start : start[i], launch.end});
    }
    return result;
}

std::vector<ConcurrencyStep> concurrency(const Trace& trace, std::optional<int> unit) {
    std::vector<std::pair<double, int>> changes;
    for (const Span& span : trace.spans) {
        if (unit && span.unit != *unit) continue;
        const int warps = trace.grids[span.grid].warps;
        changes.emplace_back(span.placed_us, warps);
        changes.emplace_back(span.end_us, -warps);
    }
    std::sort(changes.begin(), changes.end());
    std::vector<ConcurrencyStep> steps;
    int resident = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        resident += changes[i].second;
        const bool more = i + 1 < changes.size() && changes[i + 1].first == changes[i].first;
        if (more || resident == (steps.empty() ? 0 : steps.back().warps)) continue;
        steps.push_back({changes[i].first, resident});
    }
    return steps;
}

int most_resident(const Trace& trace) {
    struct Change {
        double us;
        int by;  // ends come before starts of the same moment
        std::int32_t unit;
        auto operator<=>(const Change&) const = default;
    };
    std::vector<Change> changes;
    for (const Span& span : trace.spans) {
        if (span.end_us == span.start_us) continue;  // never there for the clock
        changes.push_back({span.start_us, 1, span.unit});
        changes.push_back({span.end_us, -1, span.unit});
    }
    std::sort(changes.begin(), changes.end());
    std::vector<int> resident(index(trace.units));
    int most = 0;
    for (const Change& change : changes) {
        int& now = resident[index(change.unit)];
        now += change.by;
        most = std::max(most, now);
    }
    return most;
}

std::optional<Waves> waves(const Trace& trace) {
    if (trace.spans.empty()) return std::nullopt;
    const int fit = trace.slots ? *trace.slots : std::max(most_resident(trace), 1);
    return waves(blocks_of(largest_grid(trace)), fit, trace.units);
}

std::optional<double> theoretical_occupancy(const Trace& trace) {
    if (!trace.slots || !trace.unit_warps || trace.grids.empty()) return std::nullopt;
    return static_cast<double>(*trace.slots) * largest_grid(trace).warps / *trace.unit_warps;
}

std::optional<double> achieved_occupancy(const Trace& trace) {
    if (!trace.unit_warps || trace.unit == TraceUnit::kThread) return std::nullopt;
    double resident = 0, active = 0;
    for (const UnitUse& use : unit_uses(trace)) {
        resident += use.warp_us;
        active += use.active_us;
    }
    return active > 0 ? resident / active / *trace.unit_warps : 0;
}

std::vector<double> resident_over_time(const Trace& trace, int bins) {
    assert(bins >= 1);
    const auto count = index(bins);
    const double width = span_us(trace) / bins;
    std::vector<double> inside(count, 0);       // warp time of spans that begin or end in a bin
    std::vector<double> changes(count + 1, 0);  // of the warps of those that fill whole bins
    for (const Span& span : trace.spans) {
        const double length = span.end_us - span.placed_us;
        if (!(length > 0)) continue;
        const double warps = resident_us(trace, span) / length;
        const auto bin = [&](double us) { return std::min(index(int(us / width)), count - 1); };
        const std::size_t first = bin(span.placed_us), last = bin(span.end_us);
        if (first == last) {
            inside[first] += warps * length;
            continue;
        }
        const auto edge = [&](std::size_t i) { return static_cast<double>(i) * width; };
        inside[first] += warps * (edge(first + 1) - span.placed_us);
        inside[last] += warps * (span.end_us - edge(last));
        changes[first + 1] += warps;
        changes[last] -= warps;
    }
    std::vector<double> resident(count, 0);
    double through = 0;
    for (std::size_t i = 0; i < count; ++i) {
        through += changes[i];
        if (width > 0) resident[i] = (inside[i] / width + through) / std::max(trace.units, 1);
    }
    return resident;
}

std::vector<HistogramBin> histogram(const std::vector<double>& values, int bins) {
    assert(bins >= 1);
    if (values.empty()) return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double from = *least, to = *most;
    if (from == to) return {{from, to, values.size()}};
    const auto edge = [&](int bin) { return bin == bins ? to : from + (to - from) * bin / bins; };
    std::vector<HistogramBin> result;
    for (int i = 0; i < bins; ++i) result.push_back({edge(i), edge(i + 1), 0});
    for (const double value : values) {
        const auto bin = std::upper_bound(
            result.begin(), result.end(), value,
            [](double wanted, const HistogramBin& other) { return wanted < other.from; });
        ++(bin - 1)->count;
    }
    return result;
}

TraceSummary summarize(const Trace& trace) {
    TraceSummary summary;
    summary.spans = trace.spans.size();
    summary.span_us = span_us(trace);
    summary.sum_us = sum_us(trace);
    const std::vector<double> shares = busy_shares(trace);
    if (!shares.empty()) {
        summary.busy = mean(shares);
        summary.least_busy = *std::min_element(shares.begin(), shares.end());
        summary.most_busy = *std::max_element(shares.begin(), shares.end());
    }
    if (summary.span_us > 0) {
        double warp_us = 0;
        for (const Span& span : trace.spans) warp_us += span.warp_us;
        summary.mean_warps = warp_us / summary.span_us;
    }
    summary.tails = tails(trace);
    for (const Tail& tail : summary.tails) summary.tail_us += tail.duration_us();
    if (summary.span_us > 0) summary.tail_share = summary.tail_us / summary.span_us;
    summary.waves = waves(trace);
    summary.lane_efficiency = lane_efficiency(trace);
    summary.achieved_occupancy = achieved_occupancy(trace);
    summary.durations_us = summarize(durations_us(trace));
    return summary;
}

}  // namespace warpscope
