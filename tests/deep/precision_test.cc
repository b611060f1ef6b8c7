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

// A window on the plane as the explorer moves it.
struct Grid {
    Scene scene;
    int width = 0, height = 0;
    GridFrame frame() const { return plan_on_grid(scene, width, height).value(); }
};

TEST(PlanOnGrid, ShowsTheViewAskedForToAFractionOfAPixel) {
    for (const double zoom : {0.01, 1.5, 37.7, 1e6, 3e11}) {
        for (const int height : {1, 37, 600, 1080}) {
            const Grid grid{{.view = at_zoom(zoom)}, 333, height};
            const GridFrame frame = grid.frame();
            const BigFloat spacing = pixel_spacing(grid.scene.view, height);
            const double re = ((frame.view.re - grid.scene.view.re) / spacing).to_double();
            const double im = ((frame.view.im - grid.scene.view.im) / spacing).to_double();
            EXPECT_LE(std::abs(re), 1e-6) << zoom << ' ' << height;
            EXPECT_LE(std::abs(im), 1e-6) << zoom << ' ' << height;
            EXPECT_EQ(frame.view.zoom, grid.scene.view.zoom);
            // The job says the same in its own words.
            const double at = frame.job.center_re + frame.job.spacing * frame.job.shift_x;
            EXPECT_NEAR(at, frame.view.re.to_double(), 0.3 * frame.job.spacing);
            const double up = frame.job.center_im - frame.job.spacing * frame.job.shift_y;
            EXPECT_NEAR(up, frame.view.im.to_double(), 0.3 * frame.job.spacing);
            EXPECT_LE(std::abs(frame.job.shift_x), 513);
            EXPECT_EQ(frame.job.shift_x, std::floor(frame.job.shift_x)) << "exact in float";
        }
    }
}

// Whatever the fraction of a pixel that the centre lies at, ties included.
TEST(PlanOnGrid, PanningByWholePixelsChangesTheShiftByExactlyThem) {
    for (const double zoom : {1.5, 1.5 * 1.25, 77.7, 123456.7, 4e11}) {
        for (const int height : {48, 333, 600, 1080}) {
            Grid grid{{.view = at_zoom(zoom)}, 960, height};
            const FrameJob first = grid.frame().job;
            double right = 0, down = 0;
            int same_anchor = 0;
            for (int i = 0; i < 200; ++i) {
                const double dx = i % 7 - 3, dy = i % 5 - 2;
                grid.scene.view = pan(grid.scene.view, dx, dy, height);
                right -= dx;  // the picture moves right where the grid moves left
                down -= dy;
                const FrameJob job = grid.frame().job;
                if (job.center_re != first.center_re || job.center_im != first.center_im) continue;
                ++same_anchor;
                EXPECT_EQ(job.shift_x - first.shift_x, right) << zoom << ' ' << height;
                EXPECT_EQ(job.shift_y - first.shift_y, down) << zoom << ' ' << height;
            }
            EXPECT_GT(same_anchor, 20);
        }
    }
}

TEST(PlanOnGrid, IsTheSameOnWhateverWayTheViewIsReached) {
    Grid there{{.view = at_zoom(12345.6)}, 640, 480};
    Grid back = there;
    back.scene.view = pan(back.scene.view, 5000, -3000, 480);
    back.scene.view = pan(back.scene.view, -5000, 3000, 480);
    EXPECT_EQ(there.frame().job, back.frame().job);
    // With more digits than the zoom needs, too.
    back.scene.view.re = back.scene.view.re.with_bits(900);
    EXPECT_EQ(there.frame().job, back.frame().job);
}

}  // namespace
}  // namespace warpscope
