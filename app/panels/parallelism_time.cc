// SPDX-License-Identifier: MIT
// Where a frame's time goes.
#include <algorithm>
#include <array>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

struct Part {
    const char* name;
    std::optional<double> FrameCost::*cost;
    ImU32 color;
    const char* about;
};

constexpr std::array kParts{
    Part{"map", &FrameCost::map, Ink::kYellow,
         "cudaGraphicsMapResources: OpenGL lends its buffer to CUDA. Host clock."},
    Part{"kernel", &FrameCost::kernel, Ink::kAccent,
         "The Mandelbrot kernel, between two CUDA events; on the CPU the workers' wall time."},
    Part{"copy", &FrameCost::copy, Ink::kVermilion,
         "Samples from device to page-locked host memory, between two CUDA events. Interop makes "
         "it unnecessary."},
    Part{"unmap", &FrameCost::unmap, Ink::kPurple,
         "cudaGraphicsUnmapResources: OpenGL gets its buffer back. Host clock."},
    Part{"upload", &FrameCost::upload, Ink::kVermilion,
         "Samples from host memory to OpenGL. Interop makes it unnecessary. Host clock."},
    Part{"draw", &FrameCost::draw, Ink::kGreen,
         "The shader that turns counts into colours, and the copy to the window. GL timestamps."},
    Part{"UI", &FrameCost::ui, Ink::kOrange, "These panels. GL timestamps."},
};

constexpr std::size_t kMedianFrames = 30;

/// What is computed in several frames has one time, the one that stands above and in the bar.
std::optional<double> cost_of(const PanelContext& context, const Part& part) {
    const Explorer& explorer = context.loop.explorer();
    if (part.cost == &FrameCost::kernel && explorer.has_backend()) {
        const auto rate = context.loop.shown_rate(explorer.backend().info().name);
        if (rate) return rate->kernel_ms;
    }
    return context.loop.log().median(part.cost, kMedianFrames);
}

void breakdown(PanelContext& context) {
    std::vector<BarPart> parts;
    for (const Part& part : kParts) {
        if (const auto ms = cost_of(context, part)) {
            parts.push_back({part.name, *ms, part.color, part.about});
        }
    }
    const ImVec2 size{ImGui::GetContentRegionAvail().x, context.px(28)};
    draw_stacked_bar("##breakdown", parts, size, 0);
    ImGui::Dummy({0, context.px(2)});
    for (const BarPart& part : parts) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x, at.y + 0.2f * line}, {at.x + 0.6f * line, at.y + 0.8f * line}, part.color, 2);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + line);
        value_row(context, part.name.c_str(), format_ms(part.ms), part.tooltip.c_str());
    }
    if (const auto cpu = context.loop.log().median(&FrameCost::cpu, kMedianFrames)) {
        value_row(context, "main thread at work", format_ms(*cpu),
                  "Time that the window's own thread spent on the frame, without waiting for the "
                  "display. Short means that input is answered at once.");
    }
}

void history_graph(PanelContext& context) {
    const FrameLog& log = context.loop.log();
    Chart chart;
    chart.id = "##frames";
    chart.x = {"frames ago", Scale::kLinear, -static_cast<float>(FrameLog::kCapacity), 0.0f};
    chart.y.label = "ms";
    ChartSeries frames{"frame", Ink::kOrange, Mark::kLine, {}, false};
    ChartSeries kernels{"kernel", Ink::kAccent, Mark::kArea, {}, false};
    std::vector<double> totals;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const float x = static_cast<float>(i) - static_cast<float>(log.size());
        frames.points.push_back({x, static_cast<float>(log[i].total)});
        totals.push_back(log[i].total);
        if (log[i].kernel) kernels.points.push_back({x, static_cast<float>(*log[i].kernel)});
    }
    if (!totals.empty()) {
        // One slow frame (a resize, a pause) must not flatten all others.
        const auto high = totals.begin() + static_cast<std::ptrdiff_t>(totals.size() * 97 / 100);
        std::nth_element(totals.begin(), high, totals.end());
        chart.y.max = static_cast<float>(*high * 1.3);
        chart.y.min = 0.0f;
    }
    chart.series.push_back(std::move(kernels));
    chart.series.push_back(std::move(frames));
    draw_chart(chart, {ImGui::GetContentRegionAvail().x, context.px(160)});
}

}  // namespace

void time_section(PanelContext& context) {
    section(context, "Time of this frame");
    breakdown(context);
    history_graph(context);
}

}  // namespace warpscope
