// SPDX-License-Identifier: MIT
#include "app/panels/frame_map.h"

#include <algorithm>

namespace warpscope {

FramePoint frame_point(const FrameJob& job, std::complex<double> point) {
    return {(point.real() - job.center_re) / job.spacing + 0.5 * job.width - job.shift_x,
            (job.center_im - point.imag()) / job.spacing + 0.5 * job.height - job.shift_y};
}

std::complex<double> plane_point(const FrameJob& job, int x, int y) {
    return {job.center_re + (x + 0.5 - 0.5 * job.width + job.shift_x) * job.spacing,
            job.center_im - (y + 0.5 - 0.5 * job.height + job.shift_y) * job.spacing};
}

FrameMap::FrameMap(const PanelContext& context, const FrameJob& job, const View& view)
    : width_{static_cast<double>(job.width)},
      height_{static_cast<double>(job.height)},
      window_{ImGui::GetIO().DisplaySize} {
    const Extent size = context.framebuffer;
    map_ = reproject(view, width_ / height_, context.state.scene.view,
                     static_cast<double>(size.width) / std::max(size.height, 1));
}

ImVec2 FrameMap::to_window(FramePoint at) const {
    constexpr double kFar = 100;  // windows
    const double u = (at.x / width_ - map_.shift_x) / map_.scale_x;
    const double v = (at.y / height_ - map_.shift_y) / map_.scale_y;
    return {static_cast<float>(std::clamp(u, -kFar, kFar)) * window_.x,
            static_cast<float>(std::clamp(v, -kFar, kFar)) * window_.y};
}

std::optional<FramePoint> FrameMap::to_frame(ImVec2 at) const {
    const double u = static_cast<double>(at.x / window_.x) * map_.scale_x + map_.shift_x;
    const double v = static_cast<double>(at.y / window_.y) * map_.scale_y + map_.shift_y;
    if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return std::nullopt;
    return FramePoint{u * width_, v * height_};
}

bool clicked_without_drag(const PanelContext& context) {
    const float still = context.px(3);
    return ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
           ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < still * still;
}

}  // namespace warpscope
