// SPDX-License-Identifier: MIT
#include "app/panels/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format.h"
#include "app/panels/fields.h"
#include "app/shell.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr float kLeastHeight = 140, kMostShare = 0.75f;

/// One figure of the summary.
struct Figure {
    std::string name, value;
    const char* about;
};

std::vector<Figure> figures_of(const TraceStudy& study) {
    const TraceSummary& summary = study.summary;
    const bool threads = study.trace.unit == TraceUnit::kThread;
    std::vector<Figure> figures{
        {threads ? "tiles" : "blocks", format_count(summary.spans),
         "Recorded: pieces that the frame was cut into. The hardware, or a shared list on the CPU, "
         "hands each to whoever comes free."},
        {"span", format_ms(summary.span_us * 1e-3),
         "Recorded: from the first start to the last end, on the clock of whoever computed "
         "(%globaltimer on a GPU). It agrees with the kernel's time but for the launch itself."},
        {"busy", format_percent(summary.busy),
         "Recorded: the share of the span in which a unit had at least one block, averaged over "
         "all units. The rest is idle: paid for and not used."},
        {"tail",
         format_ms(summary.tail_us * 1e-3) + " (" + format_percent(summary.tail_share) + ")",
         "Recorded: the end of each launch, from when the first unit lost a block and got no "
         "other. "
         "Shaded below. Smaller blocks, or work that is spread more evenly, shorten it."}};
    if (summary.waves) {
        figures.push_back({"waves", format_si(summary.waves->waves, ""),
                           "Blocks / all that the units hold at once. A last wave that is nearly "
                           "empty costs as much time as a full one. [CUDA C++ Best Practices "
                           "Guide, Occupancy]"});
    }
    figures.push_back({"lane efficiency", format_percent(summary.lane_efficiency),
                       "Recorded: iterations that did something / steps of all lanes, waiting ones "
                       "included. Lanes of a warp or vector run on together until the last of "
                       "them has escaped."});
    if (summary.achieved_occupancy) {
        figures.push_back({"achieved occupancy", format_percent(*summary.achieved_occupancy),
                           "Recorded: warps that were resident / the most that an SM can hold, "
                           "while it had any. [Nsight Compute: "
                           "sm__warps_active.avg.pct_of_peak_sustained_active]"});
    }
    return figures;
}

void draw_summary(const PanelContext& context, const TraceStudy& study) {
    const float right = ImGui::GetWindowContentRegionMax().x;
    for (const Figure& figure : figures_of(study)) {
        ImGui::PushFont(context.look.mono);
        const float value_width = ImGui::CalcTextSize(figure.value.c_str()).x;
        ImGui::PopFont();
        const float width =
            ImGui::CalcTextSize(figure.name.c_str()).x + context.px(6) + value_width;
        if (ImGui::GetCursorPosX() + width > right) break;
        ImGui::BeginGroup();
        ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
        ImGui::TextUnformatted(figure.name.c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine(0, context.px(6));
        ImGui::PushFont(context.look.mono);
        ImGui::TextUnformatted(figure.value.c_str());
        ImGui::PopFont();
        ImGui::EndGroup();
        tooltip(context, figure.about);
        ImGui::SameLine(0, context.px(20));
    }
    ImGui::NewLine();
}

std::string source_text(const TimelineUi& ui, const TraceStudy& study) {
    const Trace& trace = study.trace;
    return "Recorded on " + trace.device + (ui.opened ? "  ·  " + ui.opened_name : "") + "  ·  " +
           trace.backend + ", " + trace.kernel + "  ·  " + std::to_string(trace.job.width) + "×" +
           std::to_string(trace.job.height) + ", limit " + format_count(trace.job.limit);
}

/// What the shades stand for, between the ends of their scale.
void draw_scale(const PanelContext& context, const TraceStudy& study) {
    const BarColor color = context.ui.timeline.color;
    const bool waves = color == BarColor::kWave;
    const int shades = waves ? kWaveShades : kBarShades;
    const std::string low = waves                       ? "waves in turn"
                            : color == BarColor::kLanes ? "0 %"
                                                        : format_ms(study.short_us * 1e-3);
    const std::string high = waves                       ? ""
                             : color == BarColor::kLanes ? "100 %"
                                                         : format_ms(study.long_us * 1e-3);
    const float box = context.px(9), line = ImGui::GetTextLineHeight();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(low.c_str());
    ImGui::SameLine(0, context.px(6));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (int i = 0; i < shades; ++i) {
        const float left = at.x + static_cast<float>(i) * box;
        const float top = at.y + ImGui::GetStyle().FramePadding.y + 0.2f * line;
        ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {left + box, top + 0.65f * line},
                                                  bar_ink(color, static_cast<std::uint8_t>(i)));
    }
    ImGui::Dummy({static_cast<float>(shades) * box, line});
    ImGui::SameLine(0, context.px(6));
    ImGui::TextUnformatted(high.c_str());
    ImGui::PopStyleColor();
}

float scale_width(const PanelContext& context) {
    return context.px(9 * kBarShades) + ImGui::CalcTextSize("8.88 ms  88.8 ms").x + context.px(28);
}

/// A button that stays pressed.
bool switch_button(const char* label, bool on) {
    ImGui::PushStyleColor(ImGuiCol_Button,
                          ImGui::GetColorU32(on ? ImGuiCol_ButtonActive : ImGuiCol_FrameBg));
    const bool pressed = ImGui::Button(label);
    ImGui::PopStyleColor();
    return pressed;
}

