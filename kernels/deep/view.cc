// SPDX-License-Identifier: MIT
#include "kernels/deep/view.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

/// Bits that place a centre to far below a pixel of the largest window, at this zoom.
long center_bits(double log2_zoom) {
    constexpr double kSpare = 64;
    return static_cast<long>(std::max(64.0, log2_zoom + kSpare));
}

BigFloat clamped_zoom(const BigFloat& zoom) {
    const double log2_zoom = zoom.log2_abs();
    if (log2_zoom >= kMinLog2Zoom && log2_zoom <= kMaxLog2Zoom) return zoom;
    BigFloat limit{1};
    const double bound = log2_zoom < kMinLog2Zoom ? kMinLog2Zoom : kMaxLog2Zoom;
    const BigFloat factor{bound < 0 ? 0.5 : 2.0};
    for (double i = 0; i < std::abs(bound); ++i) limit = limit * factor;
    return limit;
}

/// A copy whose centre has room for offsets of a pixel at `zoom`. Bits are only ever added: zooming
/// out and in again comes back to the same digits.
View with_room(View view, const BigFloat& zoom) {
    const long bits = center_bits(zoom.log2_abs());
    view.re = view.re.with_bits(std::max(bits, view.re.bits()));
    view.im = view.im.with_bits(std::max(bits, view.im.bits()));
    return view;
}

/// Offset of the cursor from the middle of the window, in units of the half-height, +y up.
struct Offset {
    double x, y;
};
Offset offset_of(PixelPoint p) {
    const double half = 0.5 * p.height;
    return {(p.x - 0.5 * p.width) / half, (half - p.y) / half};
}

BigFloat half_height(const BigFloat& zoom) { return BigFloat{2} / zoom; }

}  // namespace

View zoom_at(const View& view, PixelPoint cursor, double factor) {
    if (!(factor > 0) || !std::isfinite(factor)) return view;
    const BigFloat zoom = clamped_zoom(view.zoom * BigFloat{factor});
    View result = with_room(view, zoom);
    result.zoom = zoom;
    const Offset offset = offset_of(cursor);
    const BigFloat shrink = half_height(view.zoom) - half_height(zoom);
    result.re = result.re + BigFloat{offset.x} * shrink;
    result.im = result.im + BigFloat{offset.y} * shrink;
    return result;
}

View pan(const View& view, double dx, double dy, int height) {
    View result = with_room(view, view.zoom);
    const BigFloat spacing = pixel_spacing(view, height);
    result.re = result.re - BigFloat{dx} * spacing;
    result.im = result.im + BigFloat{dy} * spacing;
    return result;
}

View center_at(const View& view, PixelPoint cursor) {
    View result = with_room(view, view.zoom);
    PlanePoint point = point_at(result, cursor);
    result.re = point.re;
    result.im = point.im;
    return result;
}

PlanePoint point_at(const View& view, PixelPoint cursor) {
    const View roomy = with_room(view, view.zoom);
    const Offset offset = offset_of(cursor);
    const BigFloat half = half_height(view.zoom);
    return {roomy.re + BigFloat{offset.x} * half, roomy.im + BigFloat{offset.y} * half};
}

View home_view(Formula formula) {
    const FormulaInfo& row = info(formula);
    return {BigFloat{row.home_re}, BigFloat{row.home_im}, BigFloat{row.home_zoom}};
}

BigFloat pixel_spacing(const View& view, int height) {
    return BigFloat{4} / (view.zoom * BigFloat{static_cast<double>(std::max(height, 1))});
}

Reprojection reproject(const View& from, double from_aspect, const View& to, double to_aspect) {
    // All in units of the old half-height; the difference of the centres is taken before rounding.
    const double ratio = (from.zoom / to.zoom).to_double();
    const BigFloat half = half_height(from.zoom);
    const double dx = ((to.re - from.re) / half).to_double();
    const double dy = ((to.im - from.im) / half).to_double();
    Reprojection map;
    map.scale_x = ratio * to_aspect / from_aspect;
    map.scale_y = ratio;
    map.shift_x = 0.5 + 0.5 * dx / from_aspect - 0.5 * map.scale_x;
    map.shift_y = 0.5 - 0.5 * dy - 0.5 * map.scale_y;
    return map;
}

int center_digits(const View& view, int height) {
    constexpr double kLog10Of2 = 0.30102999566398120;
    const double log10_spacing = pixel_spacing(view, height).log2_abs() * kLog10Of2;
    return std::clamp(static_cast<int>(std::ceil(3 - log10_spacing)), 4, 1500);
}

}  // namespace warpscope
