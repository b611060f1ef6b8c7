// SPDX-License-Identifier: MIT
#include "app/session/report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/session/atomic_file.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

FrameReport example() {
    FrameReport report;
    for (int i = 1; i <= 101; ++i) report.frame_ms.push_back(i);
    report.kernel_ms = {0.5};
    report.backend = "cuda";
    report.device = "NVIDIA H200";
    report.precision = "float";
    report.interop_active = true;
    report.interop_reason = "same GPU";
    report.scene.view.re = BigFloat::parse("-0.743643887037158704752191506114774");
    report.width = 1920;
    report.height = 1080;
    return report;
}

TEST(Report, HoldsWhatScriptsDependOn) {
    const nlohmann::json json = to_json(example());
    EXPECT_EQ(json["frames"], 101);
    EXPECT_EQ(json["frame_ms"]["median"], 51);
    EXPECT_EQ(json["frame_ms"]["p99"], 100);
    EXPECT_EQ(json["frame_ms"]["max"], 101);
    EXPECT_EQ(json["kernel_ms"]["median"], 0.5);
    EXPECT_EQ(json["backend"], "cuda");
    EXPECT_EQ(json["device"], "NVIDIA H200");
    EXPECT_EQ(json["precision"], "float");
    EXPECT_EQ(json["interop"]["active"], true);
    EXPECT_EQ(json["interop"]["reason"], "same GPU");
    const nlohmann::json& view = json["view"];
    EXPECT_EQ(BigFloat::parse(view["re"].get<std::string>()).to_string(36),
              example().scene.view.re.to_string(36));
    EXPECT_EQ(view["zoom"], "1.5");
    EXPECT_EQ(view["formula"], "mandelbrot");
    EXPECT_EQ(view["power"], 2);
    EXPECT_EQ(view["max_iter"], 1000);
    EXPECT_EQ(view["bailout"], 256);
    EXPECT_EQ(view["width"], 1920);
    EXPECT_EQ(view["height"], 1080);
    EXPECT_TRUE(view["julia"].is_null());
}

TEST(Report, WithoutFramesHasNullsInsteadOfZeros) {
    const nlohmann::json json = to_json(FrameReport{});
    EXPECT_EQ(json["frames"], 0);
    EXPECT_TRUE(json["frame_ms"]["median"].is_null());
    EXPECT_TRUE(json["kernel_ms"]["max"].is_null());
}

TEST(Report, NamesTheJuliaConstant) {
    FrameReport report = example();
    report.scene.julia = true;
    report.scene.julia_im = BigFloat{0.125};
    EXPECT_EQ(to_json(report)["view"]["julia"]["im"], "0.125");
}

TEST(Report, TakesExtrasButNeverReplacesItsOwnKeys) {
    FrameReport report = example();
    report.extras["message"] = "hello";
    report.extras["backend"] = "abacus";
    EXPECT_EQ(to_json(report)["message"], "hello");
    EXPECT_EQ(to_json(report)["backend"], "cuda");
    report.extras = 5;
    EXPECT_EQ(to_json(report)["frames"], 101);
}

TEST(Report, IsWrittenWholeEvenWithBytesThatAreNotUtf8) {
    const TempDir dir;
    FrameReport report = example();
    report.device = "GPU \xff";
    write_json(dir.path() / "r.json", to_json(report));
    const auto json = nlohmann::json::parse(read_file(dir.path() / "r.json", 1 << 20));
    EXPECT_EQ(json["frames"], 101);
    EXPECT_EQ(dir.names().size(), 1u);
    EXPECT_THROW(write_json(dir.path() / "no" / "r.json", json), FileError);
}

TEST(Percentile, InterpolatesBetweenNeighbours) {
    EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 50), 2.5);
    EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 0), 1);
    EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 100), 4);
    EXPECT_DOUBLE_EQ(percentile({7}, 99), 7);
    EXPECT_TRUE(std::isnan(percentile({}, 50)));
    EXPECT_TRUE(std::isnan(percentile({1, std::nan("")}, 50)));
}

}  // namespace
}  // namespace warpscope
