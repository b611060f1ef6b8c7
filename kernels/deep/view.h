// SPDX-License-Identifier: MIT
// What is looked at: a centre of any precision and a zoom of any size. Only these functions move
// the centre, in as many bits as the zoom needs, so that nothing is lost on the way in or out.
#pragma once

#include "kernels/deep/big_float.h"
#include "kernels/math/sample.h"

namespace warpscope {

/// Centre and zoom; the half-height of the view is 2/zoom, +im is up.
struct View {
    BigFloat re{-0.75}, im{0};
    BigFloat zoom{1.5};  ///< > 0
    bool operator==(const View&) const = default;
};

/// A point of the window in pixels from its upper left corner, and the window's size.
struct PixelPoint {
    double x = 0, y = 0;
    int width = 1, height = 1;
};

/// Zoom is kept within 2^-10 and 2^4096: wider than any set, deeper than any known place.
inline constexpr double kMinLog2Zoom = -10, kMaxLog2Zoom = 4096;

/// Multiplies the zoom by `factor` (finite, > 0) so that the point under the cursor stays.
View zoom_at(const View& view, PixelPoint cursor, double factor);

/// Moves the picture by (dx, dy) pixels of a window `height` pixels high: what was under the cursor
/// stays under it during a drag.
View pan(const View& view, double dx, double dy, int height);

/// Centres the point under the cursor.
View center_at(const View& view, PixelPoint cursor);

/// The point of the plane under the cursor.
struct PlanePoint {
    BigFloat re, im;
};
PlanePoint point_at(const View& view, PixelPoint cursor);

/// The view that shows the whole set of `formula`.
View home_view(Formula formula);

/// Complex-plane units per pixel in a window `height` pixels high: 4 / (zoom * height).
BigFloat pixel_spacing(const View& view, int height);

/// Where a sample grid that was computed for `from` lies in a window that shows `to`: window
/// coordinates (0 to 1) map to grid coordinates by grid = scale * window + shift.
struct Reprojection {
    double scale_x = 1, scale_y = 1, shift_x = 0, shift_y = 0;
};
Reprojection reproject(const View& from, double from_aspect, const View& to, double to_aspect);

/// Decimal digits after which more would not move the centre by a hundredth of a pixel.
int center_digits(const View& view, int height);

}  // namespace warpscope
