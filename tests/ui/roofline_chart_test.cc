// SPDX-License-Identifier: MIT
// The roofline chart's points and texts, and the roofs behind it, without a window.
#include <gtest/gtest.h>

#include <array>

#include "app/panels/roofline_chart.h"
#include "app/roof_book.h"

namespace warpscope {
namespace {

constexpr Roofs kRoofs{1e12, 1e11};  // ridge at 10

RooflineKernel kernel(double flops, double bytes) {
    RooflineKernel kernel;
    kernel.name = "a kernel";
    kernel.label = "k";
    kernel.group = "CPU";
    kernel.work = {flops, bytes, 1, 0};
    kernel.roofs = kRoofs;
    return kernel;
}

RooflinePlot two_kernels() {
    RooflinePlot plot;
    plot.roofs = {{"float", kRoofs, 1}};
    plot.kernels = {kernel(1e7, 1e8), kernel(5e8, 1e6)};
    return plot;
}

void expect_near(float got, double want) {
    EXPECT_NEAR(static_cast<double>(got) / want, 1, 1e-5) << got;
}

TEST(RooflineChart, DrawsKernelsAtIntensityAndRate) {
    const Chart chart = roofline_chart(two_kernels());
    ASSERT_EQ(chart.series.size(), 3u);
    EXPECT_EQ(chart.x.scale, Scale::kLog);
    EXPECT_EQ(chart.y.scale, Scale::kLog);
    expect_near(chart.series[1].points.front().x, 0.1);
    expect_near(chart.series[1].points.front().y, 1e10);  // 1e7 operations in a millisecond
    expect_near(chart.series[2].points.front().x, 500);
    expect_near(chart.series[2].points.front().y, 5e11);
}

TEST(RooflineChart, RoofRisesToTheRidgeAndIsLevelFromThere) {
    const Chart chart = roofline_chart(two_kernels());
    const std::vector<ImVec2>& line = chart.series.front().points;
    expect_near(line.front().y / line.front().x, 1e11);
    expect_near(line.back().y, 1e12);
    for (const ImVec2 p : line) expect_near(p.y, std::min(1e11 * static_cast<double>(p.x), 1e12));
}

TEST(RooflineChart, AxesAreWholeDecadesAroundEverything) {
    const Chart chart = roofline_chart(two_kernels());
    expect_near(*chart.x.min, 0.01);
    expect_near(*chart.x.max, 1000);
    for (const ChartSeries& series : chart.series) {
        for (const ImVec2 p : series.points) {
            EXPECT_GE(p.y, *chart.y.min);
            EXPECT_LE(p.y, *chart.y.max);
        }
    }
}

TEST(RooflineChart, NamesAGroupOnceAndTheSharedSlopeOnce) {
    RooflinePlot plot = two_kernels();
    plot.roofs.push_back({"double", {5e11, 1e11}, 2});
    const Chart chart = roofline_chart(plot);
    EXPECT_EQ(chart.series[2].name, "CPU");
    EXPECT_EQ(chart.series[3].name, "");
    std::size_t slopes = 0;
    for (const ChartText& text : chart.texts) slopes += text.text == "100 GB/s";
    EXPECT_EQ(slopes, 1u);
}

TEST(RooflineChart, TellsKernelsFromRoofsUnderTheMouse) {
    const RooflinePlot plot = two_kernels();
    EXPECT_FALSE(kernel_under(plot, {0, 3, true}));
    EXPECT_EQ(kernel_under(plot, {2, 0, true}), 1u);
    const Chart chart = roofline_chart(plot);
    EXPECT_NE(chart.hover(0, 0).find("memory's 100 GB/s"), std::string::npos) << chart.hover(0, 0);
    EXPECT_NE(chart.hover(1, 0).find("Memory is the limit"), std::string::npos);
    EXPECT_NE(chart.hover(2, 0).find("Arithmetic is the limit"), std::string::npos);
}

TEST(RooflineChart, MarksTheRunningKernel) {
    RooflinePlot plot = two_kernels();
    plot.current = 1;
    const Chart chart = roofline_chart(plot);
    ASSERT_TRUE(chart.current);
    EXPECT_EQ(chart.current->x, chart.series[2].points.front().x);
}

TEST(RooflineChart, NeedsNeitherRoofsNorKernels) {
    EXPECT_TRUE(roofline_chart({}).series.empty());
    RooflinePlot plot = two_kernels();
    plot.roofs.clear();
    for (RooflineKernel& one : plot.kernels) one.roofs.reset();
    const Chart chart = roofline_chart(plot);
    EXPECT_EQ(chart.series.size(), 2u);
    EXPECT_NE(chart.hover(0, 0).find("not measured yet"), std::string::npos);
}

TEST(RoofBook, KeepsTheNewestOfEachProcessor) {
    RoofBook book;
    EXPECT_EQ(book.find(-1), nullptr);
    MachineRoofs slow, fast;
    slow.float_fma = 1;
    fast.float_fma = 2;
    book.add({{-1, slow}, {0, slow}});
    book.add({{0, fast}});
    EXPECT_EQ(book.all().size(), 2u);
    EXPECT_EQ(book.find(-1)->float_fma, 1);
    EXPECT_EQ(book.find(0)->float_fma, 2);
    EXPECT_EQ(book.find(1), nullptr);
}

TEST(MeasureRoofs, StopsBeforeTheFirstProcessor) {
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(measure_roofs(std::array{RoofSubject{-1, 1}}, source.get_token()).empty());
}

}  // namespace
}  // namespace warpscope
