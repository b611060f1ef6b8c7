// SPDX-License-Identifier: MIT
#include "kernels/engine/bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <thread>

#include "kernels/engine/device_info.h"
#include "kernels/engine/frame_run.h"

namespace warpscope {
namespace {

constexpr std::array kViews{
    BenchView{"home", "the whole set", -0.75, 0, 1.5, 1000},
    BenchView{"seahorse", "Seahorse Valley", -0.7453, 0.1127, 300, 5000},
    BenchView{"elephant", "Elephant Valley", 0.2755, 0.0065, 250, 5000},
    BenchView{"boundary", "boundary in every warp", -1.25066, 0.02012, 3000, 10'000},
    BenchView{"interior", "every pixel inside", -0.2, 0, 12, 2000},
    BenchView{"exterior", "every pixel outside", 1.2, 0.9, 6, 1000}};

constexpr double kReferenceMs = 0.5;  // of the loop around every sample
constexpr double kPeakMs = 60;        // of one run for the peak
constexpr int kPeakRuns = 5;          // before the rows, and again after them

std::string too_slow(double seconds) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "skipped: a frame takes more than %.3g s", seconds);
    return text.data();
}

/// Threads of a CPU backend; 0 for a GPU.
int threads_of(const Backend& backend) {
    const BackendInfo& info = backend.info();
    if (info.cuda_device >= 0) return 0;
    return info.name == "cpu" || info.name == "cpu-threads" ? cpu_thread_count() : 1;
}

std::unique_ptr<FmaMeter> make_fma_meter(const Backend& backend) {
    const int threads = threads_of(backend);
    return threads > 0 ? make_cpu_fma_meter(threads)
                       : make_cuda_fma_meter(backend.info().cuda_device);
}

/// A backend with its meter and buffer.
class Machine {
  public:
    Machine(const std::string& name, const BenchPlan& plan)
        : backend_{make_backend(name, plan.cuda_device)},
          meter_{make_fma_meter(*backend_)},
          count_{static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height)},
          samples_{backend_->allocate_host(count_)} {
        for (const Precision type : {Precision::kFloat, Precision::kDouble}) {
            const bool wanted = std::ranges::any_of(
                plan.types, [type](Precision asked) { return made_of(asked) == type; });
            if (wanted) peaks_.push_back({backend_->info().name, type});
        }
        measure_peaks();
    }

    Backend& backend() { return *backend_; }
    int threads() const { return threads_of(*backend_); }
    std::span<Sample> samples() { return {samples_.get(), count_}; }
    /// Of the types that the plan's are made of.
    const std::vector<BenchPeak>& peaks() const { return peaks_; }

    void measure_peaks() {
        for (BenchPeak& peak : peaks_) {
            for (int i = 0; i < kPeakRuns; ++i) run_reference(peak, kPeakMs);
        }
    }

    /// Whether the processor is slower than it can be right now.
    bool is_throttled(Precision type) {
        BenchPeak& peak = *std::ranges::find(peaks_, made_of(type), &BenchPeak::type);
        return run_reference(peak, kReferenceMs) < kThrottledBelow * peak.fma_per_second;
    }

  private:
    /// One run; raises the peak where the processor did more than ever before.
    double run_reference(BenchPeak& peak, double ms) {
        const double rate = meter_->per_second(peak.type, ms);
        peak.fma_per_second = std::max(peak.fma_per_second, rate);
        ++peak.runs;
        return rate;
    }

    std::unique_ptr<Backend> backend_;
    std::unique_ptr<FmaMeter> meter_;
    std::size_t count_;
    HostSamples samples_;
    std::vector<BenchPeak> peaks_;
};

/// Measures one combination.
class RowMeter {
  public:
    RowMeter(const BenchPlan& plan, Machine& machine, BenchRow& row, const std::stop_token& stop)
        : plan_{plan}, machine_{machine}, row_{row}, stop_{stop} {}

