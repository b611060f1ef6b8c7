// SPDX-License-Identifier: MIT
// The commands that print: compare, devices, occupancy, lab.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "app/cli.h"
#include "app/format.h"
#include "app/json.h"
#include "app/text_table.h"
#include "kernels/engine/occupancy.h"
#include "render/offscreen.h"

namespace warpscope {
namespace {

constexpr int kIndent = 2;

void print_comparison(const Comparison& comparison) {
    std::vector<std::vector<std::string>> rows{{"backend", "kernel ±IQR", "with copy", "end to end",
                                                "first", "N", "effective/s", "counts"}};
    for (const CompareRow& row : comparison.rows) {
        if (row.kernel.count == 0) {
            rows.push_back({row.backend, "—"});
            continue;
        }
        rows.push_back({row.backend, spread(row.kernel), format_ms(row.with_copy.median),
                        format_ms(row.end_to_end.median), format_ms(row.first_launch),
                        std::to_string(row.kernel.count),
                        format_si(row.iterations_per_second(), ""),
                        row.differing == 0 ? "equal" : format_count(row.differing) + " differ"});
    }
    const FrameJob& job = comparison.job;
    std::cout << info(job.formula).title << ", " << job.width << "x" << job.height << ", limit "
              << format_count(job.limit) << ", " << precision_name(job.precision) << '\n';
    for (const CompareRow& row : comparison.rows) {
        if (row.info.name == "cpu" || row.info.name == "cuda") {
            std::cout << row.info.name << ": " << row.info.device << " (" << row.info.detail
                      << ")\n";
        }
    }
    print_table(rows);
    for (const CompareRow& row : comparison.rows) {
        // Why there is no GPU stands in the line on the ratio.
        if (row.kernel.count == 0 && row.backend != "cuda")
            std::cout << row.backend << ": " << row.problem << '\n';
    }
    std::string why;
    if (const std::optional<Ratio> ratio = gpu_ratio(comparison, why)) {
        std::cout << "GPU : " << ratio->cpu_rung << "  kernel " << format_ratio(ratio->kernel)
                  << ", with copy " << format_ratio(ratio->with_copy) << ", end to end "
                  << format_ratio(ratio->end_to_end);
        if (ratio->break_even_frames) {
            std::cout << "; the first launch has paid off after "
                      << format_count(
                             static_cast<std::uint64_t>(std::ceil(*ratio->break_even_frames)))
                      << " frames";
        }
        std::cout << '\n';
    } else {
        std::cout << "no ratio of GPU to CPU: " << why << '\n';
    }
}

/// What OpenGL and the interop probe say, without a window.
struct GlReport {
    std::string problem;
    GlIdentity identity;
    InteropVerdict verdict;
};

GlReport ask_gl(const DevicesOptions& options) {
    GlReport report;
    try {
        OffscreenOptions offscreen;
        offscreen.width = offscreen.height = 64;
        offscreen.cuda_device = options.device;
        const OffscreenContext context{offscreen};
        report.identity = context.identity();
        report.verdict = probe_interop(parse_interop(options.interop), options.device);
    } catch (const GlError& error) {
        report.problem = error.what();
        report.verdict.reason = "there is no OpenGL here: " + report.problem;
    }
    return report;
}

void print_devices(const CudaStatus& cuda, const GlReport& gl) {
    const BackendInfo cpu = make_backend("cpu")->info();
    std::cout << "CPU      " << cpu.device << " (" << cpu.detail << ")\n";
    for (const CudaDevice& device : cuda.devices) {
        std::cout << "GPU " << device.index << "    " << device.name << ", compute capability "
                  << device.cc_major << "." << device.cc_minor << ", " << device.sm_count
                  << " SMs, " << format_bytes(static_cast<double>(device.memory_bytes)) << '\n';
    }
    std::cout << "CUDA     " << (cuda.problem.empty() ? "works" : cuda.problem) << '\n';
    std::cout << "OpenGL   "
              << (gl.problem.empty() ? gl.identity.renderer + ", " + gl.identity.version
                                     : gl.problem)
              << '\n';
    std::cout << "Interop  " << (gl.verdict.active ? "on: " : "off: ") << gl.verdict.reason << '\n';
    if (!gl.verdict.remedy.empty()) std::cout << "         " << gl.verdict.remedy << '\n';
    std::cout << "Backends";
    for (const BackendChoice& choice : backend_choices()) {
        std::cout << ' ' << choice.name << (choice.unavailable.empty() ? "" : " (unavailable)");
    }
    std::cout << '\n';
}

std::string lab_rate(const LabFigures& figures) {
    return format_si(figures.per_second, figures.rate == LabRate::kBandwidth ? "B/s" : "FLOP/s");
}

void print_lab(const std::vector<LabResult>& results) {
    std::vector<std::vector<std::string>> rows{{"rung", "allocate", "copy in", "kernel ±IQR",
                                                "copy out", "free", "N", "rate", "of peak",
                                                "verified"}};
    for (const LabResult& result : results) {
        if (!result.figures) {
            rows.push_back({result.rung, "withheld: " + result.verification.failure});
            continue;
        }
        const LabFigures& figures = *result.figures;
        const LabStages& stages = figures.stages;
        rows.push_back(
            {result.rung, format_ms(stages.allocate + stages.allocate_host),
             format_ms(stages.copy_in), spread(figures.kernel), format_ms(stages.copy_out),
             format_ms(stages.free), std::to_string(figures.kernel.count), lab_rate(figures),
             format_percent(figures.of_peak), format_count(result.verification.checked)});
    }
    if (!results.empty()) {
        std::cout << results.front().demo << ", n = " << format_count(results.front().n) << '\n';
    }
    print_table(rows);
}

template <class T>
T parse_whole(const char* option, const std::string& text) {
    T value{};
    const auto end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end) {
        throw UsageError{std::string{option} + ": '" + text + "' is not a whole number"};
    }
    return value;
}

LabRequest lab_request(const LabOptions& options) {
    LabRequest request;
    request.demo = options.demo;
    if (options.n) {
        if (!(*options.n >= 1) || *options.n > 1e12 || *options.n != std::floor(*options.n)) {
            throw UsageError{"--n must be a whole number from 1 to 1e12"};
        }
        request.n = static_cast<std::size_t>(*options.n);
    }
    if (options.block.find('x') != std::string::npos) {
        const BlockShape block = parse_block(options.block);
        request.block_x = block.x;
        request.block_y = block.y;
    } else if (!options.block.empty()) {
        request.block_x = parse_whole<int>("--block", options.block);
        if (request.block_x < 1 || request.block_x > 1024) {
            throw UsageError{"--block must be 1 to 1024 threads, or XxY"};
        }
    }
    if (!options.seed.empty()) request.seed = parse_whole<std::uint64_t>("--seed", options.seed);
    request.device = checked_device(options.device);
    request.cache = options.warm ? LabCache::kWarm : LabCache::kCold;
    return request;
}

std::vector<std::string> wanted_rungs(const LabOptions& options) {
    try {
        return select_lab_rungs(options.demo, options.backend);
    } catch (const LabError& error) {
        throw UsageError{error.what()};
    }
}

}  // namespace

