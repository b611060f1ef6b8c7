// SPDX-License-Identifier: MIT
// Blocks of the timeline on the fractal.
#include <algorithm>
#include <cmath>

#include "app/overlay_values.h"
#include "app/panels/timeline.h"

namespace warpscope {
namespace {

/// Takes pixels of the trace's frame into the window, in units of the mouse, and back.
class FrameMap {
  public:
    FrameMap(const PanelContext& context, const FrameJob& job) : job_{job} {
        const Extent size = context.framebuffer;
        const double aspect = static_cast<double>(size.width) / std::max(size.height, 1);
        map_ = reproject(view_of(job), static_cast<double>(job.width) / job.height,
                         context.state.scene.view, aspect);
        window_ = ImGui::GetIO().DisplaySize;
    }

    ImVec2 to_window(int x, int y) const {
        const double u = (static_cast<double>(x) / job_.width - map_.shift_x) / map_.scale_x;
        const double v = (static_cast<double>(y) / job_.height - map_.shift_y) / map_.scale_y;
        // Far outside stays far outside, and fits into a float.
        constexpr double kFar = 100;
        return {static_cast<float>(std::clamp(u, -kFar, kFar)) * window_.x,
                static_cast<float>(std::clamp(v, -kFar, kFar)) * window_.y};
    }

    /// The block that computed what is at a place of the window.
    std::optional<BlockId> block(const Trace& trace, ImVec2 at) const {
        const double u = static_cast<double>(at.x / window_.x) * map_.scale_x + map_.shift_x;
        const double v = static_cast<double>(at.y / window_.y) * map_.scale_y + map_.shift_y;
        if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return std::nullopt;
        return block_at(trace, static_cast<int>(u * job_.width), static_cast<int>(v * job_.height));
    }

  private:
    const FrameJob& job_;
    Reprojection map_;
    ImVec2 window_;
};

void outline(const PanelContext& context, const TraceStudy& study, const FrameMap& map,
             const std::optional<BlockId>& block, float thickness) {
    const std::optional<std::size_t> span = block ? span_of(study, *block) : std::nullopt;
    const std::optional<Part> part =
        span ? region(study.trace, study.trace.spans[*span]) : std::nullopt;
    if (!part) return;
    constexpr float kLeastEdge = 6;
    ImVec2 from = map.to_window(part->x0, part->y0), to = map.to_window(part->x1, part->y1);
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

bool clicked_without_drag(const PanelContext& context) {
    const float still = context.px(3);
    return ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
           ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < still * still;
}

void pick_on_fractal(PanelContext& context, const TraceStudy& study) {
    TimelineUi& ui = context.ui.timeline;
    const ImGuiIO& io = ImGui::GetIO();
    const bool picking = ui.pick || io.KeyCtrl;
    if (!picking || io.WantCaptureMouse || !ImGui::IsMousePosValid()) return;
    if (!same_set(context, study)) return;
    ui.pointed = FrameMap{context, study.trace.job}.block(study.trace, io.MousePos);
    const auto span = ui.pointed ? span_of(study, *ui.pointed) : std::nullopt;
    if (span) span_tooltip(context, study, *span);
    if (clicked_without_drag(context)) ui.chosen = ui.to_show = ui.pointed;
}

void outline_on_fractal(const PanelContext& context, const TraceStudy& study) {
    const TimelineUi& ui = context.ui.timeline;
    if (!same_set(context, study)) return;
    const FrameMap map{context, study.trace.job};
    outline(context, study, map, ui.pointed, 1);
    outline(context, study, map, ui.chosen, 2);
}

}  // namespace warpscope