float button_width(const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void draw_controls(PanelContext& context, const TraceStudy* study) {
    constexpr float kSegments = 222;
    TimelineUi& ui = context.ui.timeline;
    const float gap = ImGui::GetStyle().ItemSpacing.x, right = ImGui::GetWindowContentRegionMax().x;
    float width = context.px(kSegments) + 2 * gap + button_width("Pick") + button_width("×");
    if (ui.opened) width += gap + button_width("Back to live");
    const float left = ImGui::GetCursorPosX();
    const float room = right - left - width - 2 * gap;
    const bool scale_fits = study != nullptr && room > scale_width(context) + context.px(160);
    const float text_room = room - (scale_fits ? scale_width(context) : 0);
    ImGui::AlignTextToFramePadding();
    if (study != nullptr) {
        const std::string text = source_text(ui, *study);
        ImGui::TextUnformatted(elided(text, text_room).c_str());
        tooltip(context, (text + "\n" + study->trace.detail).c_str());
    } else {
        ImGui::TextUnformatted("Timeline");
    }
    if (scale_fits) {
        ImGui::SameLine(right - width - gap - scale_width(context));
        draw_scale(context, *study);
    }
    ImGui::SameLine(right - width);
    int color = static_cast<int>(ui.color);
    if (segments(context, "color", color,
                 {{"Duration",
                   "Bars are coloured by how long a block ran: dark blue is short, "
                   "yellow is long. Nineteen of twenty lie below the upper end."},
                  {"Wave",
                   "Bars are coloured by wave: as many blocks as the units hold at once, "
                   "in the order of their starts."},
                  {"Lanes",
                   "Bars are coloured by lane efficiency: dark blue where lanes wait for "
                   "each other, yellow where all are at work."}},
                 context.px(kSegments))) {
        ui.color = static_cast<BarColor>(color);
    }
    ImGui::SameLine();
    if (switch_button("Pick", ui.pick)) ui.pick = !ui.pick;
    tooltip(context,
            "Pick on the fractal: a click there chooses the block that computed the "
            "pixel, and its bar. Ctrl-click does so at any time.");
    if (ui.opened) {
        ImGui::SameLine();
        if (ImGui::Button("Back to live")) ui.opened.reset();
        tooltip(context, "Shows what is recorded here and now again.");
    }
    ImGui::SameLine();
    if (ImGui::Button("×")) context.commands.emplace_back(ToggleTimeline{});
    tooltip(context, "Closes the timeline and ends the recording (T).");
}

/// Why there is nothing to see.
std::string waiting_text(const PanelContext& context) {
    if (context.workshop.busy()) return "A measurement has the machine to itself.";
    if (!context.loop.can_record()) return "This backend does not record its frames.";
    if (context.state.paused) return "Paused: no frame has been recorded yet (P goes on).";
    return "Recording a frame …";
}

/// Drags the upper edge.
void draw_edge(PanelContext& context, float width) {
    TimelineUi& ui = context.ui.timeline;
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({0, 0});
    ImGui::InvisibleButton("edge", {width, context.px(6)});
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    }
    if (ImGui::IsItemActive()) ui.height -= ImGui::GetIO().MouseDelta.y / context.look.scale;
    const float room =
        ImGui::GetIO().DisplaySize.y / context.look.scale - kBarHeight - kStatusHeight;
    ui.height = std::clamp(ui.height, kLeastHeight, std::max(kLeastHeight, kMostShare * room));
    ImGui::SetCursorPos(at);
}

}  // namespace

ImU32 bar_ink(BarColor color, std::uint8_t shade) {
    if (color == BarColor::kWave) {
        constexpr std::array<ImU32, kWaveShades> kInks{Ink::kAccent, Ink::kOrange, Ink::kGreen,
                                                       Ink::kPurple};
        return kInks[shade];
    }
    // Dark blue, sky blue, yellow: lighter at every step, and apart for the colour-blind.
    const float at = 2 * static_cast<float>(shade) / (kBarShades - 1);
    const ImVec4 from = ImGui::ColorConvertU32ToFloat4(at < 1 ? Ink::kBlue : Ink::kAccent);
    const ImVec4 to = ImGui::ColorConvertU32ToFloat4(at < 1 ? Ink::kAccent : Ink::kYellow);
    const float t = at < 1 ? at : at - 1;
    return ImGui::ColorConvertFloat4ToU32(
        {std::lerp(from.x, to.x, t), std::lerp(from.y, to.y, t), std::lerp(from.z, to.z, t), 1});
}

std::shared_ptr<const TraceStudy> shown_study(const UiState& ui, const FrameLoop& loop) {
    return ui.timeline.opened ? ui.timeline.opened : loop.newest_study();
}

float timeline_height(const PanelContext& context) {
    const UiState& ui = context.ui;
    const bool stage = ui.tab == Tab::kCompute && ui.panel_open;
    if (!context.state.settings.timeline || ui.panels_hidden || stage) return 0;
    return context.px(ui.timeline.height);
}

void timeline_strip(PanelContext& context, float left, float right, float bottom) {
    TimelineUi& ui = context.ui.timeline;
    context.ui.recording = context.ui.recording || !ui.opened;
    const float height = timeline_height(context);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(16), context.px(8)});
    begin_strip("##timeline", {left, bottom - height}, {right - left, height});
    ImGui::GetWindowDrawList()->AddLine({left, bottom - height}, {right, bottom - height},
                                        ImGui::GetColorU32(ImGuiCol_Separator), context.px(1));
    draw_edge(context, right - left);
    ui.pointed.reset();
    const std::shared_ptr<const TraceStudy> study = shown_study(context.ui, context.loop);
    draw_controls(context, study.get());
    if (study) {
        draw_summary(context, *study);
        pick_on_fractal(context, *study);
        timeline_plot(context, *study, ImGui::GetContentRegionAvail());
        outline_on_fractal(context, *study);
    } else {
        note(context, waiting_text(context));
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace warpscope
