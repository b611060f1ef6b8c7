// SPDX-License-Identifier: MIT
#include "app/session/trace_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "app/session/atomic_file.h"
#include "tests/engine/frames.h"
#include "tests/engine/traces.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

using nlohmann::json;

void expect_equal(const Trace& a, const Trace& b) {
    EXPECT_EQ(a.backend, b.backend);
    EXPECT_EQ(a.device, b.device);
    EXPECT_EQ(a.detail, b.detail);
    EXPECT_EQ(a.kernel, b.kernel);
    EXPECT_EQ(a.job, b.job);
    EXPECT_EQ(a.shape, b.shape);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(a.units, b.units);
    EXPECT_EQ(a.slots, b.slots);
    EXPECT_EQ(a.unit_warps, b.unit_warps);
    EXPECT_EQ(a.kernel_ms, b.kernel_ms);
    EXPECT_EQ(a.grids, b.grids);
    EXPECT_EQ(a.spans, b.spans);
}

/// Every field unlike its default, and numbers that have no short decimal.
Trace odd_trace() {
    Trace trace = two_multiprocessors();
    trace.device = "GPU \"quoted\" µ";
    trace.job.formula = Formula::kBurningShip;
    trace.job.julia = true;
    trace.job.julia_re = std::nextafter(0.3, 1);
    trace.job.julia_im = -1e-300;
    trace.job.precision = Precision::kDf64;
    trace.job.center_re = std::nextafter(-0.75, 0);
    trace.job.center_im = 1. / 3;
    trace.job.spacing = 1e-13 / 3;
    trace.job.shift_x = -5.015625;
    trace.job.shift_y = 2;
    trace.job.limit = 999'999'999;
    trace.job.bailout = 1e9 / 7;
    trace.kernel_ms = 0.1 + 0.2;
    trace.grids.push_back({1, 3, std::nullopt});
    trace.grids.push_back({2, 1, Part{1, 2, 15, 16, 4, 3}});
    trace.spans[3] = {1, 0, 2, 1, 1, 4, 7. / 3 * 2, ~std::uint64_t{0}, std::uint64_t{1} << 53 | 1};
    return trace;
}

TEST(TraceFile, KeepsEveryBit) {
    const TempDir dir;
    for (const Trace& trace : {two_threads(), two_multiprocessors(), odd_trace()}) {
        save_trace(dir.path() / "t.json", trace);
        expect_equal(load_trace(dir.path() / "t.json"), trace);
    }
    Trace none = two_threads();
    none.spans.clear();
    none.slots.reset();
    save_trace(dir.path() / "t.json", none);
    expect_equal(load_trace(dir.path() / "t.json"), none);
}

TEST(TraceFile, KeepsARecordedFrame) {
    const auto backend = make_backend("cpu");
    backend->record(Recording::kSpans);
    FrameJob job = endless_job();
    job.limit = 100;
    Tuning tuning;
    tuning.cpu_tile = 8;
    compute(*backend, job, tuning);
    Trace trace = backend->take_trace().value();
    arrange(trace);
    const TempDir dir;
    save_trace(dir.path() / "t.json", trace);
    expect_equal(load_trace(dir.path() / "t.json"), trace);
    const auto bytes = std::filesystem::file_size(dir.path() / "t.json");
    EXPECT_LT(bytes, trace.spans.size() * 85) << "for " << trace.spans.size() << " spans";
}

/// Recorded on an H200: the home view in blocks of 32x32, two of which fit on an SM.
TEST(TraceFile, ARecordedGpuFrameHoldsTogether) {
    const Trace trace = load_trace(WARPSCOPE_SESSION_DATA "/h200-home.trace.json");
    EXPECT_EQ(trace.units, 132);
    EXPECT_EQ(trace.slots, 2);
    const TraceSummary summary = summarize(trace);
    EXPECT_EQ(summary.spans, 920u);
    EXPECT_NEAR(summary.waves->waves, 3.48, 0.01);
    EXPECT_NEAR(summary.lane_efficiency, 0.829, 0.001);
    EXPECT_NEAR(*summary.achieved_occupancy, 0.733, 0.001);
    EXPECT_GT(summary.tail_share, 0.4) << "those in the set are the last";
    Trace again = trace;
    arrange(again);
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        EXPECT_EQ(again.spans[i].slot, trace.spans[i].slot);
        EXPECT_NEAR(again.spans[i].placed_us, trace.spans[i].placed_us, 1e-3);
    }
}

