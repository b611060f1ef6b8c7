// SPDX-License-Identifier: MIT
// The roofline as a chart: roofs as lines, kernels as points under them. Values only; chart.h draws
// it. [Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/chart.h"
#include "kernels/engine/roof_meter.h"
#include "kernels/engine/roofline.h"

namespace warpscope {

/// One line: memory's slope up to the ridge, arithmetic's level from there on.
struct RooflineRoof {
    std::string name;  ///< of the level, without its figure: "float", "CPU"
    Roofs roofs;       ///< both above 0
    ImU32 color = 0;
};

/// One point.
struct RooflineKernel {
    std::string name;            ///< in the tooltip's first line
    std::string label;           ///< beside the point; empty: none
    std::string group;           ///< in the legend; those of one group share their color
    KernelWork work;             ///< flops, bytes and ms above 0
    std::optional<Roofs> roofs;  ///< that it stands under; absent before they were measured
    ImU32 color = 0;
};

struct RooflinePlot {
    const char* id = "";
    std::vector<RooflineRoof> roofs;
    std::vector<RooflineKernel> kernels;
    std::optional<std::size_t> current;  ///< index of the kernel that runs
};

/// Operations per second against operations per byte, both logarithmic, over whole decades that
/// hold all kernels and ridges. Empty where there is no kernel.
Chart roofline_chart(const RooflinePlot& plot);

/// The kernel that the mouse is on, if it is on one.
std::optional<std::size_t> kernel_under(const RooflinePlot& plot, const ChartHit& hit);

/// Figures of a kernel with where they come from, and what limits it.
std::string roofline_text(const RooflineKernel& kernel);

}  // namespace warpscope
