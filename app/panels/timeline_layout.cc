// SPDX-License-Identifier: MIT
#include "app/panels/timeline_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "app/panels/ticks.h"

namespace warpscope {
namespace {

constexpr float kLeastPitch = 1, kMostPitch = 52;  // that fitting chooses, in pixels at scale 1
constexpr float kLeastLane = 3;                    // below, places share a lane
constexpr float kFinestCell = 2;
constexpr float kReach = 4;           // of the mouse beside a narrow bar
constexpr double kLeastShown = 1e-2;  // microseconds: clocks do not tell less

std::uint8_t shade_within(double share) {
    const double shade = std::floor(share * kBarShades);
    return static_cast<std::uint8_t>(std::clamp(shade, 0.0, kBarShades - 1.0));
}

/// Spans of one lane, of which only those of one place follow each other.
struct Lane {
    float top = 0, height = 1;
    int slots = 1;
    std::span<const std::uint32_t> spans;
};

/// What crowds in one cell.
struct CellSum {
    double busy_us = 0, shade_us = 0;  ///< the second weighted with the spans' shades
    std::uint32_t wave = 0;            ///< of the last one
};

class Painter {
  public:
    Painter(const TraceStudy& study, const TimelineView& view) : study_{study}, view_{view} {}

    /// With cells of `cell` pixels; returns whether few enough bars were needed.
    bool paint(float cell) {
        bars_.clear();
        cell_ = cell;
        cells_.assign(static_cast<std::size_t>(std::ceil(view_.width / cell)), {});
        const RowShape row = row_shape(view_, study_.slots);
        const auto units = static_cast<int>(study_.rows.size()) - 1;
        const int first = std::max(0, static_cast<int>(view_.scroll / view_.pitch));
        for (int unit = first; unit < units; ++unit) {
            const float top = static_cast<float>(unit) * view_.pitch - view_.scroll;
            if (top >= view_.height) break;
            for (int lane = 0; lane < row.lanes; ++lane) {
                paint_lane(lane_of(unit, lane, row, top));
                if (bars_.size() > kMostBars) return false;
            }
        }
        return true;
    }

    std::vector<TimelineBar> take() { return std::move(bars_); }

  private:
    Lane lane_of(int unit, int lane, const RowShape& row, float top) const {
        const auto index = static_cast<std::size_t>(unit);
        const std::span<const std::uint32_t> all{study_.order.begin() + study_.rows[index],
                                                 study_.order.begin() + study_.rows[index + 1]};
        const int from = lane * study_.slots / row.lanes,
                  to = (lane + 1) * study_.slots / row.lanes;
        const auto slot = [this](std::uint32_t i) { return study_.trace.spans[i].slot; };
        const auto begin = std::ranges::lower_bound(all, from, {}, slot);
        const auto end = std::ranges::lower_bound(begin, all.end(), to, {}, slot);
        const auto number = static_cast<float>(lane);
        return {top + number * row.lane(), row.lane(), to - from, {begin, end}};
    }

    /// Those of one place that reach into the view.
    std::span<const std::uint32_t> seen(std::span<const std::uint32_t> place) const {
        const std::vector<Span>& spans = study_.trace.spans;
        const auto begin = std::ranges::lower_bound(
            place, view_.time.from, {}, [&](std::uint32_t i) { return spans[i].end_us; });
        const auto end =
            std::ranges::lower_bound(begin, place.end(), view_.time.to, {},
                                     [&](std::uint32_t i) { return spans[i].start_us; });
        return {begin, end};
    }

    void paint_lane(const Lane& lane) {
        if (lane.slots == 1) {
            const std::span<const std::uint32_t> few = seen(lane.spans);
            if (2 * few.size() <= cells_.size()) return paint_bars(lane, few);
        }
        std::ranges::fill(cells_, CellSum{});
        for (std::size_t i = 0; i < lane.spans.size();) {
            const std::int32_t slot = study_.trace.spans[lane.spans[i]].slot;
            std::size_t end = i;
            while (end < lane.spans.size() && study_.trace.spans[lane.spans[end]].slot == slot)
                ++end;
            for (const std::uint32_t span : seen(lane.spans.subspan(i, end - i))) add(span);
            i = end;
        }
        paint_cells(lane);
    }

    void paint_bars(const Lane& lane, std::span<const std::uint32_t> spans) {
        const std::size_t first = bars_.size();
        for (const std::uint32_t i : spans) {
            const Span& span = study_.trace.spans[i];
            const float end = view_.x(span.end_us);
            if (bars_.size() > first && end <= bars_.back().left + 1) {
                bars_.back().alone = false;
                continue;
            }
            const float left = std::max(view_.x(span.start_us), 0.0f);
            const float right = std::min(std::max(end, left + 1), view_.width);
            bars_.push_back({left, right, lane.top, lane.top + lane.height,
                             shade_of(study_, i, view_.color), true});
        }
    }

