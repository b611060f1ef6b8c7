// SPDX-License-Identifier: MIT
#include "app/offscreen_surface.h"

#include <imgui.h>

#include <algorithm>

#include "app/clock.h"

namespace warpscope {

OffscreenSurface::OffscreenSurface(const OffscreenOptions& options)
    : context_{options}, size_{options.width, options.height}, last_{seconds_now()} {}

SurfaceEvents OffscreenSurface::begin_frame(double) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
    const double now = seconds_now();
    io.DeltaTime = static_cast<float>(std::max(now - last_, 1e-5));
    last_ = now;
    return {};
}

void OffscreenSurface::present() { glFinish(); }

}  // namespace warpscope
