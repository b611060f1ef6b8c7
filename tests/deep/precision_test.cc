// SPDX-License-Identifier: MIT
#include "kernels/deep/precision.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpscope {
namespace {

View at_zoom(double zoom) { return {BigFloat{-0.75}, BigFloat{0.1}, BigFloat{zoom}}; }

TEST(Precision, GoesFromFloatOverDoubleToNothing) {
    EXPECT_EQ(choose_precision(at_zoom(1.5), 1080), Precision::kFloat);
    EXPECT_EQ(choose_precision(at_zoom(1e4), 1080), Precision::kDouble);
    EXPECT_EQ(choose_precision(at_zoom(1e12), 1080), Precision::kDouble);
    EXPECT_EQ(choose_precision(at_zoom(1e14), 1080), std::nullopt);
    EXPECT_EQ(choose_precision(at_zoom(1e-9), 1080), Precision::kFloat);
}

// At each switch neighbouring pixels must still be different numbers with bits to spare.
TEST(Precision, KeepsNeighbouringPixelsApart) {
    for (double zoom = 1; zoom < 1e13; zoom *= 1.3) {
        const View view = at_zoom(zoom);
        const std::optional<Precision> precision = choose_precision(view, 1080);
        const double spacing = pixel_spacing(view, 1080).to_double();
        if (precision == Precision::kFloat) {
            const float c = -0.75f;
            EXPECT_GE(spacing, 200 * static_cast<double>(std::nextafter(c, -1.0f) - c) * -1);
        } else if (precision == Precision::kDouble) {
            EXPECT_GE(spacing, 2 * (std::nextafter(2.0, 3.0) - 2.0));
        }
    }
}

TEST(Precision, EndsExactlyWhereItSaysItDoes) {
    for (const int height : {16, 720, 1080, 4320}) {
        const double end = max_log2_zoom(at_zoom(1), height);
        EXPECT_EQ(choose_precision(at_zoom(std::exp2(end - 1e-6)), height), Precision::kDouble);
        EXPECT_EQ(choose_precision(at_zoom(std::exp2(end + 1e-6)), height), std::nullopt);
    }
}

TEST(Precision, NeedsMoreFarFromTheOrigin) {
    View far = at_zoom(1);
    far.re = BigFloat{1e6};
    EXPECT_EQ(choose_precision(far, 1080), Precision::kDouble);
}

TEST(Plan, PlacesPixelsAsTheCommandLineDocuments) {
    Scene scene;
    scene.limit = 77;
    const FrameJob job = plan(scene, 1920, 1080).value();
    EXPECT_DOUBLE_EQ(job.spacing, 4 / (1.5 * 1080));
    EXPECT_EQ(job.center_re, -0.75);
    EXPECT_EQ(job.limit, 77u);
    EXPECT_EQ(job.width, 1920);
    EXPECT_EQ(job.precision, Precision::kFloat);
}

TEST(Plan, ObeysAChoiceOfTypeEvenBeyondItsEnd) {
    Scene scene;
    scene.view.zoom = BigFloat::parse("1e30");
    EXPECT_FALSE(plan(scene, 100, 100).has_value());
    scene.precision = PrecisionChoice::kDouble;
    EXPECT_EQ(plan(scene, 100, 100).value().precision, Precision::kDouble);
    scene.precision = PrecisionChoice::kFloat;
    EXPECT_EQ(plan(scene, 100, 100).value().precision, Precision::kFloat);
}

TEST(Plan, LeavesTheJuliaConstantOutOfOtherJobs) {
    Scene a, b;
    b.julia_re = BigFloat{0.3};
    EXPECT_EQ(plan(a, 64, 64), plan(b, 64, 64)) << "an unused constant must not restart a frame";
}

}  // namespace
}  // namespace warpscope
