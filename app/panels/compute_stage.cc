// SPDX-License-Identifier: MIT
// The Compute tab's stage: the example, the rungs' times, their rates, the roofline, and one rung's
// source.
#include <algorithm>
#include <utility>

#include "app/format.h"
#include "app/panels/compute_parts.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr float kWide = 1240;         // from here on the source stands beside the table
constexpr float kDetailHeight = 460;  // below it, in a narrow window
constexpr ImGuiWindowFlags kStage =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_HorizontalScrollbar;

/// What was measured, or is going to be.
std::string subtitle(const PanelContext& context, const ComputeScene& scene) {
    const bool square = scene.demo.rate == LabRate::kCompute;
    std::size_t n = scene.choice.n;
    LabCache cache = context.ui.compute.cache;
    for (const LabOutcome& outcome : context.workshop.lab.outcomes()) {
        if (outcome.request.demo != scene.demo.name) continue;
        n = outcome.request.n;
        cache = outcome.request.cache;
    }
    return "n = " + format_count(n) + (square ? " rows and columns, " : " elements, ") +
           format_bytes(lab_bytes(scene.demo, n)) + " of float, caches " +
           (cache == LabCache::kCold ? "cold" : "warm");
}

void title(PanelContext& context, const ComputeScene& scene) {
    ImGui::PushFont(context.look.big);
    ImGui::TextUnformatted(scene.demo.title.data(),
                           scene.demo.title.data() + scene.demo.title.size());
    ImGui::PopFont();
    ImGui::SameLine(0, context.px(16));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + context.px(9));
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(subtitle(context, scene).c_str());
    ImGui::PopStyleColor();
}

void figures(PanelContext& context, ComputeScene& scene) {
    title(context, scene);
    if (scene.demo.name == "vector_add") example_part(context);
    rows_part(context, scene);
}

void wide(PanelContext& context, ComputeScene& scene) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = context.px(24), left = 0.6f * (room.x - gap);
    ImGui::BeginChild("##figures", {left, room.y}, false, ImGuiWindowFlags_HorizontalScrollbar);
    figures(context, scene);
    rates_part(context, scene);
    roofline_part(context, scene);
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("##detail", {0, room.y}, false);
    detail_part(context, scene, ImGui::GetContentRegionAvail().y - context.px(16));
    ImGui::EndChild();
}

void narrow(PanelContext& context, ComputeScene& scene) {
    figures(context, scene);
    ImGui::Dummy({0, context.px(4)});
    if (context.ui.compute.scroll_to_detail) ImGui::SetScrollHereY(0.35f);
    detail_part(context, scene, context.px(kDetailHeight));
    rates_part(context, scene);
    roofline_part(context, scene);
}

}  // namespace

void compute_stage(PanelContext& context, float left, float top, float right, float bottom) {
    const float edge = context.px(6);  // the panel's handle
    ImGui::SetNextWindowPos({left + edge, top});
    ImGui::SetNextWindowSize({std::max(right - left - edge, 1.0f), std::max(bottom - top, 1.0f)});
    ImGui::SetNextWindowBgAlpha(0.96f);
    if (ImGui::Begin("##stage", nullptr, kStage)) {
        if (std::exchange(context.ui.compute.scroll_to_top, false)) ImGui::SetScrollY(0);
        ComputeScene scene = compute_scene(context);
        if (ImGui::GetWindowWidth() >= context.px(kWide)) {
            wide(context, scene);
        } else {
            narrow(context, scene);
        }
        context.ui.compute.scroll_to_detail = false;
    }
    ImGui::End();
}

}  // namespace warpscope