    void add(std::uint32_t index) {
        const Span& span = study_.trace.spans[index];
        const double shade = shade_of(study_, index, view_.color);
        const double us = view_.time.length() * static_cast<double>(cell_ / view_.width);
        const double from = std::max((span.start_us - view_.time.from) / us, 0.0);
        const double to =
            std::min((span.end_us - view_.time.from) / us, static_cast<double>(cells_.size()));
        for (auto i = static_cast<std::size_t>(from);
             i < cells_.size() && static_cast<double>(i) < to; ++i) {
            const auto at = static_cast<double>(i);
            const double busy = std::min(to, at + 1) - std::max(from, at);
            cells_[i].busy_us += busy;
            cells_[i].shade_us += busy * shade;
            cells_[i].wave = study_.waves[index];
        }
    }

    void paint_cells(const Lane& lane) {
        const std::size_t first = bars_.size();
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const CellSum& cell = cells_[i];
            if (cell.busy_us <= 0) continue;
            const double full = std::min(cell.busy_us / lane.slots, 1.0);
            const double fourths = std::max(std::round(full * kBarHeights), 1.0);
            const float high = lane.height * static_cast<float>(fourths / kBarHeights);
            const auto shade =
                view_.color == BarColor::kWave
                    ? static_cast<std::uint8_t>(cell.wave % kWaveShades)
                    : static_cast<std::uint8_t>(std::lround(cell.shade_us / cell.busy_us));
            const float left = static_cast<float>(i) * cell_;
            const TimelineBar bar{left,
                                  std::min(left + cell_, view_.width),
                                  lane.top + lane.height - high,
                                  lane.top + lane.height,
                                  shade,
                                  false};
            const bool goes_on = bars_.size() > first && bars_.back().right == bar.left &&
                                 bars_.back().shade == shade && bars_.back().top == bar.top;
            if (goes_on) {
                bars_.back().right = bar.right;
            } else {
                bars_.push_back(bar);
            }
        }
    }

    const TraceStudy& study_;
    const TimelineView& view_;
    float cell_ = 1;
    std::vector<CellSum> cells_;
    std::vector<TimelineBar> bars_;
};

}  // namespace

TimeRange whole_time(const Trace& trace) {
    constexpr double kAir = 0.01;
    return {0, std::max(span_us(trace) * (1 + kAir), kLeastShown)};
}

TimeRange zoomed(TimeRange range, double at, double factor, TimeRange whole) {
    const double length = std::clamp(range.length() / factor, kLeastShown, whole.length());
    const double from = at - (at - range.from) * length / range.length();
    return moved({from, from + length}, 0, whole);
}

TimeRange moved(TimeRange range, double us, TimeRange whole) {
    const double length = std::min(range.length(), whole.length());
    const double from = std::clamp(range.from + us, whole.from, whole.to - length);
    return {from, from + length};
}

float TimelineView::x(double us) const noexcept {
    return static_cast<float>((us - time.from) / time.length() * static_cast<double>(width));
}

double TimelineView::us(float px) const noexcept {
    return time.from + time.length() * static_cast<double>(px / width);
}

float fitting_pitch(int units, float height, float pixel) {
    return std::clamp(height / static_cast<float>(units), kLeastPitch * pixel, kMostPitch * pixel);
}

float most_scroll(int units, const TimelineView& view) {
    return std::max(0.0f, static_cast<float>(units) * view.pitch - view.height);
}

RowShape row_shape(const TimelineView& view, int slots) {
    const float gap = view.pitch >= 8 * view.pixel   ? 2 * view.pixel
                      : view.pitch >= 3 * view.pixel ? view.pixel
                                                     : 0;
    RowShape row{view.pitch - gap, 1};
    const float most = row.height / (kLeastLane * view.pixel);
    row.lanes = std::clamp(static_cast<int>(most), 1, slots);
    return row;
}

std::vector<TimelineBar> lay_out(const TraceStudy& study, const TimelineView& view) {
    Painter painter{study, view};
    float cell = kFinestCell * view.pixel;
    while (!painter.paint(cell) && cell < view.width) cell *= 2;
    std::vector<TimelineBar> bars = painter.take();
    bars.resize(std::min(bars.size(), kMostBars));  // thousands of rows, each of a bar or two
    return bars;
}

