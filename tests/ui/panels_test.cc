// SPDX-License-Identifier: MIT
// What the Explore and Device panels work out, without a window.
#include <gtest/gtest.h>

#include "app/machine_report.h"
#include "app/panels/coordinates.h"
#include "app/panels/frame_map.h"
#include "app/path_log.h"
#include "kernels/engine/warp_study.h"

namespace warpscope {
namespace {

std::string problem_of(std::string_view re, std::string_view im, std::string_view zoom) {
    try {
        typed_view({}, re, im, zoom);
    } catch (const NumberError& error) {
        return error.what();
    }
    return "";
}

TEST(Coordinates, KeepEveryTypedDigit) {
    const std::string digits =
        "-0.7436438870371587047521915061147740000000000000000000000000000000000000001";
    const View view = typed_view({}, digits, "1e-400", "3.5E12");
    EXPECT_EQ(view.re, BigFloat::parse(digits));
    EXPECT_EQ(view.im, BigFloat::parse("1e-400"));
    EXPECT_NE(view.im.sign(), 0);
    EXPECT_EQ(view.zoom, BigFloat::parse("3.5e12"));
}

TEST(Coordinates, EmptyFieldKeepsWhatIsThere) {
    View now;
    now.im = BigFloat::parse("0.125");
    const View view = typed_view(now, "  0.5 ", "", " \t");
    EXPECT_EQ(view.re, BigFloat{0.5});
    EXPECT_EQ(view.im, now.im);
    EXPECT_EQ(view.zoom, now.zoom);
}

TEST(Coordinates, AcceptWhatPeoplePaste) {
    EXPECT_EQ(parse_typed("\u22120.74 364 388"), BigFloat::parse("-0.74364388"));
    EXPECT_EQ(parse_typed("1_000\n"), BigFloat{1000});
}

TEST(Coordinates, BadTypingNamesFieldAndWhatIsAccepted) {
    const std::string im = problem_of("0", "0,5", "1");
    EXPECT_TRUE(im.starts_with("Imaginary part: ")) << im;
    EXPECT_NE(im.find("-1.25"), std::string::npos) << im;
    EXPECT_TRUE(problem_of("nan", "", "").starts_with("Real part: "));
    EXPECT_TRUE(problem_of("", "", "1e").starts_with("Zoom: "));
    EXPECT_NE(problem_of("", "", "0").find("above 0"), std::string::npos);
    EXPECT_NE(problem_of("", "", "-3").find("above 0"), std::string::npos);
    EXPECT_EQ(problem_of("", "", ""), "");
}

TEST(PrecisionSentence, SaysWhatPlanDoes) {
    for (const double zoom : {1.0, 1e3, 1e5, 1e8, 1e11}) {
        Scene scene;
        scene.view.zoom = BigFloat{zoom};
        const bool floats = plan(scene, 1920, 1080)->precision == Precision::kFloat;
        const std::string text = precision_sentence(scene, 1080);
        EXPECT_TRUE(text.starts_with(floats ? "Auto runs float" : "Auto runs double")) << text;
    }
}

TEST(PrecisionSentence, WarnsOfFloatWherePixelsCoincide) {
    Scene scene;
    scene.precision = PrecisionChoice::kFloat;
    EXPECT_EQ(precision_sentence(scene, 1080).find("too coarse"), std::string::npos);
    scene.view.zoom = BigFloat{1e9};
    EXPECT_NE(precision_sentence(scene, 1080).find("too coarse"), std::string::npos);
    scene.precision = PrecisionChoice::kDf64;
    EXPECT_EQ(precision_sentence(scene, 1080).find("df64, as chosen"), 0u);
    scene.precision = PrecisionChoice::kAuto;
    const std::string slow_double = precision_sentence(scene, 1080, Df64Speed::kFaster);
    EXPECT_NE(slow_double.find("df64"), std::string::npos) << slow_double;
}

TEST(FrameMap, PixelsStandForThePointInTheirMiddle) {
    FrameJob job;
    job.center_re = -0.745;
    job.center_im = 0.1;
    job.spacing = 1e-5;
    job.limit = 100;
    job.width = 301;
    job.height = 203;
    job.shift_x = 0.25;
    job.shift_y = -3;
    for (const auto& [x, y] : {std::pair{0, 0}, {300, 202}, {17, 101}}) {
        const std::complex<double> point = plane_point(job, x, y);
        const FramePoint at = frame_point(job, point);
        EXPECT_NEAR(at.x, x + 0.5, 1e-6);
        EXPECT_NEAR(at.y, y + 0.5, 1e-6);
        const WarpStudy study = study_warp(job, {8, 4}, x, y).value();
        const WarpLane& lane = study.lanes[static_cast<std::size_t>(study.lane)];
        EXPECT_NEAR(std::abs(lane.c - point), 0, 1e-12) << "as the kernel sees it";
    }
}

FrameJob job_of(int width) {
    FrameJob job;
    job.width = width;
    job.height = 10;
    return job;
}

FrameCost shared_cost(double kernel) {
    FrameCost cost;
    cost.kernel = kernel;
    cost.map = 0.25;
    cost.unmap = 0.25;
    cost.draw = 0.5;
    return cost;
}

FrameCost copied_cost(double kernel) {
    FrameCost cost;
    cost.kernel = kernel;
    cost.copy = 1.5;
    cost.upload = 1;
    cost.draw = 0.5;
    return cost;
}

void feed(PathLog& log, SamplePath path, const FrameJob& job, const FrameCost& cost, int frames) {
    for (int i = 0; i < frames; ++i) log.add(path, job, cost);
}

TEST(PathLog, ComparesBothWaysOnTheSameJob) {
    PathLog log;
    feed(log, SamplePath::kShared, job_of(20), shared_cost(1), 40);
    EXPECT_FALSE(log.gain());
    feed(log, SamplePath::kHostCopy, job_of(20), copied_cost(1), 40);
    ASSERT_TRUE(log.gain());
    EXPECT_DOUBLE_EQ(log.gain()->ratio, 2);  // (1 + 2.5 + 0.5) : (1 + 0.5 + 0.5)
    EXPECT_DOUBLE_EQ(log.gain()->saved_ms, 2);
}

TEST(PathLog, NeverComparesDifferentJobs) {
    PathLog log;
    feed(log, SamplePath::kShared, job_of(20), shared_cost(1), 40);
    feed(log, SamplePath::kHostCopy, job_of(21), copied_cost(1), 40);
    EXPECT_TRUE(log.figures(SamplePath::kShared));
    EXPECT_TRUE(log.figures(SamplePath::kHostCopy));
    EXPECT_FALSE(log.gain());
}

TEST(PathLog, LeavesOutFramesAfterAChange) {
    PathLog log;
    feed(log, SamplePath::kShared, job_of(20), shared_cost(1), 30);
    // Late figures of the other way arrive under the new one's name.
    feed(log, SamplePath::kHostCopy, job_of(20), shared_cost(900), PathLog::kSettle);
    EXPECT_FALSE(log.figures(SamplePath::kHostCopy));
    feed(log, SamplePath::kHostCopy, job_of(20), copied_cost(1), 9);
    ASSERT_TRUE(log.figures(SamplePath::kHostCopy));
    EXPECT_EQ(log.figures(SamplePath::kHostCopy)->frames, 9u);
    EXPECT_DOUBLE_EQ(log.figures(SamplePath::kHostCopy)->kernel, 1);
}

TEST(PathLog, KeepsTheNewestFrames) {
    PathLog log;
    feed(log, SamplePath::kShared, job_of(20), shared_cost(1), 200);
    feed(log, SamplePath::kShared, job_of(20), shared_cost(3), PathLog::kFrames);
    EXPECT_EQ(log.figures(SamplePath::kShared)->frames, PathLog::kFrames);
    EXPECT_DOUBLE_EQ(log.figures(SamplePath::kShared)->kernel, 3);
}

TEST(PathTrial, RunsBothWaysInTurnsAndComesBack) {
    PathTrial trial;
    EXPECT_FALSE(trial.next_frame());
    trial.start(InteropChoice::kOn);
    std::vector<InteropChoice> probes;
    int frames = 0;
    for (; trial.running(); ++frames) {
        if (const auto choice = trial.next_frame()) probes.push_back(*choice);
    }
    EXPECT_EQ(frames, PathTrial::kTurns * PathTrial::kFramesATurn + 1);
    EXPECT_EQ(probes, (std::vector{InteropChoice::kOff, InteropChoice::kAuto, InteropChoice::kOff,
                                   InteropChoice::kAuto, InteropChoice::kOn}));
    EXPECT_FALSE(trial.next_frame());
}

TEST(MachineReport, HoldsEveryFact) {
    MachineFacts facts;
    facts.version = "9.9.9";
    facts.cpu = "A Processor";
    facts.isa = "AVX2";
    facts.threads = 12;
    facts.cuda.toolkit = 13000;
    facts.cuda.driver = 12080;
    facts.cuda.devices.push_back({.index = 0,
                                  .name = "A GPU",
                                  .cc_major = 8,
                                  .cc_minor = 6,
                                  .sm_count = 46,
                                  .pci_bus_id = "0000:65:00.0"});
    facts.gl = {"A Vendor", "A Renderer", "4.5"};
    facts.interop.reason = "a reason";
    facts.interop.remedy = "a remedy";
    facts.backends = {{"cpu", ""}, {"cuda", "no driver"}};
    facts.gain = PathGain{2.5, 1.25};
    const std::string text = machine_report(facts);
    for (const char* fact :
         {"9.9.9", "A Processor, AVX2, 12 threads", "A GPU", "8.6", "46 SMs", "0000:65:00.0",
          "13.0", "12.8", "A Renderer", "off: a reason", "a remedy", "no driver", "2.50×"}) {
        EXPECT_NE(text.find(fact), std::string::npos) << fact << " in\n" << text;
    }
}

TEST(MachineReport, ModelsBandwidthFromClockAndWidth) {
    CudaDevice device;
    EXPECT_EQ(model_bandwidth(device), 0);
    device.memory_clock_khz = 9'751'000;
    device.memory_bus_bits = 384;
    EXPECT_NEAR(model_bandwidth(device), 936.1e9, 0.1e9);  // an RTX 3090's data sheet: 936 GB/s
}

TEST(MachineReport, FindsTheCommandInARemedy) {
    EXPECT_EQ(command_in("relaunch on the NVIDIA GPU: __NV_PRIME_RENDER_OFFLOAD=1 "
                         "__GLX_VENDOR_LIBRARY_NAME=nvidia warpscope; on a desktop, plug"),
              "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia warpscope");
    EXPECT_EQ(command_in("update the driver"), "");
}

}  // namespace
}  // namespace warpscope
