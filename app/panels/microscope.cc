// SPDX-License-Identifier: MIT
// The SIMT microscope: one pixel's warp, step by step, and its orbit over the fractal.
#include "app/panels/microscope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/frame_map.h"
#include "app/panels/parallelism.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr int kColumns = 8;
constexpr std::size_t kOrbitPoints = 400;

bool inside(const FrameJob& job, FramePoint at) {
    return at.x >= 0 && at.x < job.width && at.y >= 0 && at.y < job.height;
}

void start_study(PanelContext& context, int x, int y) {
    MicroscopeUi& ui = context.ui.microscope;
    const FrameJob job = context.loop.shown()->job;
    const BlockShape block = context.state.tuning.block;
    ui.job = job;
    ui.block = block;
    ui.next_view = context.loop.shown()->view;
    ui.work.start([=](const std::stop_token& stop, WorkProgress&) -> std::optional<PixelStudy> {
        std::optional<WarpStudy> warp = study_warp(job, block, x, y, stop);
        if (!warp) return std::nullopt;
        return PixelStudy{std::move(*warp), orbit_of(job, x, y, kOrbitPoints)};
    });
}

/// Follows the view and the sliders: the point stays, its pixel and warp are others.
void follow(PanelContext& context) {
    MicroscopeUi& ui = context.ui.microscope;
    if (ui.work.collect()) {
        ui.view = ui.next_view;
        ui.show = ui.show || ui.fresh;  // its room in the panel was not there before
        ui.fresh = false;
    }
    if (!ui.point || !context.loop.shown()) return;
    const FrameJob& job = context.loop.shown()->job;
    const BlockShape block = context.state.tuning.block;
    if (job == ui.job && block == ui.block) return;
    const FramePoint at = frame_point(job, *ui.point);
    if (inside(job, at)) start_study(context, static_cast<int>(at.x), static_cast<int>(at.y));
}

void pick(PanelContext& context) {
    MicroscopeUi& ui = context.ui.microscope;
    const ImGuiIO& io = ImGui::GetIO();
    if (!context.loop.shown() || io.WantCaptureMouse || io.KeyCtrl) return;
    if (!ImGui::IsMousePosValid() || !clicked_without_drag(context)) return;
    const FrameJob& job = context.loop.shown()->job;
    const std::optional<FramePoint> at =
        FrameMap{context, job, context.loop.shown()->view}.to_frame(io.MousePos);
    if (!at) return;
    const int x = static_cast<int>(at->x), y = static_cast<int>(at->y);
    ui.point = plane_point(job, x, y);
    ui.step = 0;
    ui.playing = ui.fresh = true;
    start_study(context, x, y);
}

std::string describe(std::complex<double> c) {
    constexpr int kDigits = 12;
    std::ostringstream text;
    text.precision(kDigits);
    text << c.real() << (c.imag() < 0 ? " - " : " + ") << std::abs(c.imag()) << " i";
    return text.str();
}

std::string short_count(const WarpLane& lane) {
    if (!lane.escapes) return "in";
    return lane.steps < 1000 ? std::to_string(lane.steps) : format_si(lane.steps, "");
}

void lane_tooltip(const PanelContext& context, const WarpLane& lane, int number) {
    std::string text = "Lane " + std::to_string(number) + ": ";
    if (lane.idle) {
        text += "no thread of the block, or none with a pixel. It is masked off for good.";
    } else {
        text += "pixel " + std::to_string(lane.x) + ", " + std::to_string(lane.y) +
                ", c = " + describe(lane.c) +
                (lane.escapes ? ", escapes after " : ", is still inside after ") +
                format_count(lane.steps) + " steps";
    }
    tooltip(context, text.c_str());
}

/// A cell a lane: bright while it runs, dark when it has escaped, hollow where there is no thread.
void draw_lanes(const PanelContext& context, const WarpStudy& study, std::uint32_t step) {
    const float gap = context.px(4);
    const float width = (ImGui::GetContentRegionAvail().x - gap * (kColumns - 1)) / kColumns;
    const float height = context.px(28);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int number = 0; number < kWarpThreads; ++number) {
        const WarpLane& lane = study.lanes[static_cast<std::size_t>(number)];
        if (number % kColumns != 0) ImGui::SameLine(0, gap);
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const ImVec2 to{from.x + width, from.y + height};
        ImGui::Dummy({width, height});
        lane_tooltip(context, lane, number);
        const bool runs = runs_after(lane, step);
        const float round = context.px(4);
        if (lane.idle) {
            list->AddRect(from, to, Ink::kVermilion, round);
            continue;
        }
        list->AddRectFilled(from, to, runs ? Ink::kAccent : ImGui::GetColorU32(ImGuiCol_FrameBg),
                            round);
        if (number == study.lane) {
            list->AddRect(from, to, ImGui::GetColorU32(ImGuiCol_Text), round, 0, context.px(2));
        }
        const std::string text = short_count(lane);
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        list->AddText({(from.x + to.x - size.x) / 2, (from.y + to.y - size.y) / 2},
                      runs ? IM_COL32(0, 0, 0, 255) : muted_ink(), text.c_str());
    }
}

