// SPDX-License-Identifier: MIT
#include "kernels/deep/precision.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

// Binary digits of the mantissas, and how many units in the last place a pixel must be wide.
constexpr double kFloatBits = 24, kDf64Bits = 46, kDoubleBits = 53;
constexpr double kFloatUnitsLog2 = 8, kDf64UnitsLog2 = 6, kDoubleUnitsLog2 = 2;

/// log2 of the larger coordinate's magnitude, at least that of the set itself (about 2).
double log2_extent(const View& view) {
    return std::max({1.0, view.re.log2_abs(), view.im.log2_abs()});
}

/// Where a coordinate lies: so many whole pixels beyond an anchor.
struct OnGrid {
    BigFloat anchor;
    double shift;
};

/// `bits` are the same for all views of a zoom, so that they agree on the anchors.
OnGrid on_grid(const BigFloat& coordinate, const BigFloat& spacing, long bits) {
    constexpr double kAnchorPixels = 1024, kSteps = 1 << 20;
    // Views often lie exactly between two steps: what BigFloat rounds must not decide.
    constexpr double kHair = 0x1p-14;
    const BigFloat value = coordinate.with_bits(bits);
    const BigFloat apart = BigFloat{kAnchorPixels} * spacing;
    const BigFloat near = (value / apart).rounded() * apart;
    const double pixels = ((value - near) / spacing).to_double();
    const double steps = std::floor(pixels * kSteps + 0.5 + kHair) / kSteps;
    const double shift = std::floor(steps);
    return {near + BigFloat{steps - shift} * spacing, shift};
}

}  // namespace

std::optional<Precision> choose_precision(const View& view, int height, Df64Speed df64) {
    const double spare = pixel_spacing(view, height).log2_abs() - log2_extent(view);
    if (spare >= kFloatUnitsLog2 - kFloatBits) return Precision::kFloat;
    if (df64 == Df64Speed::kFaster && spare >= kDf64UnitsLog2 - kDf64Bits) return Precision::kDf64;
    if (spare >= kDoubleUnitsLog2 - kDoubleBits) return Precision::kDouble;
    return std::nullopt;
}

double max_log2_zoom(const View& view, int height) {
    return 2 - std::log2(std::max(height, 1)) + kDoubleBits - kDoubleUnitsLog2 - log2_extent(view);
}

std::optional<FrameJob> plan(const Scene& scene, int width, int height, Df64Speed df64) {
    std::optional<Precision> precision = choose_precision(scene.view, height, df64);
    if (scene.precision == PrecisionChoice::kFloat) precision = Precision::kFloat;
    if (scene.precision == PrecisionChoice::kDf64) precision = Precision::kDf64;
    if (scene.precision == PrecisionChoice::kDouble) precision = Precision::kDouble;
    if (!precision) return std::nullopt;
    FrameJob job;
    job.formula = scene.formula;
    job.julia = scene.julia;
    job.precision = *precision;
    job.center_re = scene.view.re.to_double();
    job.center_im = scene.view.im.to_double();
    job.spacing = pixel_spacing(scene.view, height).to_double();
    if (scene.julia) {
        job.julia_re = scene.julia_re.to_double();
        job.julia_im = scene.julia_im.to_double();
    }
    job.width = width;
    job.height = height;
    job.limit = scene.limit;
    job.bailout = scene.bailout;
    return job;
}

std::optional<GridFrame> plan_on_grid(const Scene& scene, int width, int height, Df64Speed df64) {
    std::optional<FrameJob> job = plan(scene, width, height, df64);
    if (!job) return std::nullopt;
    constexpr double kSpareBits = 64;
    const auto bits =
        static_cast<long>(std::max(kSpareBits, scene.view.zoom.log2_abs() + kSpareBits));
    const BigFloat spacing = pixel_spacing(scene.view, height).with_bits(bits);
    const OnGrid re = on_grid(scene.view.re, spacing, bits);
    const OnGrid im = on_grid(scene.view.im, spacing, bits);
    job->center_re = re.anchor.to_double();
    job->center_im = im.anchor.to_double();
    job->shift_x = re.shift;
    job->shift_y = -im.shift;  // y runs down
    const View shown{re.anchor + BigFloat{re.shift} * spacing,
                     im.anchor + BigFloat{im.shift} * spacing, scene.view.zoom};
    return GridFrame{*job, shown};
}

}  // namespace warpscope
