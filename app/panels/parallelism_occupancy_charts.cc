// SPDX-License-Identifier: MIT
// Occupancy in numbers and curves: what the formula says beside what a trace shows.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/timeline.h"
#include "app/panels/widgets.h"
#include "app/theme.h"
#include "app/trace_study.h"

namespace warpscope {
namespace {

/// Shared memory is charted at every multiple of this many bytes.
constexpr int kSharedStep = 2048;

/// The trace that the timeline shows, where it tells of warps on multiprocessors.
std::shared_ptr<const TraceStudy> gpu_study(const PanelContext& context) {
    std::shared_ptr<const TraceStudy> study = shown_study(context.ui, context.loop);
    return study && study->achieved ? study : nullptr;
}

/// One of the three classic curves.
struct Curve {
    const char* id;
    const char* x_label;
    double unit;  ///< of x in the chart, in those of OccupancyPoint
    int BlockNeeds::*need;
    std::vector<OccupancyPoint> points;
};

void draw_curve(const PanelContext& context, const OccupancySubject& subject, const Occupancy& now,
                const Curve& curve) {
    const auto place = [&](int x) { return static_cast<float>(x / curve.unit); };
    const auto percent = [](const Occupancy& at) { return static_cast<float>(100 * at.occupancy); };
    Chart chart;
    chart.id = curve.id;
    chart.x = {curve.x_label, Scale::kLinear, 0.0f, place(curve.points.back().x)};
    chart.y = {"occupancy, %", Scale::kLinear, 0.0f, 108.0f};
    ChartSeries& series = chart.series.emplace_back();
    series.name = subject.model ? "theoretical, model" : "theoretical";
    series.color = Ink::kOrange;
    for (const OccupancyPoint& at : curve.points) {
        series.points.push_back({place(at.x), percent(at.at)});
    }
    chart.current = ImVec2{place(subject.needs.*curve.need), percent(now)};
    chart.hover = [&](std::size_t, std::size_t point) {
        const OccupancyPoint& at = curve.points[point];
        BlockNeeds needs = subject.needs;
        needs.*curve.need = at.x;
        return format_percent(at.at.occupancy) + " at " + format_number(at.x / curve.unit) + " " +
               curve.x_label + "\n" + what_limits(*subject.arch, needs);
    };
    draw_chart(chart, {ImGui::GetContentRegionAvail().x, context.px(150)});
}

}  // namespace

void occupancy_numbers(PanelContext& context, const OccupancySubject& subject,
                       const Occupancy& now) {
    const std::shared_ptr<const TraceStudy> study = gpu_study(context);
    const float half = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x / 2;
    big_number(context, format_percent(now.occupancy),
               subject.model ? "theoretical, model" : "theoretical",
               "Resident warps divided by the most a multiprocessor can hold. More warps hide more "
               "waiting, but a kernel that seldom waits is fast at half of it.");
    ImGui::SameLine(half);
    big_number(context, study ? format_percent(*study->achieved) : "—",
               context.ui.timeline.opened ? "achieved, opened trace" : "achieved, measured",
               "Resident warps averaged over the time in which a multiprocessor had any, from when "
               "each block started and each warp ended on %globaltimer: what Nsight Compute calls "
               "sm__warps_active.avg.pct_of_peak_sustained_active. Less than theoretical where "
               "blocks are too few or of unequal length.");
    note(context, subject.name);
    // An opened trace is shown until it is closed.
    if (context.ui.timeline.opened || !on_gpu(context)) return;
    toggle(context, "Measure what is achieved", context.ui.measure_occupancy,
           "Has every frame recorded by a kernel of its own that notes when blocks and warps "
           "begin and end; it is about one hundredth slower. Off, nothing is recorded for this.");
    if (context.ui.measure_occupancy) context.ui.recording = true;
}

void achieved_chart(PanelContext& context) {
    const std::shared_ptr<const TraceStudy> study = gpu_study(context);
    if (!study) return;
    const Trace& trace = study->trace;
    const double length = span_us(trace);
    Chart chart;
    chart.id = "##achieved";
    chart.x = {"µs since the first block began", Scale::kLinear, 0.0f, static_cast<float>(length)};
    chart.y = {"warps per SM", Scale::kLinear, 0.0f, 1.08f * static_cast<float>(*trace.unit_warps)};
    ChartSeries resident{"resident, measured", Ink::kAccent, Mark::kArea, {}};
    const auto bins = static_cast<double>(study->resident.size());
    for (std::size_t i = 0; i < study->resident.size(); ++i) {
        resident.points.push_back(
            {static_cast<float>((static_cast<double>(i) + 0.5) * length / bins),
             static_cast<float>(study->resident[i])});
    }
    chart.series.push_back(std::move(resident));
    if (study->theoretical) {
        const auto warps = static_cast<float>(*study->theoretical * *trace.unit_warps);
        chart.series.push_back({"theoretical, of this kernel",
                                Ink::kOrange,
                                Mark::kLine,
                                {{0, warps}, {static_cast<float>(length), warps}}});
    }
    draw_chart(chart, {ImGui::GetContentRegionAvail().x, context.px(150)});
    std::string told = trace.kernel + " on " + trace.device + ", mean of all its SMs: ";
    if (study->theoretical) told += format_percent(*study->theoretical) + " in theory, ";
    note(context, told + format_percent(*study->achieved) + " achieved.");
}

void occupancy_charts(const PanelContext& context, const OccupancySubject& subject,
                      const Occupancy& now) {
    const GpuArch& arch = *subject.arch;
    draw_curve(context, subject, now,
               {"##by threads", "threads per block", 1, &BlockNeeds::threads,
                occupancy_by_threads(arch, subject.needs)});
    draw_curve(context, subject, now,
               {"##by registers", "registers per thread", 1, &BlockNeeds::registers,
                occupancy_by_registers(arch, subject.needs)});
    draw_curve(
        context, subject, now,
        {"##by shared memory", "KiB of dynamic shared memory per block", 1024,
         &BlockNeeds::dynamic_shared, occupancy_by_shared(arch, subject.needs, kSharedStep)});
}

}  // namespace warpscope
