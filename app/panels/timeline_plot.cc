// SPDX-License-Identifier: MIT
// The picture of a trace: rows of units, bars of blocks, the axis of time.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format.h"
#include "app/panels/frame_map.h"
#include "app/panels/timeline.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

/// Where the rows are drawn, right of their names, below the band of wave and tail names.
struct Plot {
    ImVec2 at;
    TimelineView view;
    float names = 0, band = 0, axis = 0;  ///< widths and heights beside it
    ImVec2 end() const { return {at.x + view.width, at.y + view.height}; }
    /// The upper edge of a row.
    float row(int unit) const { return at.y + static_cast<float>(unit) * view.pitch - view.scroll; }
};

std::string unit_name(const Trace& trace, int unit) {
    return std::string{unit_word(trace.unit)} + " " + std::to_string(unit);
}

Plot plot_for(const PanelContext& context, const TraceStudy& study, ImVec2 at, ImVec2 size) {
    TimelineUi& ui = context.ui.timeline;
    const float line = ImGui::GetTextLineHeight();
    Plot plot;
    plot.names = ImGui::CalcTextSize(unit_name(study.trace, study.trace.units - 1).c_str()).x +
                 context.px(10);
    plot.band = line + context.px(2);
    plot.axis = line + context.px(6);
    plot.at = {at.x + plot.names, at.y + plot.band};
    TimelineView& view = plot.view;
    const TimeRange whole = whole_time(study.trace);
    view.time = ui.time ? moved(*ui.time, 0, whole) : whole;
    view.width = std::max(size.x - plot.names, 1.0f);
    view.height = std::max(size.y - plot.band - plot.axis, 1.0f);
    view.pixel = context.look.scale;
    view.pitch = ui.pitch > 0 ? context.px(ui.pitch)
                              : fitting_pitch(study.trace.units, view.height, view.pixel);
    // The axis follows the last row.
    view.height = std::min(view.height, static_cast<float>(study.trace.units) * view.pitch);
    view.scroll = std::clamp(context.px(ui.scroll), 0.0f, most_scroll(study.trace.units, view));
    view.color = ui.color;
    return plot;
}

void take_view(const PanelContext& context, const TraceStudy& study, const TimelineView& view) {
    TimelineUi& ui = context.ui.timeline;
    const TimeRange whole = whole_time(study.trace);
    const bool all = view.time.length() >= whole.length();
    ui.time = all ? std::nullopt : std::optional{view.time};
    ui.scroll =
        std::clamp(view.scroll, 0.0f, most_scroll(study.trace.units, view)) / context.look.scale;
}

void zoom_rows(const PanelContext& context, const TraceStudy& study, Plot& plot, float y,
               float wheel) {
    constexpr float kFactor = 1.25f, kMostPitch = 160;
    TimelineView& view = plot.view;
    const float before = view.pitch;
    const float least = fitting_pitch(study.trace.units, view.height, view.pixel);
    view.pitch = std::clamp(before * std::pow(kFactor, wheel), least, context.px(kMostPitch));
    view.scroll = (view.scroll + y) * view.pitch / before - y;
    context.ui.timeline.pitch = view.pitch > least ? view.pitch / context.look.scale : 0;
}

/// Wheel, drag and double click change what is shown. Returns whether anything did.
bool move_view(const PanelContext& context, const TraceStudy& study, Plot& plot) {
    constexpr double kFactor = 1.25;
    const ImGuiIO& io = ImGui::GetIO();
    TimelineView& view = plot.view;
    const TimeRange whole = whole_time(study.trace);
    const float x = io.MousePos.x - plot.at.x, y = io.MousePos.y - plot.at.y;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        view.time = whole;
        view.scroll = 0;
        context.ui.timeline.pitch = 0;
        return true;
    }
    if (hovered && io.MouseWheel != 0) {
        if (io.KeyCtrl) {
            zoom_rows(context, study, plot, y, io.MouseWheel);
        } else if (x < 0) {
            view.scroll -= 3 * view.pitch * io.MouseWheel;
        } else {
            view.time = zoomed(view.time, view.us(x),
                               std::pow(kFactor, static_cast<double>(io.MouseWheel)), whole);
        }
        return true;
    }
    if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, context.px(3))) {
        return false;
    }
    view.time = moved(view.time, view.us(0) - view.us(io.MouseDelta.x), whole);
    view.scroll -= io.MouseDelta.y;
    return true;
}

