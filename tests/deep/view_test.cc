// SPDX-License-Identifier: MIT
#include "kernels/deep/view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace warpscope {
namespace {

View deep_view() {
    return {BigFloat::parse("-1.7685653935500000000000000000000000000000001234567890123456789"),
            BigFloat::parse("0.0014609050000000000000000000000000000000009876543210987654321"),
            BigFloat::parse("1e40")};
}

/// |a - b| in pixels of a window `height` pixels high at `view`.
double pixels_between(const BigFloat& a, const BigFloat& b, const View& view, int height) {
    return std::abs(((a - b) / pixel_spacing(view, height)).to_double());
}

TEST(View, ZoomKeepsThePointUnderTheCursor) {
    for (View view : {View{}, deep_view()}) {
        const PixelPoint cursor{123.25, 456.75, 1280, 720};
        const PlanePoint before = point_at(view, cursor);
        for (const double factor : {1.25, 3.0, 0.1, 1000.0, 1e-3}) {
            view = zoom_at(view, cursor, factor);
            const PlanePoint after = point_at(view, cursor);
            EXPECT_LT(pixels_between(after.re, before.re, view, 720), 1e-6);
            EXPECT_LT(pixels_between(after.im, before.im, view, 720), 1e-6);
        }
    }
}

TEST(View, PanMovesWhatWasUnderTheCursorAlong) {
    View view = deep_view();
    const PlanePoint before = point_at(view, {100, 200, 1280, 720});
    view = pan(view, 31, -17, 720);
    const PlanePoint after = point_at(view, {131, 183, 1280, 720});
    EXPECT_LT(pixels_between(after.re, before.re, view, 720), 1e-6);
    EXPECT_LT(pixels_between(after.im, before.im, view, 720), 1e-6);
}

TEST(View, UpIsPositiveImaginary) {
    const PlanePoint top = point_at(View{}, {640, 0, 1280, 720});
    const PlanePoint bottom = point_at(View{}, {640, 720, 1280, 720});
    EXPECT_NEAR(top.im.to_double(), 2 / 1.5, 1e-12) << "half-height is 2/zoom";
    EXPECT_NEAR(bottom.im.to_double(), -2 / 1.5, 1e-12);
    EXPECT_NEAR(point_at(View{}, {1280, 360, 1280, 720}).re.to_double(),
                -0.75 + 2 / 1.5 * 1280 / 720, 1e-12);
}

TEST(View, ZoomingInAndOutAgainComesBack) {
    const PixelPoint cursor{17, 700, 1280, 720};
    View view{};
    for (int i = 0; i < 300; ++i) view = zoom_at(view, cursor, 1.5);
    for (int i = 0; i < 300; ++i) view = zoom_at(view, cursor, 1 / 1.5);
    EXPECT_NEAR(view.re.to_double(), -0.75, 1e-9);
    EXPECT_NEAR(view.im.to_double(), 0, 1e-9);
    EXPECT_NEAR(view.zoom.to_double(), 1.5, 1e-9);
}

TEST(View, NeverTurnsOverOrDegenerates) {
    View view{};
    for (int i = 0; i < 2000; ++i) view = zoom_at(view, {3, 3, 1280, 720}, 1e-3);
    EXPECT_NEAR(view.zoom.log2_abs(), kMinLog2Zoom, 1e-9);
    for (int i = 0; i < 2000; ++i) view = zoom_at(view, {640, 360, 1280, 720}, 1e3);
    EXPECT_NEAR(view.zoom.log2_abs(), kMaxLog2Zoom, 1e-9);
    for (const double factor : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(zoom_at(view, {0, 0, 1280, 720}, factor), view);
    }
}

TEST(View, CentersThePointUnderTheCursor) {
    const View view = deep_view();
    const PixelPoint cursor{1000, 100, 1280, 720};
    const PlanePoint point = point_at(view, cursor);
    const View centered = center_at(view, cursor);
    EXPECT_EQ(centered.re, point.re);
    EXPECT_EQ(centered.im, point.im);
    EXPECT_EQ(centered.zoom, view.zoom);
}

TEST(Reproject, FindsTheSamePointInBothPictures) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> unit{0, 1};
    const View from = deep_view();
    View to = zoom_at(from, {300, 100, 1280, 720}, 1.7);
    to = pan(to, 55, -20, 720);
    const double old_aspect = 1280.0 / 720, new_aspect = 1000.0 / 720;
    const Reprojection map = reproject(from, old_aspect, to, new_aspect);
    for (int i = 0; i < 100; ++i) {
        const double x = unit(random), y = unit(random);
        const PlanePoint point = point_at(to, {x * 1000, y * 720, 1000, 720});
        const PlanePoint same = point_at(from, {(map.scale_x * x + map.shift_x) * 1280,
                                                (map.scale_y * y + map.shift_y) * 720, 1280, 720});
        EXPECT_LT(pixels_between(point.re, same.re, to, 720), 1e-6);
        EXPECT_LT(pixels_between(point.im, same.im, to, 720), 1e-6);
    }
}

TEST(Reproject, IsExactlyTheIdentityForTheSameView) {
    const Reprojection map = reproject(deep_view(), 16.0 / 9, deep_view(), 16.0 / 9);
    EXPECT_EQ(map.scale_x, 1);
    EXPECT_EQ(map.scale_y, 1);
    EXPECT_EQ(map.shift_x, 0);
    EXPECT_EQ(map.shift_y, 0);
}

TEST(View, TellsAsManyDigitsAsAPixelNeeds) {
    EXPECT_LE(center_digits(View{}, 720), 8);
    EXPECT_GE(center_digits(deep_view(), 720), 43);
}

}  // namespace
}  // namespace warpscope
