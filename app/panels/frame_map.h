// SPDX-License-Identifier: MIT
// Pixels of a frame in the window, wherever the view has gone since.
#pragma once

#include <imgui.h>

#include <complex>
#include <optional>

#include "app/panels.h"

namespace warpscope {

/// A place in a frame, in its pixels from the upper left corner.
struct FramePoint {
    double x = 0, y = 0;
};

/// Where a point of the plane is in the frame: pixel (x, y) stands for the point in its middle.
FramePoint frame_point(const FrameJob& job, std::complex<double> point);
/// The point that pixel (x, y) stands for.
std::complex<double> plane_point(const FrameJob& job, int x, int y);

/// Takes places of a frame into the window, in units of the mouse, and back.
class FrameMap {
  public:
    /// `view` is what the frame shows.
    FrameMap(const PanelContext& context, const FrameJob& job, const View& view);

    /// Far outside stays outside, but within what a float holds well.
    ImVec2 to_window(FramePoint at) const;
    /// Absent outside the frame.
    std::optional<FramePoint> to_frame(ImVec2 at) const;

  private:
    double width_, height_;
    Reprojection map_;
    ImVec2 window_;
};

/// Whether the left button was let go where it was pressed.
bool clicked_without_drag(const PanelContext& context);

}  // namespace warpscope