/// Brings the bar of a block that was chosen on the fractal into view.
void show_block(const TraceStudy& study, std::size_t index, TimelineView& view) {
    const Span& span = study.trace.spans[index];
    const float top = static_cast<float>(span.unit) * view.pitch;
    view.scroll = std::clamp(view.scroll, top + view.pitch - view.height, top);
    if (span.start_us >= view.time.from && span.end_us <= view.time.to) return;
    const double middle = (view.time.from + view.time.to) / 2;
    view.time =
        moved(view.time, (span.start_us + span.end_us) / 2 - middle, whole_time(study.trace));
}

/// What idles shows this.
void draw_rows(const Plot& plot, const TraceStudy& study) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = row_shape(plot.view, study.slots).height;
    const int first = static_cast<int>(plot.view.scroll / plot.view.pitch);
    for (int unit = first; unit < study.trace.units; ++unit) {
        const float top = plot.row(unit);
        if (top >= plot.end().y) break;
        list->AddRectFilled({plot.at.x, top}, {plot.end().x, top + height},
                            ImGui::GetColorU32(ImGuiCol_FrameBg, 0.8f));
    }
}

/// Names keep their distance: every one, or every fifth, tenth, ….
void draw_names(const Plot& plot, const TraceStudy& study) {
    const float line = ImGui::GetTextLineHeight(), pitch = plot.view.pitch;
    const int every = pitch >= line ? 1 : 5 * static_cast<int>(std::ceil(line / pitch / 5));
    for (int unit = 0; unit < study.trace.units; unit += every) {
        const float middle = plot.row(unit) + pitch / 2;
        if (middle < plot.at.y || middle > plot.end().y) continue;
        const std::string name = unit_name(study.trace, unit);
        const float left = plot.at.x - ImGui::CalcTextSize(name.c_str()).x - 0.4f * line;
        ImGui::GetWindowDrawList()->AddText({left, middle - line / 2}, muted_ink(), name.c_str());
    }
}

/// Where in all rows those that are seen are.
void draw_scroll(const PanelContext& context, const Plot& plot, const TraceStudy& study) {
    const float all = static_cast<float>(study.trace.units) * plot.view.pitch;
    if (all <= plot.view.height) return;
    const float width = context.px(4), share = plot.view.height / all;
    const float top = plot.at.y + plot.view.scroll * share;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {plot.end().x + width, top}, {plot.end().x + 2 * width, top + plot.view.height * share},
        ImGui::GetColorU32(ImGuiCol_ScrollbarGrab), width / 2);
}

/// Lays bars out anew where the view or the trace is another one.
void update_drawing(TimelineUi& ui, std::shared_ptr<const TraceStudy> study,
                    const TimelineView& view) {
    constexpr std::size_t kSoonDone = 4000;  // spans
    TimelineDrawing& drawing = ui.drawing;
    if (ui.drafting.collect()) drawing = *ui.drafting.result();
    if (ui.drafting.running() || (drawing.study == study && drawing.view == view)) return;
    if (study->trace.spans.size() <= kSoonDone || !drawing.study) {
        drawing = {study, view, lay_out(*study, view)};
        return;
    }
    ui.drafting.start([study = std::move(study), view](const std::stop_token&, WorkProgress&) {
        return TimelineDrawing{study, view, lay_out(*study, view)};
    });
}

