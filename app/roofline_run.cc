// SPDX-License-Identifier: MIT
#include "app/roofline_run.h"

#include "kernels/engine/rungs.h"

namespace warpscope {
namespace {

// Shares of the run's time, roughly.
constexpr double kRoofsDone = 0.15, kViewDone = 0.25, kDemosDone = 0.9;

RooflinePoint view_point(const RooflineRequest& request, const std::stop_token& stop) {
    RungsRequest rungs;
    rungs.backend = request.backend;
    rungs.cuda_device = request.cuda_device;
    rungs.job = request.job;
    rungs.tuning = request.tuning;
    rungs.methods = {request.tuning.method};
    RooflinePoint point;
    point.kernel = "this view";
    point.variant = method_name(request.tuning.method);
    point.type = request.job.precision;
    const std::vector<RungTime> times = time_rungs(rungs, stop);
    if (times.empty()) {
        point.problem = "stopped";
        return point;
    }
    const RungTime& rung = times.front();
    point.problem = rung.problem;
    point.time = rung.kernel;
    FrameStats stats = rung.stats;
    stats.kernel_ms = rung.kernel.median;
    point.work = escape_work(rung.method, stats);
    if (point.problem.empty() && point.work.flops <= 0) {
        point.problem = "no iteration was executed: shortcuts knew every pixel";
    }
    return point;
}

LabRequest demo_request(const LabDemo& demo, const LabRung& rung, const RooflineRequest& request) {
    LabRequest run;
    run.demo = demo.name;
    run.rung = rung.name;
    // A GPU needs large matrices to be full, and the naive CPU rung takes n^3.
    constexpr std::size_t kCpuEdge = 512, kGpuEdge = 2048;
    if (demo.rate == LabRate::kCompute) run.n = rung.backend == "cuda" ? kGpuEdge : kCpuEdge;
    run.device = request.cuda_device;
    run.cpu_threads = request.tuning.cpu_threads;
    run.plan.min_samples = 5;
    run.plan.min_seconds = 0.1;
    run.plan.max_seconds = 1;
    return run;
}

/// The rungs that run on the same kind of processor.
std::vector<LabRequest> demo_requests(const RooflineRequest& request, const BackendInfo& backend) {
    std::vector<LabRequest> runs;
    const bool gpu = backend.cuda_device >= 0;
    for (const LabDemo& demo : lab_demos()) {
        for (const LabRung& rung : lab_rungs(demo.name)) {
            if (!rung.unavailable.empty() || (rung.backend == "cuda") != gpu) continue;
            runs.push_back(demo_request(demo, rung, request));
        }
    }
    return runs;
}

RooflinePoint demo_point(const LabRequest& run, const std::stop_token& stop) {
    try {
        return point_of(run_rung(run, stop));
    } catch (const std::runtime_error& error) {
        RooflinePoint point;
        point.kernel = find_lab_demo(run.demo).title;
        point.variant = run.rung;
        point.problem = error.what();
        return point;
    }
}

}  // namespace

std::string method_name(const Method& method) {
    const MethodRung* rung = rung_of(method);
    return rung != nullptr ? std::string{rung->key} : "own combination";
}

RooflinePoint point_of(const LabResult& result) {
    RooflinePoint point;
    point.kernel = find_lab_demo(result.demo).title;
    point.variant = result.rung;
    if (!result.figures) {
        point.problem = result.cancelled ? "stopped" : "withheld: " + result.verification.failure;
        return point;
    }
    point.time = result.figures->kernel;
    point.work = {result.figures->flops, result.figures->bytes, point.time.median};
    return point;
}

RooflineReport measure_roofline(const RooflineRequest& request, const std::stop_token& stop,
                                const RooflineProgress& progress) {
    const auto tell = [&](double fraction, std::string label) {
        if (progress) progress(fraction, std::move(label));
    };
    RooflineReport report{
        request, make_backend(request.backend, request.cuda_device)->info(), {}, {}};
    tell(0, "roofs");
    RoofMeter meter{{report.backend.cuda_device, request.tuning.cpu_threads}};
    meter.measure(stop, [&](double done) { tell(kRoofsDone * done, "roofs"); });
    tell(kRoofsDone, "this view");
    report.points.push_back(view_point(request, stop));
    std::vector<LabRequest> runs;
    if (request.scope == RooflineScope::kViewAndDemos)
        runs = demo_requests(request, report.backend);
    for (std::size_t i = 0; i < runs.size() && !stop.stop_requested(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(runs.size());
        tell(kViewDone + (kDemosDone - kViewDone) * share, runs[i].demo + " " + runs[i].rung);
        report.points.push_back(demo_point(runs[i], stop));
    }
    tell(kDemosDone, "roofs again");
    meter.measure(stop,
                  [&](double done) { tell(kDemosDone + (1 - kDemosDone) * done, "roofs again"); });
    report.machine = meter.found();
    return report;
}

}  // namespace warpscope