    void measure(const FrameJob& job, const Method& method) {
        poison(machine_.samples());
        Tuning tuning;
        tuning.method = method;
        tuning.block = row_.block;
        if (!first_frame(job, tuning)) return;
        row_.counts_hash = hash_counts(machine_.samples());
        const auto frame = [&] { return unthrottled_frame(job, tuning); };
        SamplingPlan sampling = plan_.sampling;
        sampling.warm_up = 0;
        constexpr double kSlowMs = 100;  // then the first frame was warm-up enough
        for (int i = 0; i < plan_.sampling.warm_up && first_ms_ < kSlowMs; ++i) {
            one_frame(job, tuning);
        }
        // A row that is given up must not stop the others.
        const std::stop_callback both{stop_, [this] { give_up_.request_stop(); }};
        const Sampling found = sample(sampling, frame, give_up_.get_token());
        row_.kernel = found.distribution;
        row_.stop = stop_.stop_requested() ? StopReason::kCancelled : found.stop;
        if (row_.throttled > 0 && row_.kernel.count < plan_.sampling.min_samples &&
            plan_.throttled == Throttled::kDrop) {
            withhold("throttled: " + std::to_string(row_.kernel.count) + " of " +
                     std::to_string(row_.kernel.count + row_.throttled) + " samples were good");
        }
        if (hash_counts(machine_.samples()) != row_.counts_hash) {
            withhold("withheld: counts changed from frame to frame");
        }
    }

    void withhold(std::string why) {
        row_.kernel = {};
        row_.problem = std::move(why);
    }

  private:
    bool first_frame(const FrameJob& job, const Tuning& tuning) {
        const auto start = std::chrono::steady_clock::now();
        const FrameEnd end = run_frame(machine_.backend(), job, tuning, machine_.samples().data(),
                                       stop_, 1e3 * plan_.slowest_s);
        first_ms_ =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        const bool slow = end == FrameEnd::kTooLong || first_ms_ > 1e3 * plan_.slowest_s;
        if (slow) row_.problem = too_slow(plan_.slowest_s);
        if (end == FrameEnd::kStopped) row_.problem = "stopped";
        return row_.problem.empty();
    }

    double one_frame(const FrameJob& job, const Tuning& tuning) {
        run_frame(machine_.backend(), job, tuning, machine_.samples().data(), stop_);
        const FrameStats stats = machine_.backend().stats();
        row_.iterations = stats.iterations;
        row_.executed = stats.executed;
        row_.lane_steps = stats.lane_steps;
        return stats.kernel_ms;
    }

    /// Whether others took the processor in the middle of a CPU's frame: its threads then had less
    /// of the time than in the best frame of the row, or less than half of it. No more is asked
    /// for: at the end of a frame threads run out of tiles.
    bool was_interrupted(std::clock_t used, double seconds) {
        constexpr double kBrief = 0.01;  // shorter frames seldom see anybody else
        if (machine_.threads() == 0 || seconds < kBrief) return false;
        const double share = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC / seconds /
                             machine_.threads();
        best_share_ = std::max(best_share_, share);
        return share < std::max(kLeastShare, kShareOfBest * best_share_);
    }

    /// A frame between two reference loops at full speed; tried again until there is one, or until
    /// more were dropped than the plan asks for.
    double unthrottled_frame(const FrameJob& job, const Tuning& tuning) {
        constexpr std::chrono::milliseconds kPause{50};  // for the chip to cool
        for (;;) {
            bool throttled = machine_.is_throttled(job.precision);
            const std::clock_t used = std::clock();
            const auto start = std::chrono::steady_clock::now();
            const double ms = one_frame(job, tuning);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            throttled |= was_interrupted(used, took.count());
            throttled |= machine_.is_throttled(job.precision);
            if (!throttled) return ms;
            ++row_.throttled;
            if (plan_.throttled == Throttled::kKeep || give_up_.stop_requested()) return ms;
            if (row_.throttled > plan_.sampling.min_samples) {
                give_up_.request_stop();
                return ms;
            }
            std::this_thread::sleep_for(kPause);
        }
    }

    const BenchPlan& plan_;
    Machine& machine_;
    BenchRow& row_;
    const std::stop_token& stop_;
    std::stop_source give_up_;
    double first_ms_ = 0;
    double best_share_ = 0;  // of the threads' time that they had the processor, at best
};