void draw_bars(const PanelContext& context, const Plot& plot,
               std::shared_ptr<const TraceStudy> study) {
    TimelineUi& ui = context.ui.timeline;
    update_drawing(ui, std::move(study), plot.view);
    // While the bars of this view are still being laid out, those of the one before move along.
    const TimelineView& before = ui.drawing.view;
    const float scale = static_cast<float>(before.time.length() / plot.view.time.length()) *
                        plot.view.width / before.width;
    const float right = plot.at.x + plot.view.x(before.time.from);
    const float down = plot.at.y + before.scroll - plot.view.scroll;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float gap = std::round(context.look.scale);
    for (const TimelineBar& bar : ui.drawing.bars) {
        const float from = right + scale * bar.left, to = right + scale * bar.right;
        const bool parted = bar.alone && to - from >= 4 * gap;
        list->AddRectFilled({from, down + bar.top}, {to - (parted ? gap : 0), down + bar.bottom},
                            bar_ink(before.color, bar.shade));
    }
}

/// Shades the tail of each launch and says at the last what it is; returns where the word begins,
/// the plot's end if nowhere.
float draw_tails(const PanelContext& context, const Plot& plot, const TraceStudy& study) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 ink = Ink::kVermilion;
    float last = plot.at.x;
    for (const Tail& tail : study.summary.tails) {
        const float from = plot.at.x + std::max(plot.view.x(tail.start_us), 0.0f);
        const float to = plot.at.x + std::min(plot.view.x(tail.end_us), plot.view.width);
        if (to <= from) continue;
        list->AddRectFilled({from, plot.at.y}, {to, plot.end().y},
                            (ink & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 44));
        list->AddRectFilled({from, plot.at.y - context.px(2)}, {to, plot.at.y}, ink);
        last = to;
    }
    const char* name = "tail";
    const float left = last - ImGui::CalcTextSize(name).x;
    if (left < plot.at.x) return plot.end().x;
    list->AddText({left, plot.at.y - plot.band}, ImGui::GetColorU32(ImGuiCol_Text), name);
    return left;
}

/// Lines where waves begin, and their names left of `end`.
void draw_waves(const PanelContext& context, const Plot& plot, const TraceStudy& study, float end) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float room = ImGui::CalcTextSize("wave 888").x + context.px(8);
    float free = plot.at.x;
    for (const WaveStart& start : shown_waves(study, plot.view, 1.3f * room)) {
        const float x = plot.at.x + plot.view.x(start.us);
        list->AddLine({x, plot.at.y}, {x, plot.end().y}, ImGui::GetColorU32(ImGuiCol_Text, 0.55f),
                      std::max(1.0f, std::floor(context.look.scale)));
        const std::string name =
            start.wave == 0 ? "launch" : "wave " + std::to_string(start.wave + 1);
        if (x < free || x + room > end) continue;
        free = x + room;
        list->AddText({x, plot.at.y - plot.band}, muted_ink(), name.c_str());
    }
}

void draw_axis(const PanelContext& context, const Plot& plot) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int wanted = static_cast<int>(plot.view.width / context.px(110));
    const float below = plot.end().y;
    list->AddLine({plot.at.x, below}, {plot.end().x, below},
                  ImGui::GetColorU32(ImGuiCol_Separator));
    for (const TimeTick& tick : time_ticks(plot.view.time, wanted)) {
        const float x = plot.at.x + plot.view.x(tick.us);
        list->AddLine({x, below}, {x, below + context.px(4)}, muted_ink());
        const float width = ImGui::CalcTextSize(tick.text.c_str()).x;
        const float left = std::clamp(x - width / 2, plot.at.x - plot.names, plot.end().x - width);
        list->AddText({left, below + context.px(5)}, muted_ink(), tick.text.c_str());
    }
}

