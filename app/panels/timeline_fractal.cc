// SPDX-License-Identifier: MIT
// Blocks of the timeline on the fractal.
#include <algorithm>

#include "app/overlay_values.h"
#include "app/panels/frame_map.h"
#include "app/panels/timeline.h"

namespace warpscope {
namespace {

FrameMap map_of(const PanelContext& context, const TraceStudy& study) {
    return {context, study.trace.job, view_of(study.trace.job)};
}

void outline(const PanelContext& context, const TraceStudy& study, const FrameMap& map,
             const std::optional<BlockId>& block, float thickness) {
    const std::optional<std::size_t> span = block ? span_of(study, *block) : std::nullopt;
    const std::optional<Part> part =
        span ? region(study.trace, study.trace.spans[*span]) : std::nullopt;
    if (!part) return;
    constexpr float kLeastEdge = 6;
    const auto corner = [&map](int x, int y) {
        return map.to_window({static_cast<double>(x), static_cast<double>(y)});
    };
    ImVec2 from = corner(part->x0, part->y0), to = corner(part->x1, part->y1);
    const ImVec2 grow{std::max(context.px(kLeastEdge) - (to.x - from.x), 0.0f) / 2,
                      std::max(context.px(kLeastEdge) - (to.y - from.y), 0.0f) / 2};
    from = {from.x - grow.x, from.y - grow.y};
    to = {to.x + grow.x, to.y + grow.y};
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    list->AddRect(from, to, IM_COL32(0, 0, 0, 200), 0, 0, context.px(thickness + 2));
    list->AddRect(from, to, IM_COL32(255, 255, 255, 255), 0, 0, context.px(thickness));
}

/// Another formula's picture says nothing about this one.
bool same_set(const PanelContext& context, const TraceStudy& study) {
    const FrameJob& job = study.trace.job;
    const Scene& scene = context.state.scene;
    return job.formula == scene.formula && job.julia == scene.julia;
}

}  // namespace

void pick_on_fractal(PanelContext& context, const TraceStudy& study) {
    TimelineUi& ui = context.ui.timeline;
    const ImGuiIO& io = ImGui::GetIO();
    const bool picking = ui.pick || io.KeyCtrl;
    if (!picking || io.WantCaptureMouse || !ImGui::IsMousePosValid()) return;
    if (!same_set(context, study)) return;
    const std::optional<FramePoint> at = map_of(context, study).to_frame(io.MousePos);
    ui.pointed =
        at ? block_at(study.trace, static_cast<int>(at->x), static_cast<int>(at->y)) : std::nullopt;
    const auto span = ui.pointed ? span_of(study, *ui.pointed) : std::nullopt;
    if (span) span_tooltip(context, study, *span);
    if (clicked_without_drag(context)) ui.chosen = ui.to_show = ui.pointed;
}

void outline_on_fractal(const PanelContext& context, const TraceStudy& study) {
    const TimelineUi& ui = context.ui.timeline;
    if (!same_set(context, study)) return;
    const FrameMap map = map_of(context, study);
    outline(context, study, map, ui.pointed, 1);
    outline(context, study, map, ui.chosen, 2);
}

}  // namespace warpscope
