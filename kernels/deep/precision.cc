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

}  // namespace warpscope