void mark_block(const PanelContext& context, const Plot& plot, const TraceStudy& study,
                const std::optional<BlockId>& block, float thickness) {
    const std::optional<std::size_t> span = block ? span_of(study, *block) : std::nullopt;
    if (!span) return;
    const TimelineBar bar = bar_of(study, *span, plot.view);
    const float out = context.px(1);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 from{plot.at.x + bar.left - out, plot.at.y + bar.top - out};
    const ImVec2 to{plot.at.x + bar.right + out, plot.at.y + bar.bottom + out};
    list->AddRect(from, to, IM_COL32(0, 0, 0, 255), 0, 0, context.px(thickness + 2));
    list->AddRect(from, to, ImGui::GetColorU32(ImGuiCol_Text), 0, 0, context.px(thickness));
}

/// What the mouse is on, and what it chooses.
void point_at_bars(const PanelContext& context, const Plot& plot, const TraceStudy& study) {
    TimelineUi& ui = context.ui.timeline;
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto hit = span_at(study, plot.view, mouse.x - plot.at.x, mouse.y - plot.at.y);
    const bool inside = mouse.y >= plot.at.y && mouse.y < plot.end().y;
    const std::optional<std::size_t> span = inside ? hit : std::nullopt;
    if (span) {
        ui.pointed = block_of(study.trace.spans[*span]);
        span_tooltip(context, study, *span);
    }
    if (clicked_without_drag(context)) ui.chosen = ui.pointed;
}

}  // namespace

void timeline_plot(PanelContext& context, const TraceStudy& study, ImVec2 size) {
    TimelineUi& ui = context.ui.timeline;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("plot", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
    Plot plot = plot_for(context, study, at, size);
    bool changed = move_view(context, study, plot);
    const std::optional<BlockId> to_show = std::exchange(ui.to_show, std::nullopt);
    if (const auto span = to_show ? span_of(study, *to_show) : std::nullopt) {
        show_block(study, *span, plot.view);
        changed = true;
    }
    if (changed) {
        take_view(context, study, plot.view);
        plot = plot_for(context, study, at, size);
    }
    point_at_bars(context, plot, study);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(plot.at, plot.end(), true);
    draw_rows(plot, study);
    draw_bars(context, plot, shown_study(context.ui, context.loop));
    list->PopClipRect();
    draw_waves(context, plot, study, draw_tails(context, plot, study));
    draw_names(plot, study);
    draw_scroll(context, plot, study);
    draw_axis(context, plot);
    list->PushClipRect({plot.at.x - context.px(2), plot.at.y - context.px(2)}, plot.end(), true);
    mark_block(context, plot, study, ui.pointed, 1);
    mark_block(context, plot, study, ui.chosen, 2);
    list->PopClipRect();
}

void span_tooltip(const PanelContext& context, const TraceStudy& study, std::size_t index) {
    const Trace& trace = study.trace;
    const Span& span = trace.spans[index];
    struct Row {
        const char* name;
        std::string value;
    };
    std::string where = unit_name(trace, span.unit);
    if (study.slots > 1) where += ", place " + std::to_string(span.slot);
    const std::array rows{
        Row{"ran on", where},
        Row{"start", format_ms(span.start_us * 1e-3)},
        Row{"duration", format_ms(span.duration_us() * 1e-3)},
        Row{"iterations", format_count(span.executed)},
        Row{"lane efficiency", format_percent(lane_efficiency(span))},
        Row{"wave", format_count(study.waves[index] + 1)},
    };
    ImGui::BeginTooltip();
    ImGui::Text("%s (%d, %d)", std::string{span_word(trace.unit)}.c_str(), span.x, span.y);
    if (ImGui::BeginTable("span", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const Row& row : rows) {
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", row.name);
            ImGui::TableNextColumn();
            ImGui::PushFont(context.look.mono);
            ImGui::TextUnformatted(row.value.c_str());
            ImGui::PopFont();
        }
        ImGui::EndTable();
    }
    if (!region(trace, span)) ImGui::TextDisabled("takes pixels from all over the picture");
    ImGui::EndTooltip();
}

}  // namespace warpscope
