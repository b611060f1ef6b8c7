// SPDX-License-Identifier: MIT
// Views laid over the fractal: which one, how strongly, and what belongs to it.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

void choose_view(PanelContext& context) {
    const TraceUnit unit = on_gpu(context) ? TraceUnit::kMultiprocessor : TraceUnit::kThread;
    std::vector<std::string> names;
    for (const OverlayInfo& overlay : overlay_infos()) {
        names.push_back(title_of(overlay.kind, unit));
    }
    OverlayChoice& choice = context.ui.overlay;
    int index = static_cast<int>(choice.kind);
    if (choose(context, "View over the picture", index, names,
               "What is laid over the fractal (O for the next one). Its legend is at the lower "
               "right. Choosing one computes nothing anew; those that show blocks record the "
               "frames that are computed anyway.")) {
        choice.kind = overlay_infos()[static_cast<std::size_t>(index)].kind;
    }
    mark(context, Control::kOverlay);
    note(context, info(choice.kind).about);
}

void count_chart(PanelContext& context, const CountSummary& counts) {
    constexpr int kIntervals = 96;
    Chart chart;
    chart.id = "##counts";
    chart.x = {"iterations", Scale::kLog, {}, {}};
    chart.y.label = "% of them within 5 % of a count";
    ChartSeries series{"points that escape", Ink::kAccent, Mark::kArea, {}, false};
    const double near = std::log2(1.05 / 0.95);
    const auto median = static_cast<float>(counts.median());
    float at_median = 0;
    for (const CountDensity& part : count_density(counts, kIntervals)) {
        const ImVec2 point{static_cast<float>(part.count),
                           static_cast<float>(100 * near * part.per_octave)};
        if (point.x <= median) at_median = point.y;
        series.points.push_back(point);
    }
    chart.current = ImVec2{median, at_median};
    chart.series.push_back(std::move(series));
    draw_chart(chart, {ImGui::GetContentRegionAvail().x, context.px(170)});
}

void iteration_part(PanelContext& context) {
    const CountSummary* counts = context.overlays.counts();
    if (counts == nullptr) return note(context, "Counted as soon as the picture is complete.");
    const std::uint64_t pixels = counts->pixels(), escaped = counts->escaped();
    if (escaped > 0) {
        count_chart(context, *counts);
        value_row(context, "mean", format_count(static_cast<std::uint64_t>(counts->mean() + 0.5)),
                  "Of the points that escape; exact.");
        value_row(context, "median",
                  format_count(static_cast<std::uint64_t>(counts->median() + 0.5)),
                  "Half of the points that escape take no more. Exact below 256, above to 0.4 %; "
                  "marked in the chart. Far below the mean: a few heavy pixels make the work.");
        value_row(context, "most", format_count(counts->most), "The slowest point that escapes.");
    }
    value_row(context, "never escape",
              format_percent(static_cast<double>(pixels - escaped) / static_cast<double>(pixels)),
              "Points without a count: inside the set, or slower than the limit.");
}

/// Starts, stops and moves the clock of the grid.
void run_part(PanelContext& context, const Trace& trace) {
    OverlayChoice& choice = context.ui.overlay;
    const float spacing = context.px(4);
    const float width = (ImGui::GetContentRegionAvail().x - spacing) / 2;
    if (button(context, choice.playing ? "Pause" : "Watch the grid run", "",
               "Shows the recorded frame again in slow motion: blocks shine while they run and "
               "settle when they end.",
               width)) {
        choice.playing = !choice.playing;
        if (choice.playing && !choice.clock_us) choice.clock_us = 0;
    }
    ImGui::SameLine(0, spacing);
    if (button(context, "Show all of it", choice.clock_us ? "" : "all of it is shown",
               "Every block, as it was when all were done.", width)) {
        choice.playing = false;
        choice.clock_us.reset();
    }
    const auto end = static_cast<float>(span_us(trace) * 1e-3);
    float moment =
        choice.clock_us ? std::min(static_cast<float>(*choice.clock_us * 1e-3), end) : end;
    if (slider(context, "Moment, ms", moment, {0, end, end},
               "Which moment of the recorded frame is shown.")) {
        choice.playing = false;
        choice.clock_us = static_cast<double>(moment) * 1e3;
    }
    float rate = context.overlays.ms_per_second(choice);
    if (slider(context, "Slow motion, ms of the grid a second", rate, {1e-4f, 1e3f, rate, true},
               "Milliseconds of the recorded frame in a second of yours; 1,000 is as fast as it "
               "was. Chosen so at first that all of it takes some seconds.")) {
        choice.ms_per_second = rate;
    }
}

void types_part(PanelContext& context, const TypePair& types) {
    static constexpr std::array kTypes{Precision::kFloat, Precision::kDf64, Precision::kDouble};
    std::vector<std::string> names;
    for (const Precision type : kTypes) names.emplace_back(precision_name(type));
    constexpr std::array kLabels{"Number type", "against"};
    for (std::size_t i = 0; i < types.size(); ++i) {
        int index = static_cast<int>(types[i]);
        if (choose(context, kLabels[i], index, names,
                   "The counts of these two types are compared. The view is computed a second time "
                   "in what it is not shown in, once it rests; whatever changes the view stops "
                   "that.")) {
            context.ui.overlay.types = with_type(types, i, kTypes[static_cast<std::size_t>(index)]);
        }
    }
}

/// The backend on the right of the split screen.
void rival_part(PanelContext& context, const PairContext& now) {
    const std::vector<std::string> names = rivals(now.gpu);
    OverlayChoice& choice = context.ui.overlay;
    const auto rival = std::ranges::find(names, rival_of(choice, now));
    int index = static_cast<int>(rival - names.begin());
    if (choose(context, "Right side", index, names,
               "What computes the view a second time, live. The left side is what computes the "
               "picture. Two that share a processor take turns, a frame each.")) {
        choice.rival = names[static_cast<std::size_t>(index)];
    }
}

/// Which two types or backends are compared.
void pair_part(PanelContext& context) {
    const Explorer& explorer = context.loop.explorer();
    if (!explorer.has_backend()) return;
    OverlayChoice& choice = context.ui.overlay;
    const Gpu gpu = context.cuda.problem.empty() ? Gpu::kPresent : Gpu::kAbsent;
    const PairContext now = pair_context(explorer, context.state, context.framebuffer.height, gpu);
    if (choice.kind == OverlayKind::kXray) return types_part(context, types_of(choice, now));
    rival_part(context, now);
}

void recorded_part(PanelContext& context) {
    const OverlayDirector& overlays = context.overlays;
    if (!overlays.problem().empty()) return note(context, overlays.problem());
    if (overlays.shows_blocks()) run_part(context, *overlays.trace());
}

}  // namespace

void overlay_section(PanelContext& context) {
    section(context, "Overlays");
    choose_view(context);
    OverlayChoice& choice = context.ui.overlay;
    if (choice.kind == OverlayKind::kNone) return;
    if (choice.kind == OverlayKind::kSplit) return pair_part(context);
    float percent = 100 * choice.opacity;
    if (slider(context, "Opacity, %", percent, {0, 100, 85, false, "%.0f"},
               "How much of the picture the view covers.")) {
        choice.opacity = percent / 100;
    }
    if (compares(choice.kind)) {
        pair_part(context);
    } else if (needs_trace(choice.kind)) {
        recorded_part(context);
    } else {
        iteration_part(context);
    }
}

}  // namespace warpscope
