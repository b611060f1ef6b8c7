// SPDX-License-Identifier: MIT
// Where on the screen the spans of a trace stand: pure geometry, without ImGui.
//
// A unit has a row, a row has lanes for the unit's places: one each while they fit, else some share
// a lane. However many spans there are, no more than kMostBars are drawn: where they crowd, cells
// of some pixels stand for them, as high as the places in them are busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/trace_study.h"

namespace warpscope {

inline constexpr std::size_t kMostBars = 6000;
inline constexpr int kBarShades = 8;   ///< colours from low to high
inline constexpr int kWaveShades = 4;  ///< colours of waves, in turns
inline constexpr int kBarHeights = 4;  ///< a cell is as many fourths of its lane high

/// What a bar's colour tells.
enum class BarColor : std::uint8_t { kDuration, kWave, kLanes };

/// What of a trace's time is shown, in microseconds; from < to.
struct TimeRange {
    double from = 0, to = 1;
    double length() const noexcept { return to - from; }
    bool operator==(const TimeRange&) const = default;
};

/// All of the trace, with a little air behind it.
TimeRange whole_time(const Trace& trace);
/// `factor` > 1 shows less, and the moment `at` stays where it is. Within `whole`.
TimeRange zoomed(TimeRange range, double at, double factor, TimeRange whole);
/// Later by `us`, within `whole`.
TimeRange moved(TimeRange range, double us, TimeRange whole);

/// The picture of a trace in pixels from its upper left corner.
struct TimelineView {
    TimeRange time;
    float width = 1, height = 1;
    float pitch = 1;   ///< from one row to the next
    float scroll = 0;  ///< pixels of the rows above the upper edge
    float pixel = 1;   ///< a pixel at scale 1
    BarColor color = BarColor::kDuration;
    bool operator==(const TimelineView&) const = default;

    float x(double us) const noexcept;
    double us(float px) const noexcept;
};

/// The height at which all rows fit, within what can be read and what makes sense.
float fitting_pitch(int units, float height, float pixel);
/// The farthest that rows can be scrolled.
float most_scroll(int units, const TimelineView& view);

/// A row's part of its pitch that bars fill, and its lanes.
struct RowShape {
    float height = 1;
    int lanes = 1;
    float lane() const noexcept { return height / static_cast<float>(lanes); }
};
RowShape row_shape(const TimelineView& view, int slots);

/// One rectangle.
struct TimelineBar {
    float left = 0, right = 0, top = 0, bottom = 0;
    std::uint8_t shade = 0;  ///< below kBarShades; for waves below kWaveShades
    bool alone = false;      ///< one span and no other
};
/// What can be seen; at most kMostBars.
std::vector<TimelineBar> lay_out(const TraceStudy& study, const TimelineView& view);

/// The shade of one span.
std::uint8_t shade_of(const TraceStudy& study, std::size_t span, BarColor color);

/// The rectangle of a span, at least a pixel wide, whether it can be seen or not.
TimelineBar bar_of(const TraceStudy& study, std::size_t span, const TimelineView& view);

/// The span at a place of the picture, or the nearest within a few pixels of its lane.
std::optional<std::size_t> span_at(const TraceStudy& study, const TimelineView& view, float x,
                                   float y);

/// A mark on the axis of time.
struct TimeTick {
    double us = 0;
    std::string text;  ///< with its unit
};
/// At round moments, about `wanted`.
std::vector<TimeTick> time_ticks(TimeRange range, int wanted);

/// The starts of waves that stand at least `apart` pixels from each other: where they crowd, every
/// second, fifth, tenth, ….
std::vector<WaveStart> shown_waves(const TraceStudy& study, const TimelineView& view, float apart);

}  // namespace warpscope