TEST(TraceFile, NamesWhatIsDamaged) {
    const auto expect = [](const std::string& words, const std::function<void(json&)>& damage) {
        json damaged = to_json(odd_trace());
        damage(damaged);
        try {
            parse_trace(damaged.dump());
            FAIL() << "took it: " << words;
        } catch (const TraceError& error) {
            EXPECT_NE(std::string{error.what()}.find(words), std::string::npos) << error.what();
        }
    };
    expect("format must be", [](json& file) { file["format"] = "other"; });
    expect("format is missing", [](json& file) { file.erase("format"); });
    expect("version is 2; this program reads 1", [](json& file) { file["version"] = 2; });
    expect("must be an object", [](json& file) { file = json::array({1}); });
    expect("job must be an object", [](json& file) { file["job"] = 3; });
    expect("job.width must be", [](json& file) { file["job"]["width"] = 0; });
    expect("job.width must be", [](json& file) { file["job"]["width"] = 16.0; });
    expect("job.max_iter must be", [](json& file) { file["job"]["max_iter"] = 1LL << 32; });
    expect("job.max_iter must be", [](json& file) { file["job"]["max_iter"] = 1'000'000'001; });
    expect("job.power must be", [](json& file) { file["job"]["power"] = 0; });
    expect("kernel's time", [](json& file) { file["kernel_ms"] = 1e308; });
    expect("times", [](json& file) { file["spans"]["end_us"][3] = 1e300; });
    expect("job.formula: ", [](json& file) { file["job"]["formula"] = "newton"; });
    expect("job.precision must be", [](json& file) { file["job"]["precision"] = "half"; });
    expect("job.julia must be true", [](json& file) { file["job"]["julia"] = 1; });
    expect("job.spacing must be a number", [](json& file) { file["job"]["spacing"] = nullptr; });
    expect("spacing must be a positive", [](json& file) { file["job"]["spacing"] = -1; });
    expect("device must be a string", [](json& file) { file["device"] = 7; });
    expect("unit must be thread or SM", [](json& file) { file["unit"] = "core"; });
    expect("units must be", [](json& file) { file["units"] = -3; });
    expect("slots must be", [](json& file) { file["slots"] = "many"; });
    expect("shape has 3 items, not 2", [](json& file) { file["shape"].push_back(1); });
    expect("grids[1].x must be", [](json& file) { file["grids"][1]["x"] = 0; });
    expect("grids[2].part has 5 items", [](json& file) { file["grids"][2]["part"].erase(0); });
    expect("grid 2: part", [](json& file) { file["grids"][2]["part"][2] = 17; });
    expect("spans.end_us has 3 items, not 4", [](json& file) { file["spans"]["end_us"].erase(2); });
    expect("spans.slot is missing", [](json& file) { file["spans"].erase("slot"); });
    expect("spans.x[2] must be", [](json& file) { file["spans"]["x"][2] = -1; });
    expect("spans.start_us[1] must be", [](json& file) { file["spans"]["start_us"][1] = "0"; });
    expect("spans.executed[0] must be", [](json& file) { file["spans"]["executed"][0] = 1.5; });
    expect("span 2 ran on unit 2 of 2", [](json& file) { file["spans"]["unit"][2] = 2; });
    expect("span 0 ends before", [](json& file) { file["spans"]["end_us"][0] = -1; });
}

TEST(TraceFile, NamesTheFileAndWhereItBreaksOff) {
    const TempDir dir;
    save_trace(dir.path() / "whole.json", two_threads());
    const std::string text = read_file(dir.path() / "whole.json", 1 << 20);
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, text.size() / 2}) {
        const auto path = dir.file("cut.json", text.substr(0, length));
        try {
            load_trace(path);
            FAIL() << length;
        } catch (const TraceError& error) {
            EXPECT_EQ(std::string{error.what()}, path.string() + ": is no JSON from byte " +
                                                     std::to_string(length + 1) + " on");
        }
    }
    EXPECT_THROW(load_trace(dir.path() / "missing.json"), FileError);
    EXPECT_THROW(parse_trace(std::string(100'000, '[')), TraceError);
    EXPECT_THROW(parse_trace("{\"format\": 1e999}"), TraceError);
    EXPECT_THROW(parse_trace("\xff\xfe"), TraceError);
}

TEST(Perfetto, HasAnEventPerSpanOnItsUnitsThread) {
    const Trace trace = two_threads();
    const json file = json::parse(perfetto_text({&trace, 1}));
    std::map<int, std::string> names;
    std::size_t spans = 0;
    for (const json& event : file["traceEvents"]) {
        EXPECT_EQ(event["pid"], 1);
        if (event["name"] == "thread_name") names[event["tid"]] = event["args"]["name"];
        if (event["name"] == "process_name") {
            EXPECT_EQ(event["ph"], "M");
            EXPECT_EQ(event["args"]["name"], "list: paper");
        }
        if (event["ph"] != "X") continue;
        const Span& span = trace.spans[spans++];
        EXPECT_EQ(event["ts"], span.start_us);
        EXPECT_EQ(event["dur"], span.duration_us());
        EXPECT_EQ(event["tid"], span.unit + 1);
        EXPECT_EQ(event["args"]["iterations executed"], span.executed);
        EXPECT_EQ(event["args"]["lane steps"], span.lane_steps);
    }
    EXPECT_EQ(spans, 4u);
    EXPECT_EQ(names, (std::map<int, std::string>{{1, "thread 0"}, {2, "thread 1"}}));
    EXPECT_NE(file.dump().find("tile (0, 1)"), std::string::npos);
}

TEST(Perfetto, GivesPlacesOfOneUnitThreadsOfTheirOwn) {
    const Trace trace = two_multiprocessors();
    const json file = json::parse(perfetto_text({&trace, 1}));
    std::map<int, double> free_at;
    std::set<std::string> names;
    for (const json& event : file["traceEvents"]) {
        if (event["name"] == "thread_name") names.insert(event["args"]["name"]);
        if (event["ph"] != "X") continue;
        EXPECT_LE(free_at[event["tid"]], event["ts"]) << "events of one thread overlap";
        free_at[event["tid"]] = event["ts"].get<double>() + event["dur"].get<double>();
    }
    EXPECT_EQ(free_at.size(), 3u);
    EXPECT_EQ(names, (std::set<std::string>{"SM 0, slot 0", "SM 0, slot 1", "SM 1, slot 0"}));
}

TEST(Perfetto, CountsResidentWarps) {
    const Trace trace = two_multiprocessors();
    const json file = json::parse(perfetto_text({&trace, 1}));
    std::vector<ConcurrencyStep> steps;
    for (const json& event : file["traceEvents"]) {
        if (event["ph"] == "C") steps.push_back({event["ts"], event["args"]["warps"]});
    }
    EXPECT_EQ(steps, concurrency(trace));
}

TEST(Perfetto, KeepsTracesApart) {
    const std::vector<Trace> both{two_threads(), two_multiprocessors()};
    const json file = json::parse(perfetto_text(both));
    std::map<int, int> spans;
    for (const json& event : file["traceEvents"]) spans[event["pid"]] += event["ph"] == "X";
    EXPECT_EQ(spans, (std::map<int, int>{{1, 4}, {2, 4}}));
    EXPECT_TRUE(json::parse(perfetto_text({}))["traceEvents"].empty());
}

}  // namespace
}  // namespace warpscope
