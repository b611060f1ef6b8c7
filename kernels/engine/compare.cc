// SPDX-License-Identifier: MIT
#include "kernels/engine/compare.h"

#include <algorithm>
#include <chrono>

#include "kernels/engine/device_info.h"
#include "kernels/engine/frame_run.h"

namespace warpscope {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One rung's measurement; keeps the reference counts of the first.
class RungMeter {
  public:
    RungMeter(const Comparison& frame, int device, double seconds, std::stop_token stop)
        : job_{frame.job},
          tuning_{frame.tuning},
          device_{device},
          seconds_{seconds},
          stop_{std::move(stop)} {}

    CompareRow measure(const std::string& name, const SamplingProgress& progress) {
        CompareRow row;
        row.backend = name;
        try {
            fill(row, progress);
        } catch (const BackendError& error) {
            row = {};
            row.backend = name;
            row.problem = error.what();
        }
        return row;
    }

  private:
    void fill(CompareRow& row, const SamplingProgress& progress) {
        const auto created = Clock::now();
        const std::unique_ptr<Backend> backend = make_backend(row.backend, device_);
        const HostSamples samples = backend->allocate_host(pixel_count(job_));
        poison({samples.get(), pixel_count(job_)});
        const bool finished =
            run_frame(*backend, job_, tuning_, samples.get(), stop_) == FrameEnd::kDone;
        row.first_launch = ms_since(created);
        row.info = backend->info();
        if (!finished) {
            row.problem = "stopped before its first frame was done";
            return;
        }
        judge(row, samples.get());
        sample_warm(row, *backend, samples.get(), progress);
        sample_cold(row, progress);
    }

    void judge(CompareRow& row, const Sample* samples) {
        row.counts_hash = hash_counts({samples, pixel_count(job_)});
        if (reference_.empty()) reference_.assign(samples, samples + pixel_count(job_));
        for (std::size_t i = 0; i < reference_.size(); ++i) {
            row.differing += samples[i].count != reference_[i].count;
        }
    }

    SamplingPlan plan(double first_ms) const {
        constexpr double kSlowMs = 1000;
        SamplingPlan plan;
        plan.warm_up = first_ms < kSlowMs ? 1 : 0;
        plan.min_samples = first_ms < kSlowMs ? 3 : 1;
        plan.min_seconds = seconds_;
        plan.max_seconds = 5 * seconds_;
        return plan;
    }

    void sample_warm(CompareRow& row, Backend& backend, Sample* samples,
                     const SamplingProgress& progress) {
        std::vector<double> with_copy;
        const Sampling kernel = sample(
            plan(row.first_launch),
            [&] {
                run_frame(backend, job_, tuning_, samples, stop_);
                const FrameStats stats = backend.stats();
                row.iterations = stats.iterations;
                row.executed = stats.executed;
                row.lane_efficiency = stats.lane_efficiency();
                with_copy.push_back(stats.kernel_ms + stats.copy_ms);
                return stats.kernel_ms;
            },
            stop_,
            [&](double done) {
                if (progress) progress(0.6 * done);
            });
        row.kernel = kernel.distribution;
        row.stop = kernel.stop;
        // The warm-up's and a stopped sample stand in front of and behind those that count.
        const std::size_t skip = static_cast<std::size_t>(plan(row.first_launch).warm_up);
        with_copy.erase(with_copy.begin(), with_copy.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   skip, with_copy.size())));
        with_copy.resize(std::min(with_copy.size(), kernel.samples.size()));
        row.with_copy = summarize(std::move(with_copy));
    }

    void sample_cold(CompareRow& row, const SamplingProgress& progress) {
        const Sampling whole = sample(
            plan(row.first_launch),
            [&] {
                const auto start = Clock::now();
                {
                    const std::unique_ptr<Backend> backend = make_backend(row.backend, device_);
                    const HostSamples samples = backend->allocate_host(pixel_count(job_));
                    run_frame(*backend, job_, tuning_, samples.get(), stop_);
                }
                return ms_since(start);
            },
            stop_,
            [&](double done) {
                if (progress) progress(0.6 + 0.4 * done);
            });
        row.end_to_end = whole.distribution;
    }

    FrameJob job_;
    Tuning tuning_;
    int device_;
    double seconds_;
    std::stop_token stop_;
    std::vector<Sample> reference_;
};

std::vector<Tuning> block_shapes(const Tuning& tuning) {
    std::vector<Tuning> all;
    for (int threads = 32; threads <= 1024; threads *= 2) {
        for (int x = 1; x <= threads; x *= 2) {
            Tuning shape = tuning;
            shape.block = {x, threads / x};
            all.push_back(shape);
        }
    }
    return all;
}

std::vector<Tuning> cpu_tunings(const Tuning& tuning) {
    std::vector<Tuning> all;
    const int most = cpu_thread_count();
    for (int threads = 1;; threads = std::min(2 * threads, most)) {
        for (int tile = 16; tile <= 256; tile *= 2) {
            Tuning shape = tuning;
            shape.cpu_threads = threads;
            shape.cpu_tile = tile;
            all.push_back(shape);
        }
        if (threads == most) return all;
    }
}