/// Lanes at work against steps: a stair that goes down where lanes escape.
Chart lanes_chart(const WarpStudy& study, std::uint32_t step) {
    std::vector<std::uint32_t> ends;
    for (const WarpLane& lane : study.lanes) {
        if (!lane.idle) ends.push_back(lane.steps);
    }
    std::ranges::sort(ends);
    Chart chart;
    chart.id = "lanes at work";
    chart.x = {.label = "step of the warp", .min = 0, .max = static_cast<float>(longest(study))};
    chart.y = {.label = "lanes at work", .min = 0, .max = static_cast<float>(kWarpThreads)};
    ChartSeries series{"lanes at work", Ink::kAccent, Mark::kArea, {}};
    float lanes = static_cast<float>(ends.size());
    series.points.push_back({0, lanes});
    for (const std::uint32_t end : ends) {
        series.points.push_back({static_cast<float>(end), lanes});
        series.points.push_back({static_cast<float>(end), --lanes});
    }
    chart.series = {series};
    chart.current =
        ImVec2{static_cast<float>(step), static_cast<float>(running_after(study, step))};
    return chart;
}

/// Numbers of the type that iterates in a vector of AVX-512.
int vector_lanes(const FrameJob& job) { return job.precision == Precision::kDouble ? 8 : 16; }

void cost_rows(const PanelContext& context, const WarpStudy& study) {
    struct Row {
        std::string name;
        int lanes;
        const char* about;
    };
    const int vector = vector_lanes(study.job);
    const std::array rows{
        Row{"Scalar loop", 1, "One pixel after the other: every step is useful."},
        Row{"AVX-512, " + std::to_string(vector) + " lanes", vector,
            "So many pixels a vector: each vector goes on until its slowest pixel has escaped."},
        Row{"Warp, 32 lanes", kWarpThreads,
            "All 32 in step: the warp goes on until its slowest pixel has escaped. Its lanes meet "
            "again at the end of the loop."}};
    for (const Row& row : rows) {
        const GroupCost cost = group_cost(study, row.lanes);
        const std::string value = format_count(cost.instructions) + " steps, " +
                                  format_percent(cost.efficiency()) + " useful";
        value_row(context, row.name.c_str(), value, row.about);
    }
}

float last_step(const WarpStudy& study) {
    return std::max(static_cast<float>(longest(study)), 2.0f);
}

/// Goes on by the frame's time where the warp plays: slower where it begins.
void advance(MicroscopeUi& ui, float end) {
    if (!ui.playing) return;
    constexpr float kSeconds = 5;  // for a whole warp
    const float at = std::log1p(ui.step) / std::log1p(end) + ImGui::GetIO().DeltaTime / kSeconds;
    ui.step = std::min(std::expm1(at * std::log1p(end)), end);
    ui.playing = ui.step < end;
}

void play_controls(PanelContext& context, float end) {
    MicroscopeUi& ui = context.ui.microscope;
    const bool at_end = ui.step >= end;
    if (button(context,
               ui.playing ? "Pause"
               : at_end   ? "Play again"
                          : "Play",
               "", "Plays the warp step by step, at first slowly: most lanes escape early.")) {
        if (at_end) ui.step = 0;
        ui.playing = !ui.playing;
    }
    float at = std::max(ui.step, 1.0f);
    if (slider(context, "Step of the warp", at, {1, end, 1, true, "%.0f"},
               "A warp executes one instruction for all its lanes. A lane that has escaped is "
               "masked off and waits: it takes the same time and does nothing.")) {
        ui.step = at;
        ui.playing = false;
    }
}

