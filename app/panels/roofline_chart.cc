// SPDX-License-Identifier: MIT
#include "app/panels/roofline_chart.h"

#include <algorithm>
#include <cmath>

#include "app/format.h"

namespace warpscope {
namespace {

constexpr int kRoofPlaces = 65;

struct Range {
    double low, high;
};

/// The decade at or below a positive number, the one at or above.
double decade_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }
double decade_above(double value) { return std::pow(10.0, std::ceil(std::log10(value))); }

Range intensities(const RooflinePlot& plot) {
    // A part of the slope is seen in any case.
    constexpr double kLeast = 0.1, kAround = 2;
    Range range{kLeast, 100 * kLeast};
    for (const RooflineRoof& roof : plot.roofs) {
        range.low = std::min(range.low, roof.roofs.ridge() / 10);
        range.high = std::max(range.high, 10 * roof.roofs.ridge());
    }
    for (const RooflineKernel& kernel : plot.kernels) {
        range.low = std::min(range.low, kernel.work.intensity() / kAround);
        range.high = std::max(range.high, kernel.work.intensity() * kAround);
    }
    return {decade_below(range.low), decade_above(range.high)};
}

/// Operations per second; room for a line of text above the highest.
Range rates(const RooflinePlot& plot, const Range& intensity) {
    constexpr double kBelow = 0.5, kAbove = 4;
    Range range{1e30, 0};
    const auto take = [&range](double rate) {
        range.low = std::min(range.low, rate);
        range.high = std::max(range.high, rate);
    };
    for (const RooflineRoof& roof : plot.roofs) {
        take(attainable(roof.roofs, intensity.low));
        take(roof.roofs.flops_per_second);
    }
    for (const RooflineKernel& kernel : plot.kernels) take(kernel.work.flops_per_second());
    const double low = decade_below(range.low * kBelow);
    return {low, std::max(range.high * kAbove, 100 * low)};
}

ImVec2 place(double intensity, double rate) {
    return {static_cast<float>(intensity), static_cast<float>(rate)};
}

void add_roof(Chart& chart, const RooflineRoof& roof, const Range& intensity) {
    ChartSeries line{"", roof.color, Mark::kLine, {}, false};
    for (const RoofPoint& point : roof_line(roof.roofs, intensity.low, intensity.high, kRoofPlaces))
        line.points.push_back(place(point.intensity, point.flops_per_second));
    const float right = line.points.back().x;
    chart.series.push_back(std::move(line));
    chart.texts.push_back({place(right, roof.roofs.flops_per_second),
                           roof.name + " " + format_si(roof.roofs.flops_per_second, "FLOP/s"),
                           {1, 1}});
}

/// Names memory's slope below its middle, once where lines share it.
void add_slope_text(Chart& chart, const RooflineRoof& roof, const Range& intensity) {
    const double middle = std::sqrt(intensity.low * roof.roofs.ridge());
    chart.texts.push_back({place(middle, attainable(roof.roofs, middle)),
                           format_si(roof.roofs.bytes_per_second, "B/s"),
                           {0, 0}});
}

std::string roof_text(const RooflineRoof& roof, double intensity) {
    const bool memory = intensity < roof.roofs.ridge();
    return roof.name + " roof, measured\nat " + format_number(intensity) +
           " operations per byte at most " +
           format_si(attainable(roof.roofs, intensity), "FLOP/s") + ": " +
           (memory ? "memory's " + format_si(roof.roofs.bytes_per_second, "B/s") + " are the limit"
                   : std::string{"arithmetic is the limit"}) +
           "\nridge at " + format_number(roof.roofs.ridge()) + " operations per byte";
}

}  // namespace

Chart roofline_chart(const RooflinePlot& plot) {
    Chart chart;
    chart.id = plot.id;
    if (plot.kernels.empty() && plot.roofs.empty()) return chart;
    const Range x = intensities(plot), y = rates(plot, x);
    chart.x = {"operations per byte (FLOP/B)", Scale::kLog, static_cast<float>(x.low),
               static_cast<float>(x.high)};
    chart.y = {"operations per second (FLOP/s)", Scale::kLog, static_cast<float>(y.low),
               static_cast<float>(y.high)};
    for (const RooflineRoof& roof : plot.roofs) add_roof(chart, roof, x);
    std::vector<std::string> groups;
    for (const RooflineKernel& kernel : plot.kernels) {
        const ImVec2 at = place(kernel.work.intensity(), kernel.work.flops_per_second());
        const bool fresh = std::ranges::find(groups, kernel.group) == groups.end();
        chart.series.push_back(
            {fresh ? kernel.group : "", kernel.color, Mark::kPoints, {at}, false});
        if (fresh) groups.push_back(kernel.group);
        if (!kernel.label.empty()) chart.texts.push_back({at, kernel.label, {0, 0.5f}});
        if (plot.current && &kernel == &plot.kernels[*plot.current]) chart.current = at;
    }
    for (const RooflineRoof& roof : plot.roofs) {
        const bool shared = &roof != &plot.roofs.front() &&
                            roof.roofs.bytes_per_second == (&roof)[-1].roofs.bytes_per_second;
        if (!shared) add_slope_text(chart, roof, x);
    }
    chart.hover = [roofs = plot.roofs, kernels = plot.kernels, chart_series = chart.series](
                      std::size_t series, std::size_t point) {
        if (series >= roofs.size()) return roofline_text(kernels[series - roofs.size()]);
        return roof_text(roofs[series], static_cast<double>(chart_series[series].points[point].x));
    };
    return chart;
}

std::optional<std::size_t> kernel_under(const RooflinePlot& plot, const ChartHit& hit) {
    if (hit.series < plot.roofs.size()) return std::nullopt;
    return hit.series - plot.roofs.size();
}

std::string roofline_text(const RooflineKernel& kernel) {
    const KernelWork& work = kernel.work;
    std::string text = kernel.name + "\n" + format_si(work.flops_per_second(), "FLOP/s") + ", " +
                       format_si(work.bytes_per_second(), "B/s") + " in " + format_ms(work.ms) +
                       " (measured)\n" + format_number(work.intensity()) +
                       " operations per byte (counted)\n";
    return text + (kernel.roofs ? roof_sentence(*kernel.roofs, work)
                                : std::string{"Its processor's roofs are not measured yet."});
}

}  // namespace warpscope
