// SPDX-License-Identifier: MIT
#include "app/panels/overlay_legend.h"

#include <algorithm>

#include "app/format.h"
#include "app/panels/precision_axis.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr float kWidth = 340, kPadding = 12, kBarThickness = 14;

/// Text that ends at the window's right edge, on the current line.
void flush_right(const std::string& text, ImU32 color) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x -
                         ImGui::CalcTextSize(text.c_str()).x);
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
}

void color_bar(const PanelContext& context, const ValueRange& range) {
    const OverlayColors& colors = context.overlays.colors();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = context.px(kBarThickness);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool categories = range.scale == OverlayScale::kCategories;
    const int count = categories ? static_cast<int>(range.high - range.low) + 1 : kOverlayColors;
    for (int i = 0; i < count; ++i) {
        const auto share = [&](int edge) {
            return at.x + width * static_cast<float>(edge) / static_cast<float>(count);
        };
        const auto& table = categories ? colors.categories : colors.scale;
        list->AddRectFilled({share(i), at.y}, {share(i + 1), at.y + height},
                            table[static_cast<std::size_t>(i % kOverlayColors)]);
    }
    ImGui::Dummy({width, height});
}

void bar_numbers(const PanelContext& context, const ValueRange& range) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, mark = context.px(4);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::PushFont(context.look.mono);
    for (const LegendTick& tick : legend_ticks(context.ui.overlay.kind, range)) {
        const float x = at.x + tick.at * width;
        const float text = ImGui::CalcTextSize(tick.text.c_str()).x;
        const float left = std::clamp(x - text / 2, at.x, at.x + width - text);
        list->AddLine({x, at.y - context.px(2)}, {x, at.y - context.px(2) + mark}, muted_ink());
        list->AddText({left, at.y + mark}, muted_ink(), tick.text.c_str());
    }
    ImGui::Dummy({width, mark + ImGui::GetTextLineHeight()});
    ImGui::PopFont();
}

/// A colour that is not on the bar, and what it stands for.
void swatch(const PanelContext& context, ImU32 color, const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight(), side = context.px(kBarThickness - 2);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + (line - side) / 2},
                                              {at.x + side, at.y + (line + side) / 2}, color);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + context.px(6));
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

std::string count_text(const std::optional<std::uint32_t>& count) {
    if (!count) return "—";
    return *count > 0 ? format_count(*count) : "never escapes";
}

std::string cursor_value(const PanelContext& context) {
    const OverlayDirector& overlays = context.overlays;
    if (!needs_trace(context.ui.overlay.kind)) {
        return count_text(overlays.count_at_cursor());
    }
    if (overlays.pixel_at_cursor())
        return pixel_text(*overlays.trace(), *overlays.pixel_at_cursor());
    if (!overlays.span_at_cursor()) return "—";
    return value_text(*overlays.trace(), *overlays.span_at_cursor(), context.ui.overlay.kind);
}

void named_value(const PanelContext& context, const std::string& name, const std::string& value,
                 ImU32 color) {
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(name.c_str());
    ImGui::PopStyleColor();
    ImGui::PushFont(context.look.mono);
    flush_right(value, color);
    ImGui::PopFont();
}

void cursor_line(const PanelContext& context) {
    named_value(context, "under the cursor", cursor_value(context),
                ImGui::GetColorU32(ImGuiCol_Text));
}

/// Where on the way down the program takes which number type.
void precision_part(const PanelContext& context) {
    const View& view = context.state.scene.view;
    const double present = view.zoom.log2_abs();
    const std::vector<PrecisionStretch> ladder =
        precision_ladder(view, context.framebuffer.height, context.loop.explorer().df64_speed(),
                         axis_start(present));
    note(context, "Number type the program chooses, by zoom:");
    draw_precision_axis(context, precision_axis(ladder, present));
}