/// All rows in their order, without figures.
std::vector<BenchRow> empty_rows(const BenchPlan& plan) {
    std::vector<BenchRow> rows;
    for (const BenchView& view : plan.views) {
        for (const Precision type : plan.types) {
            for (const std::string& backend : plan.backends) {
                const bool first = &view == &plan.views.front();
                if (backend == "cpu-scalar" && !first && !plan.scalar_everywhere) continue;
                for (const MethodRung& rung : plan.rungs) {
                    for (const BlockShape block : plan.blocks) {
                        if (block != plan.blocks.front() &&
                            (backend != "cuda" || rung.key != "blocks")) {
                            continue;
                        }
                        BenchRow row;
                        row.view = view.key;
                        row.rung = rung.key;
                        row.backend = backend;
                        row.type = type;
                        row.block = block;
                        rows.push_back(std::move(row));
                    }
                }
            }
        }
    }
    return rows;
}

/// The machines that could be made, and why the others could not.
struct Machines {
    std::map<std::string, std::unique_ptr<Machine>> made;
    std::map<std::string, std::string> problems;
};

Machines make_machines(const BenchPlan& plan) {
    Machines machines;
    for (const std::string& name : plan.backends) {
        try {
            machines.made.emplace(name, std::make_unique<Machine>(name, plan));
        } catch (const BackendError& error) {
            machines.problems.emplace(name, error.what());
        }
    }
    return machines;
}

const BenchView& view_of(const BenchPlan& plan, std::string_view key) {
    return *std::find_if(plan.views.begin(), plan.views.end(),
                         [key](const BenchView& view) { return view.key == key; });
}

const Method& method_of(const BenchPlan& plan, std::string_view key) {
    return std::find_if(plan.rungs.begin(), plan.rungs.end(),
                        [key](const MethodRung& rung) { return rung.key == key; })
        ->method;
}

/// The first counts of each view and type.
using Hashes = std::map<std::pair<std::string, Precision>, std::uint64_t>;

void measure_row(const BenchPlan& plan, Machines& machines, BenchRow& row, Hashes& hashes,
                 const std::stop_token& stop) {
    if (const auto why = machines.problems.find(row.backend); why != machines.problems.end()) {
        row.problem = why->second;
        return;
    }
    RowMeter meter{plan, *machines.made.at(row.backend), row, stop};
    try {
        meter.measure(bench_job(plan, view_of(plan, row.view), row.type),
                      method_of(plan, row.rung));
    } catch (const BackendError& error) {
        meter.withhold(error.what());
    }
    if (row.kernel.count == 0) return;
    const auto [first, fresh] = hashes.try_emplace({row.view, row.type}, row.counts_hash);
    if (!fresh && first->second != row.counts_hash) {
        meter.withhold("withheld: its counts differ from the first of this view and type");
    }
}

}  // namespace

std::span<const BenchView> bench_views() noexcept { return kViews; }

FrameJob bench_job(const BenchPlan& plan, const BenchView& view, Precision type) {
    FrameJob job;
    job.precision = type;
    job.center_re = view.re;
    job.center_im = view.im;
    job.spacing = 4 / view.zoom / plan.height;
    job.width = plan.width;
    job.height = plan.height;
    job.limit = view.limit;
    return job;
}

const BenchPeak* peak_of(const BenchResult& result, std::string_view backend, Precision type) {
    for (const BenchPeak& peak : result.peaks) {
        if (peak.backend == backend && peak.type == made_of(type)) return &peak;
    }
    return nullptr;
}

BenchResult bench(const BenchPlan& plan, const std::stop_token& stop,
                  const BenchProgress& progress) {
    BenchResult result{plan, {}, {}, empty_rows(plan)};
    Machines machines = make_machines(plan);
    Hashes hashes;
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
        if (stop.stop_requested()) {
            result.rows[i].problem = "stopped";
            continue;
        }
        if (progress) progress(result.rows[i], i, result.rows.size());
        measure_row(plan, machines, result.rows[i], hashes, stop);
        if (progress) progress(result.rows[i], i + 1, result.rows.size());
    }
    for (const std::string& name : plan.backends) {
        const auto machine = machines.made.find(name);
        if (machine == machines.made.end()) continue;
        machine->second->measure_peaks();
        result.backends.push_back(machine->second->backend().info());
        for (const BenchPeak& peak : machine->second->peaks()) result.peaks.push_back(peak);
    }
    for (BenchRow& row : result.rows) {
        const BenchPeak* peak = peak_of(result, row.backend, row.type);
        if (peak != nullptr)
            row.of_limit = row.executed_per_second() / peak->iterations_per_second();
    }
    return result;
}

}  // namespace warpscope