const CompareRow* best_cpu(const Comparison& comparison) {
    const CompareRow* best = nullptr;
    for (const CompareRow& row : comparison.rows) {
        if (row.backend == "cuda" || row.kernel.count == 0) continue;
        if (best == nullptr || row.kernel.median < best->kernel.median) best = &row;
    }
    return best;
}

}  // namespace

std::optional<Ratio> gpu_ratio(const Comparison& comparison, std::string& why) {
    const CompareRow* cpu = best_cpu(comparison);
    const CompareRow* gpu = nullptr;
    for (const CompareRow& row : comparison.rows) {
        if (row.differing != 0) {
            why = "counts of " + row.backend + " differ at " + std::to_string(row.differing) +
                  " pixels";
            return std::nullopt;
        }
        if (row.backend == "cuda") gpu = &row;
    }
    if (cpu == nullptr) why = "no CPU rung was measured";
    if (gpu == nullptr) why = "cuda was not measured";
    if (gpu != nullptr && gpu->kernel.count == 0) why = "cuda: " + gpu->problem;
    if (cpu == nullptr || gpu == nullptr || gpu->kernel.count == 0) return std::nullopt;
    if (cpu->end_to_end.count == 0 || gpu->end_to_end.count == 0) {
        why = "the comparison was stopped";
        return std::nullopt;
    }
    Ratio ratio{cpu->backend, cpu->kernel.median / gpu->kernel.median,
                cpu->with_copy.median / gpu->with_copy.median,
                cpu->end_to_end.median / gpu->end_to_end.median, std::nullopt};
    const double saved = cpu->with_copy.median - gpu->with_copy.median;
    if (saved > 0) ratio.break_even_frames = gpu->first_launch / saved;
    return ratio;
}

Comparison compare(const FrameJob& job, const Tuning& tuning, int cuda_device,
                   double seconds_per_figure, std::stop_token stop,
                   const CompareProgress& progress) {
    Comparison comparison{job, tuning, {}};
    RungMeter meter{comparison, cuda_device, seconds_per_figure, stop};
    const std::vector<BackendChoice> choices = backend_choices();
    for (const BackendChoice& choice : choices) {
        if (stop.stop_requested()) break;
        const double before = static_cast<double>(comparison.rows.size());
        const auto report = [&](double done) {
            if (progress) {
                progress(choice.name, (before + done) / static_cast<double>(choices.size()));
            }
        };
        report(0);
        comparison.rows.push_back(meter.measure(choice.name, report));
    }
    return comparison;
}

std::vector<TunePoint> time_tunings(const std::string& backend_name, int cuda_device,
                                    const FrameJob& job, const std::vector<Tuning>& tunings,
                                    std::stop_token stop,
                                    const std::function<void(double)>& progress) {
    const std::unique_ptr<Backend> backend = make_backend(backend_name, cuda_device);
    const HostSamples samples = backend->allocate_host(pixel_count(job));
    SamplingPlan plan;
    plan.min_samples = 3;
    plan.max_samples = 20;
    plan.min_seconds = 0.01;
    plan.max_seconds = 0.3;
    std::vector<TunePoint> points;
    for (const Tuning& candidate : tunings) {
        const Sampling timed = sample(
            plan,
            [&] {
                run_frame(*backend, job, candidate, samples.get(), stop);
                return backend->stats().kernel_ms;
            },
            stop);
        if (stop.stop_requested()) break;
        points.push_back({candidate, timed.distribution, backend->stats().lane_efficiency()});
        if (progress) {
            progress(static_cast<double>(points.size()) / static_cast<double>(tunings.size()));
        }
    }
    return points;
}

std::vector<TunePoint> autotune(const std::string& backend, int cuda_device, const FrameJob& job,
                                const Tuning& tuning, std::stop_token stop,
                                const std::function<void(double)>& progress) {
    const bool gpu = make_backend(backend, cuda_device)->info().cuda_device >= 0;
    std::vector<Tuning> tunings = gpu ? block_shapes(tuning) : cpu_tunings(tuning);
    tunings.insert(tunings.begin(), tuning);
    return time_tunings(backend, cuda_device, job, tunings, std::move(stop), progress);
}

std::vector<Tuning> occupancy_sweep(const GpuArch& arch, const BlockNeeds& needs, Tuning tuning,
                                    const std::vector<RegisterUse>& uses) {
    tuning.what_if = {};
    std::vector<Tuning> all{tuning};
    Tuning fewer = tuning;
    const OccupancyLimits& limits = arch.limits;
    for (int blocks = occupancy(arch, needs).blocks_per_sm - 1; blocks > 0; --blocks) {
        // The least that one block more would not leave room for.
        const int room = limits.shared_per_sm / (blocks + 1) / limits.shared_unit;
        const int bytes = (room + 1) * limits.shared_unit;
        fewer.what_if.shared_bytes = bytes - limits.shared_reserved - needs.static_shared;
        if (needs.static_shared + fewer.what_if.shared_bytes > limits.shared_per_block) break;
        if (fewer.what_if.shared_bytes > 0) all.push_back(fewer);
    }
    for (const RegisterUse use : uses) {
        Tuning variant = tuning;
        variant.what_if.registers = use;
        const bool fits = tuning.block.x * tuning.block.y <= most_threads(use);
        if (use != RegisterUse::kCompiled && fits) all.push_back(variant);
    }
    return all;
}

}  // namespace warpscope