/// In how many pixels two frames differ, and what both have under the cursor.
void pair_content(const PanelContext& context) {
    const OverlayDirector& overlays = context.overlays;
    const bool split = context.ui.overlay.kind == OverlayKind::kSplit;
    const ImU32 text = ImGui::GetColorU32(ImGuiCol_Text);
    if (!overlays.problem().empty()) return note(context, overlays.problem());
    const DifferenceSummary* found = overlays.differences();
    const auto& [first, second] = overlays.sides();
    swatch(context, overlays.colors().differing,
           (first.name + " and " + second.name + " differ").c_str());
    if (split) {
        const bool live = context.state.settings.pace == Pace::kLive && !context.state.paused;
        note(context, live ? "Both compute live. Drag the line between them."
                           : "Drag the line between them.");
    } else {
        precision_part(context);
    }
    if (found == nullptr) return note(context, "Comparing the counts.");
    const bool alarming = split && found->differing > 0;
    named_value(context, "pixels that differ", difference_text(*found),
                alarming ? Ink::kVermilion : text);
    if (found->escape_once > 0) {
        named_value(context, "escape in one alone", format_count(found->escape_once), text);
    }
    if (found->most > 0) {
        named_value(context, "largest difference", format_count(found->most), text);
    }
    ImGui::Spacing();
    for (const PairSide& side : overlays.sides()) {
        named_value(context, side.name + " under the cursor", count_text(side.count_at_cursor),
                    text);
    }
}

/// Who computed what is under the cursor, and when.
void span_line(const PanelContext& context) {
    const OverlayDirector& overlays = context.overlays;
    note(context, overlays.span_at_cursor()
                      ? span_text(*overlays.trace(), *overlays.span_at_cursor())
                      : "Point at the picture to read a value.");
}

/// How far a watched grid is.
void clock_line(const PanelContext& context, const Trace& trace) {
    if (!context.ui.overlay.clock_us || !context.overlays.shows_blocks()) return;
    const double end = span_us(trace), now = std::min(*context.ui.overlay.clock_us, end);
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, Ink::kAccent);
    ImGui::ProgressBar(static_cast<float>(end > 0 ? now / end : 1), {-1, context.px(4)}, "");
    ImGui::PopStyleColor();
    named_value(context, "moment of the grid",
                format_ms(now * 1e-3) + " of " + format_ms(end * 1e-3),
                ImGui::GetColorU32(ImGuiCol_Text));
}

void content(const PanelContext& context) {
    const OverlayDirector& overlays = context.overlays;
    const OverlayKind kind = context.ui.overlay.kind;
    const bool recorded = needs_trace(kind);
    const TraceUnit unit =
        recorded && overlays.trace() != nullptr ? overlays.trace()->unit : TraceUnit::kThread;
    ImGui::TextUnformatted(title_of(kind, unit).c_str());
    flush_right(recorded ? "recorded" : "counted", muted_ink());
    if (compares(kind)) return pair_content(context);
    if (!overlays.range()) {
        note(context, overlays.problem().empty() ? "Nothing to show yet." : overlays.problem());
        return;
    }
    color_bar(context, *overlays.range());
    bar_numbers(context, *overlays.range());
    if (!recorded) swatch(context, overlays.colors().interior, "never escapes");
    cursor_line(context);
    if (!recorded) return;
    const Trace& trace = *overlays.trace();
    span_line(context);
    clock_line(context, trace);
    note(context, trace.device + ", " + trace.kernel);
}

}  // namespace

void overlay_legend(PanelContext& context, float right, float bottom) {
    if (context.ui.overlay.kind == OverlayKind::kNone) return;
    const float margin = context.px(16);
    ImGui::SetNextWindowPos({right - margin, bottom - margin}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSize({context.px(kWidth), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, context.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(kPadding), context.px(kPadding)});
    ImGui::SetNextWindowBgAlpha(0.97f);  // text over colours of any lightness
    ImGui::Begin("##legend", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    content(context);
    context.ui.legend_height = ImGui::GetWindowHeight() / context.look.scale + 16;
    ImGui::End();
    ImGui::PopStyleVar(2);
}

}  // namespace warpscope