void show_study(PanelContext& context, const WarpStudy& study) {
    const float end = last_step(study);
    advance(context.ui.microscope, end);
    const auto step = static_cast<std::uint32_t>(context.ui.microscope.step);
    const WarpLane& own = study.lanes[static_cast<std::size_t>(study.lane)];
    note(context, "Pixel " + std::to_string(own.x) + ", " + std::to_string(own.y) + ": block (" +
                      std::to_string(study.block_x) + ", " + std::to_string(study.block_y) +
                      ") of " + std::to_string(study.block.x) + "×" +
                      std::to_string(study.block.y) + ", warp " + std::to_string(study.warp) +
                      ", lane " + std::to_string(study.lane));
    draw_lanes(context, study, step);
    note(context, "After step " + format_count(step) + " of " + format_count(longest(study)) +
                      ": " + std::to_string(running_after(study, step)) + " lanes at work");
    play_controls(context, end);
    constexpr float kChartHeight = 200;
    draw_chart(lanes_chart(study, step),
               {ImGui::GetContentRegionAvail().x, context.px(kChartHeight)});
    cost_rows(context, study);
    note(context,
         "Counted on the CPU in the frame's number type: the same counts as the kernel's, bit for "
         "bit. Steps are the plain loop's; shortcuts take fewer inside the set.");
}

/// Blue at z_0, yellow at the end.
ImU32 orbit_ink(double share) {
    const auto mix = [share](int from, int to) {
        return static_cast<int>(std::lround(from + share * (to - from)));
    };
    return IM_COL32(mix(86, 240), mix(180, 228), mix(233, 66), 255);
}

void draw_orbit(const PanelContext& context, const PixelStudy& study, const FrameMap& map) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const auto place = [&](std::complex<double> z) {
        return map.to_window(frame_point(study.warp.job, z));
    };
    const auto count = static_cast<double>(study.orbit.size());
    for (std::size_t i = 1; i < study.orbit.size(); ++i) {
        const ImVec2 from = place(study.orbit[i - 1]), to = place(study.orbit[i]);
        list->AddLine(from, to, IM_COL32(0, 0, 0, 160), context.px(3));
        list->AddLine(from, to, orbit_ink(static_cast<double>(i) / count), context.px(1.5f));
    }
}

/// The block's outline and the pixels of the warp's lanes.
void draw_warp(const PanelContext& context, const WarpStudy& study, const FrameMap& map) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const auto step = static_cast<std::uint32_t>(context.ui.microscope.step);
    for (const WarpLane& lane : study.lanes) {
        if (lane.idle) continue;
        const ImVec2 from =
            map.to_window({static_cast<double>(lane.x), static_cast<double>(lane.y)});
        const ImVec2 to = map.to_window({lane.x + 1.0, lane.y + 1.0});
        list->AddRectFilled(
            from, to,
            runs_after(lane, step) ? IM_COL32(86, 180, 233, 200) : IM_COL32(0, 0, 0, 160));
    }
    const double x = study.block_x * study.block.x, y = study.block_y * study.block.y;
    const ImVec2 from = map.to_window({x, y});
    const ImVec2 to = map.to_window({std::min<double>(x + study.block.x, study.job.width),
                                     std::min<double>(y + study.block.y, study.job.height)});
    list->AddRect(from, to, IM_COL32(0, 0, 0, 200), 0, 0, context.px(3));
    list->AddRect(from, to, IM_COL32_WHITE, 0, 0, context.px(1));
}

}  // namespace

void microscope_section(PanelContext& context) {
    MicroscopeUi& ui = context.ui.microscope;
    section(context, "SIMT microscope");
    if (std::exchange(ui.show, false)) ImGui::SetScrollHereY(0);
    toggle(context, "Pick a pixel", ui.on,
           "Click a pixel of the fractal: its block, the 32 lanes of its warp and its orbit are "
           "shown. Why one slow pixel keeps 31 others waiting can be watched here.");
    if (!ui.on) {
        ui.point.reset();
        ui.playing = false;
        return;
    }
    pick(context);
    follow(context);
    const auto& study = ui.work.result();
    if (!ui.point) return note(context, "Click a pixel of the fractal.");
    if (!ui.work.failure().empty()) return note(context, ui.work.failure());
    if (!study || !*study) return note(context, "Counting the steps of its warp …");
    show_study(context, (*study)->warp);
    const FrameMap map{context, (*study)->warp.job, ui.view};
    draw_warp(context, (*study)->warp, map);
    draw_orbit(context, **study, map);
}

}  // namespace warpscope