std::uint8_t shade_of(const TraceStudy& study, std::size_t span, BarColor color) {
    const Span& one = study.trace.spans[span];
    switch (color) {
        case BarColor::kWave:
            return static_cast<std::uint8_t>(study.waves[span] % kWaveShades);
        case BarColor::kLanes:
            return shade_within(lane_efficiency(one));
        case BarColor::kDuration:
            break;
    }
    constexpr double kLeast = 1e-3;
    const double low = std::log(std::max(study.short_us, kLeast));
    const double high = std::log(std::max(study.long_us, kLeast));
    if (high <= low) return kBarShades / 2;
    return shade_within((std::log(std::max(one.duration_us(), kLeast)) - low) / (high - low));
}

TimelineBar bar_of(const TraceStudy& study, std::size_t span, const TimelineView& view) {
    const Span& one = study.trace.spans[span];
    const RowShape row = row_shape(view, study.slots);
    const int lane = one.slot * row.lanes / study.slots;
    const float top = static_cast<float>(one.unit) * view.pitch - view.scroll +
                      static_cast<float>(lane) * row.lane();
    const float left = view.x(one.start_us);
    return {left,
            std::max(view.x(one.end_us), left + 1),
            top,
            top + row.lane(),
            shade_of(study, span, view.color),
            true};
}

std::optional<std::size_t> span_at(const TraceStudy& study, const TimelineView& view, float x,
                                   float y) {
    const float row_place = (y + view.scroll) / view.pitch;
    const int unit = static_cast<int>(std::floor(row_place));
    if (unit < 0 || unit >= study.trace.units || x < 0 || x >= view.width) return std::nullopt;
    const RowShape row = row_shape(view, study.slots);
    const float within = (row_place - static_cast<float>(unit)) * view.pitch / row.height;
    const int slot =
        std::min(static_cast<int>(within * static_cast<float>(study.slots)), study.slots - 1);
    const auto begin = study.order.begin() + study.rows[static_cast<std::size_t>(unit)];
    const auto end = study.order.begin() + study.rows[static_cast<std::size_t>(unit) + 1];
    const std::vector<Span>& spans = study.trace.spans;
    const auto place = std::ranges::equal_range(begin, end, slot, {},
                                                [&](std::uint32_t i) { return spans[i].slot; });
    const double us = view.us(x);
    const auto after =
        std::ranges::upper_bound(place, us, {}, [&](std::uint32_t i) { return spans[i].start_us; });
    std::optional<std::size_t> nearest;
    float best = kReach * view.pixel;
    const auto consider = [&](std::uint32_t i) {
        const double away = std::max({spans[i].start_us - us, us - spans[i].end_us, 0.0});
        const auto px =
            static_cast<float>(away / view.time.length() * static_cast<double>(view.width));
        if (px > best || (nearest && px == best)) return;
        best = px;
        nearest = i;
    };
    if (after != place.begin()) consider(*(after - 1));
    if (after != place.end()) consider(*after);
    return nearest;
}

std::vector<TimeTick> time_ticks(TimeRange range, int wanted) {
    struct Unit {
        double us;
        const char* name;
    };
    constexpr std::array kUnits{Unit{1e6, "s"}, Unit{1e3, "ms"}, Unit{1, "µs"}, Unit{1e-3, "ns"}};
    const double step = round_step(range.length() / std::max(wanted, 1));
    const double largest = std::max(std::abs(range.to), step);
    const auto unit = std::ranges::find_if(kUnits, [&](const Unit& u) { return largest >= u.us; });
    const Unit& chosen = unit == kUnits.end() ? kUnits.back() : *unit;
    const int decimals =
        std::max(0, static_cast<int>(std::ceil(-std::log10(step / chosen.us) - 1e-9)));
    std::vector<TimeTick> ticks;
    for (double k = std::ceil(range.from / step - 1e-9) + 0.0; k * step <= range.to; k += 1) {
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%.*f %s", decimals, k * step / chosen.us,
                      chosen.name);
        ticks.push_back({k * step, text.data()});
    }
    return ticks;
}

std::vector<WaveStart> shown_waves(const TraceStudy& study, const TimelineView& view, float apart) {
    const auto at = [](const WaveStart& start) { return start.us; };
    const auto begin = std::ranges::lower_bound(study.wave_starts, view.time.from, {}, at);
    const auto end = std::ranges::upper_bound(begin, study.wave_starts.end(), view.time.to, {}, at);
    const auto count = static_cast<double>(end - begin);
    const double crowd = count * static_cast<double>(apart / view.width);
    const auto every = static_cast<std::uint32_t>(crowd <= 1 ? 1 : std::ceil(round_step(crowd)));
    std::vector<WaveStart> shown;
    for (auto start = begin; start != end; ++start) {
        if (start->wave % every != 0) continue;
        if (!shown.empty() && view.x(start->us) - view.x(shown.back().us) < apart / 2) continue;
        shown.push_back(*start);
    }
    return shown;
}

}  // namespace warpscope
