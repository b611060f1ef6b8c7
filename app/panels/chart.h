// SPDX-License-Identifier: MIT
// The one chart component: lines, points and bars over labelled axes, with hover.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpscope {

enum class Mark : std::uint8_t { kLine, kPoints, kBars, kArea };
enum class Scale : std::uint8_t { kLinear, kLog };

struct ChartSeries {
    std::string name;
    ImU32 color = 0;
    Mark mark = Mark::kLine;
    std::vector<ImVec2> points;
    bool right_axis = false;
};

/// A word inside the plot. Left out where it would cover one before it in the list.
struct ChartText {
    ImVec2 at;  ///< on the left axis
    std::string text;
    /// Which place of its box lies beside `at`, 0 to 1 from the upper left: {0, 0.5} puts it to the
    /// right, {1, 1} above to the left. Turned round where it would leave the plot.
    ImVec2 anchor{0, 0.5f};
};

struct ChartAxis {
    std::string label;  ///< with its unit
    Scale scale = Scale::kLinear;
    std::optional<float> min, max;        ///< else from the data
    std::vector<std::string> names = {};  ///< of the places 1, 2, …; numbers where it is empty
};

struct Chart {
    const char* id = "";
    ChartAxis x, y;
    std::optional<ChartAxis> right;  ///< for series with right_axis
    std::vector<ChartSeries> series;
    std::vector<ChartText> texts;
    std::optional<ImVec2> current;  ///< the present operating point, on the left axis
    /// Text for the hovered point; absent shows x and y.
    std::function<std::string(std::size_t series, std::size_t point)> hover;
};

/// What the mouse is on.
struct ChartHit {
    std::size_t series, point;
    bool clicked;
};

/// Draws into a box of `size` pixels at the cursor. Series without points are left out of the
/// legend; with no points at all it says so.
std::optional<ChartHit> draw_chart(const Chart& chart, ImVec2 size);

/// One horizontal bar cut into labelled parts, to scale; parts too narrow for their text show it on
/// hover. Values in milliseconds.
struct BarPart {
    std::string name;
    double ms = 0;
    ImU32 color = 0;
    std::string tooltip;
};
void draw_stacked_bar(const char* id, const std::vector<BarPart>& parts, ImVec2 size,
                      double full_scale_ms);

}  // namespace warpscope