void run_compare(const CompareOptions& options) {
    if (!(options.seconds >= 0.01 && options.seconds <= 60)) {
        throw UsageError{"--seconds must be a number from 0.01 to 60"};
    }
    const FrameJob job = job_from(options.view, *backend_from(options.view));
    const Tuning tuning = tuning_from(options.view);
    const bool chatty = !options.json;
    const Comparison comparison =
        compare(job, tuning, checked_device(options.view.device), options.seconds, {},
                [chatty, last = std::string{}](const std::string& rung, double) mutable {
                    if (!chatty || rung == last) return;
                    std::cerr << "measuring " << rung << " …\n";
                    last = rung;
                });
    if (options.json) {
        std::cout << to_json(comparison).dump(kIndent) << '\n';
    } else {
        print_comparison(comparison);
    }
}

void run_devices(const DevicesOptions& options) {
    checked_device(options.device);
    const CudaStatus cuda = cuda_status();
    const GlReport gl = ask_gl(options);
    if (!options.json) return print_devices(cuda, gl);
    nlohmann::json out;
    const BackendInfo cpu = make_backend("cpu")->info();
    out["cpu"] = {{"name", cpu.device}, {"detail", cpu.detail}, {"threads", cpu_thread_count()}};
    out["cuda"] = to_json(cuda);
    out["opengl"] = {{"problem", gl.problem},
                     {"vendor", gl.identity.vendor},
                     {"renderer", gl.identity.renderer},
                     {"version", gl.identity.version}};
    out["interop"] = to_json(gl.verdict);
    for (const BackendChoice& choice : backend_choices()) {
        out["backends"].push_back({{"name", choice.name}, {"unavailable", choice.unavailable}});
    }
    std::cout << out.dump(kIndent) << '\n';
}

void run_occupancy(const OccupancyOptions& options) {
    Occupancy result;
    const BlockNeeds needs{options.threads, options.registers, 0, options.shared, std::nullopt};
    const GpuArch* arch = nullptr;
    try {
        arch = &find_gpu_arch(options.cc);
        result = occupancy(*arch, needs);
    } catch (const std::invalid_argument& error) {
        throw UsageError{error.what()};
    }
    if (options.json) {
        std::cout << to_json(result).dump(kIndent) << '\n';
        return;
    }
    std::cout << "occupancy " << format_percent(result.occupancy) << ": " << result.blocks_per_sm
              << " blocks, " << result.warps_per_sm << " of " << result.max_warps_per_sm
              << " warps per SM\n"
              << what_limits(*arch, needs) << '\n';
    for (const std::string& sentence : what_would_raise(*arch, needs)) {
        std::cout << sentence << '\n';
    }
}

void run_lab(const LabOptions& options) {
    LabRequest request = lab_request(options);
    std::vector<LabResult> results;
    for (const std::string& rung : wanted_rungs(options)) {
        request.rung = rung;
        results.push_back(run_rung(request));
        // All rungs get the same data.
        request.seed = results.back().seed;
    }
    if (options.json) {
        nlohmann::json out = nlohmann::json::array();
        for (const LabResult& result : results) out.push_back(to_json(result));
        std::cout << out.dump(kIndent) << '\n';
    } else {
        print_lab(results);
    }
    const bool all_passed =
        std::all_of(results.begin(), results.end(),
                    [](const LabResult& result) { return result.verification.passed; });
    if (!all_passed) throw std::runtime_error{"a rung's output failed verification"};
}

}  // namespace warpscope
