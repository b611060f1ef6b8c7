// SPDX-License-Identifier: MIT
// `warpscope trace`: who computed what, when.
#include <iostream>
#include <stop_token>

#include "app/cli.h"
#include "app/final_steps.h"
#include "app/format.h"
#include "app/json.h"
#include "app/session/trace_file.h"
#include "app/text_table.h"
#include "kernels/engine/frame_run.h"

namespace warpscope {
namespace {

constexpr int kIndent = 2;

Tuning trace_tuning(const TraceOptions& options) {
    constexpr int kMaxThreads = 1024, kMinTile = 8, kMaxTile = 1024;
    Tuning tuning = tuning_from(options.view);
    if (options.threads) {
        tuning.cpu_threads = *options.threads;
        if (tuning.cpu_threads < 1 || tuning.cpu_threads > kMaxThreads) {
            throw UsageError{"--threads must be 1 to 1024"};
        }
    }
    if (options.tile) {
        tuning.cpu_tile = *options.tile;
        if (tuning.cpu_tile < kMinTile || tuning.cpu_tile > kMaxTile) {
            throw UsageError{"--tile must be 8 to 1024 pixels"};
        }
    }
    return tuning;
}

/// Options for others than `backend` would be lost in silence.
void refuse_foreign_options(const TraceOptions& options, const std::string& backend) {
    if (options.threads && backend != "cpu" && backend != "cpu-threads") {
        throw UsageError{"--threads is for backends cpu and cpu-threads, not " + backend};
    }
    if (options.tile && backend == "cuda") {
        throw UsageError{"--tile is for CPU backends; cuda has --block"};
    }
}

/// One frame, after as much of it as wakes threads and clocks up.
Trace record_frame(const TraceOptions& options) {
    constexpr double kWarmUpMs = 200;
    const Tuning tuning = trace_tuning(options);
    const std::unique_ptr<Backend> backend = backend_from(options.view);
    const FrameJob job = job_from(options.view, *backend);
    refuse_foreign_options(options, backend->info().name);
    if (!backend->record(Recording::kSpans)) {
        throw BackendError{"backend " + backend->info().name +
                           " cannot record a trace; --backend cpu can"};
    }
    const HostSamples samples = backend->allocate_host(pixel_count(job));
    // Kernels that record are loaded at their first launch: that one is slower, too.
    run_frame(*backend, job, tuning, samples.get(), std::stop_token{}, kWarmUpMs);
    backend->take_trace();
    run_frame(*backend, job, tuning, samples.get(), std::stop_token{});
    std::optional<Trace> trace = backend->take_trace();
    if (!trace) {
        throw BackendError{"the frame has more than " + format_count(kMostSpans) + " " +
                           "blocks, too many to record; accepted: a smaller --size, or larger " +
                           (backend->info().cuda_device >= 0 ? "--block" : "--tile")};
    }
    arrange(*trace);
    return std::move(*trace);
}

std::string counted(std::uint64_t count, std::string_view word) {
    return format_count(count) + " " + std::string{word} + (count == 1 ? "" : "s");
}

std::string format_us(double us) { return format_ms(us * 1e-3); }

void print_header(const Trace& trace) {
    const FrameJob& job = trace.job;
    std::cout << info(job.formula).title << ", " << job.width << "x" << job.height << ", limit "
              << format_count(job.limit) << ", " << precision_name(job.precision) << '\n'
              << trace.backend << ": " << trace.device << " (" << trace.detail << ")\n"
              << "kernel " << trace.kernel << ", "
              << counted(static_cast<std::uint64_t>(trace.units), unit_word(trace.unit)) << ", "
              << span_word(trace.unit) << "s of " << trace.shape.x << "x" << trace.shape.y << '\n';
}

void print_trace(const Trace& trace) {
    const TraceSummary summary = summarize(trace);
    print_header(trace);
    const bool threads = trace.unit == TraceUnit::kThread;
    print_table(
        {{threads ? "tiles" : "blocks", "first to last", "kernel", "busy", "idle", "tail",
          "of it all", "waves", threads ? "threads at once" : "warps at once", "lane efficiency"},
         {format_count(summary.spans), format_us(summary.span_us), format_ms(trace.kernel_ms),
          format_percent(summary.busy), format_percent(1 - summary.busy),
          format_us(summary.tail_us), format_percent(summary.tail_share),
          summary.waves ? format_number(summary.waves->waves) : "—",
          format_number(summary.mean_warps), format_percent(summary.lane_efficiency)}});
    const Distribution& took = summary.durations_us;
    std::cout << "a " << span_word(trace.unit) << " took " << format_us(took.median)
              << " (median; quartiles " << format_us(took.first_quartile) << " and "
              << format_us(took.third_quartile) << "; " << format_us(took.min) << " to "
              << format_us(took.max) << ")\n";
    std::cout << "the idlest " << unit_word(trace.unit) << " was busy for "
              << format_percent(summary.least_busy) << " of the time, the busiest for "
              << format_percent(summary.most_busy) << '\n';
    if (summary.achieved_occupancy) {
        std::cout << "achieved occupancy " << format_percent(*summary.achieved_occupancy) << '\n';
    }
}

}  // namespace

void run_trace(const TraceOptions& options) {
    if (!options.out.empty() && options.out == options.perfetto) {
        throw UsageError{"-o and --perfetto name the same file"};
    }
    check_outputs({options.out, options.perfetto});
    const Trace trace = options.from.empty() ? record_frame(options) : load_trace(options.from);
    if (options.json) {
        nlohmann::json out = to_json(trace);
        for (const char* key : {"format", "version", "spans"}) out.erase(key);
        out["summary"] = to_json(summarize(trace));
        std::cout << out.dump(kIndent) << '\n';
    } else {
        print_trace(trace);
    }
    FinalSteps steps;
    if (!options.out.empty()) steps.take([&] { save_trace(options.out, trace); });
    if (!options.perfetto.empty()) {
        steps.take([&] { write_file(options.perfetto, perfetto_text({&trace, 1})); });
    }
    steps.finish();
}

}  // namespace warpscope
