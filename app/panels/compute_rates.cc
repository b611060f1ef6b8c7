// SPDX-License-Identifier: MIT
// The rates of all rungs as bars against the peaks of their machines.
#include <algorithm>

#include "app/format.h"
#include "app/panels/compute_parts.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr float kBar = 18, kStep = 26;  // height and distance, unscaled pixels

void draw_rate(const PanelContext& context, ImVec2 at, ImVec2 room, const RungRow& row,
               double full) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = context.px(kBar), names = context.px(180), values = context.px(120);
    const float left = at.x + names, width = room.x - names - values;
    const auto to_scale = [&](double rate) {
        return width * static_cast<float>(std::min(rate / full, 1.0));
    };
    const float text_y = at.y + (height - ImGui::GetTextLineHeight()) / 2;
    put_text({at.x, text_y}, ImGui::GetColorU32(ImGuiCol_Text),
             elided(row.rung->title, names - context.px(12)));
    const LabFigures& figures = *row.figures;
    const bool gpu = row.rung->backend == "cuda";
    const float peak = left + to_scale(figures.peak), end = left + to_scale(figures.per_second);
    list->AddRectFilled({left, at.y}, {peak, at.y + height},
                        ImGui::GetColorU32(ImGuiCol_FrameBgActive, 0.7f), context.px(4));
    list->AddRectFilled({left, at.y}, {std::max(end, left + context.px(2)), at.y + height},
                        gpu ? Ink::kAccent : Ink::kOrange, context.px(4));
    list->AddLine({peak, at.y - context.px(2)}, {peak, at.y + height + context.px(2)},
                  ImGui::GetColorU32(ImGuiCol_Text), context.px(1.5f));
    ImGui::PushFont(context.look.mono);
    put_text({std::max(peak, end) + context.px(8), text_y}, ImGui::GetColorU32(ImGuiCol_Text),
             rate_text(figures));
    ImGui::PopFont();
    hover_note(context, at, {at.x + room.x, at.y + height},
               row.rung->title + ": " + rate_text(figures) + ", " + share_text(figures.of_peak) +
                   " of its machine's peak (the line): " + figures.peak_how + ".");
}

}  // namespace

void rates_part(PanelContext& context, const ComputeScene& scene) {
    section(context, scene.demo.rate == LabRate::kBandwidth
                         ? "Rate of each rung: bytes per second"
                         : "Rate of each rung: floating-point operations per second");
    double full = 0;
    for (const RungRow& row : scene.rows) {
        if (row.figures) full = std::max({full, row.figures->per_second, row.figures->peak});
    }
    if (full <= 0) {
        note(context,
             "Nothing measured yet. Each bar will be a rung's rate, its line the peak "
             "that its machine reaches in the same run.");
        return;
    }
    const ImVec2 room{ImGui::GetContentRegionAvail().x, context.px(kStep)};
    for (const RungRow& row : scene.rows) {
        if (!row.figures) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_rate(context, at, room, row, full);
        ImGui::SetCursorScreenPos(at);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
        ImGui::Dummy(room);
        ImGui::PopStyleVar();
    }
    note(context, "Blue: GPU, orange: CPU; the line is the measured peak of that machine.");
}

}  // namespace warpscope
