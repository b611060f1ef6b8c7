// SPDX-License-Identifier: MIT
// Which number type serves which zoom, on a logarithmic axis with the present zoom marked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels.h"
#include "kernels/deep/precision_ladder.h"

namespace warpscope {

/// Zooms that one number type serves, as shares of the axis's length.
struct AxisStretch {
    std::optional<Precision> precision;  ///< absent: none serves
    float from = 0, to = 0;
};

/// A number beside the axis, or a switch between two types.
struct AxisTick {
    float at = 0;
    std::string text;  ///< the zoom
};

struct PrecisionAxis {
    std::vector<AxisStretch> stretches;  ///< from 0 to 1 without a gap
    std::vector<AxisTick> switches;      ///< where one stretch ends and the next begins
    float present = 0;                   ///< the present zoom
};

/// The axis for precision_ladder()'s answer, which must begin at axis_start() of the same zoom.
/// Both zooms are log2.
PrecisionAxis precision_axis(const std::vector<PrecisionStretch>& ladder, double present_log2);

/// Where the axis begins: a little below the whole set's zoom, or the present one.
double axis_start(double present_log2);

/// Draws it as wide as there is room.
void draw_precision_axis(const PanelContext& context, const PrecisionAxis& axis);

}  // namespace warpscope
