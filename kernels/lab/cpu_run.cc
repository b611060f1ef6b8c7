// SPDX-License-Identifier: MIT
#include "kernels/lab/cpu_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "kernels/engine/fma_meter.h"
#include "kernels/lab/fill.h"
#include "kernels/lab/verify.h"

namespace warpscope::lab {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Bytes of the last-level cache that one core sees; a guess where the system does not say.
std::size_t cache_bytes() {
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t{32} << 20;
}

// Writing four times the last-level cache leaves nothing else in it. Servers report hundreds of
// megabytes that many cores share; rewriting four times those would take longer than any rung.
std::size_t flush_floats() {
    constexpr std::size_t kLeast = std::size_t{128} << 20, kMost = std::size_t{256} << 20;
    return std::clamp(4 * cache_bytes(), kLeast, kMost) / sizeof(float);
}

std::string mb(double bytes) { return std::to_string(static_cast<long long>(bytes / 1e6)) + " MB"; }

class CpuRun {
  public:
    CpuRun(Demo demo, const CpuRung& rung, const LabRequest& request, const std::stop_token& stop,
           const LabProgress& progress)
        : demo_{demo},
          rung_{rung},
          request_{request},
          stop_{stop},
          progress_{progress},
          team_{rung.threads} {}

    LabResult run();

  private:
    void tell(double fraction, std::string_view label) const {
        if (progress_) progress_(fraction, label);
    }
    void allocate();
    void fill();
    void sweep() { fill_constant(team_, flush_.span(), 1, stop_); }
    bool once(double from, double to);
    Sampling sample_cold(const SamplingPlan& plan, double flush_seconds,
                         const std::function<double()>& one, const SamplingProgress& progress);
    Sampling measure();
    void compute_peak(LabFigures& figures);
    void bandwidth_peak(LabFigures& figures);
    void release();
    std::string cache_words() const;

    const Demo demo_;
    const CpuRung& rung_;
    const LabRequest& request_;
    const std::stop_token& stop_;
    const LabProgress& progress_;
    Team team_;
    HostBuffer a_{0}, b_{0}, out_{0}, flush_{0};
    Arrays arrays_{};
    LabStages stages_;
};

void CpuRun::allocate() {
    const std::size_t count = elements(demo_, request_.n);
    const Clock::time_point begin = Clock::now();
    for (HostBuffer* buffer : {&a_, &b_, &out_}) {
        *buffer = HostBuffer{count};
        fill_constant(team_, buffer->span(), 0, stop_);
    }
    stages_.allocate = ms_since(begin);
    arrays_ = {a_.data(), b_.data(), out_.data(), request_.n, random_alpha(request_.seed)};
}

void CpuRun::fill() {
    fill_random(team_, a_.span(), request_.seed, 0, stop_);
    fill_random(team_, b_.span(), request_.seed, 1, stop_);
}

bool CpuRun::once(double from, double to) {
    TeamWork work;
    work.count = rung_.kernel.tasks(request_.n);
    work.schedule = rung_.kernel.schedule;
    work.task = [this](std::size_t task) { rung_.kernel.run(arrays_, task); };
    Clock::time_point told = Clock::now();
    if (progress_ && to > from) {
        work.progress = [&](double fraction) {
            if (ms_since(told) < 50) return;  // a person sees no more, and it costs time
            told = Clock::now();
            tell(from + (to - from) * fraction, "running");
        };
    }
    return team_.run(work, stop_);
}

// As sample(), but the caches are emptied before each sample where that was asked for. That takes
// far longer than a short kernel, and the plan counts only measured time: once it took
// `flush_seconds` in total, the samples so far must do.
Sampling CpuRun::sample_cold(const SamplingPlan& plan, double flush_seconds,
                             const std::function<double()>& one, const SamplingProgress& progress) {
    if (request_.cache != LabCache::kCold) return sample(plan, one, stop_, progress);
    std::stop_source enough;
    const std::stop_callback pass_on{stop_, [&] { enough.request_stop(); }};
    double flushed_ms = 0;
    const auto flush_and_measure = [&] {
        const Clock::time_point begin = Clock::now();
        sweep();
        flushed_ms += ms_since(begin);
        return one();
    };
    const auto between = [&](double fraction) {
        const double flushed = flushed_ms / 1000 / flush_seconds;
        if (progress) progress(std::min(std::max(fraction, flushed), 1.0));
        if (flushed >= 1) enough.request_stop();
    };
    Sampling result = sample(plan, flush_and_measure, enough.get_token(), between);
    const bool ours = result.stop == StopReason::kCancelled && !stop_.stop_requested();
    if (ours) result.stop = StopReason::kTimeLimit;
    return result;
}

Sampling CpuRun::measure() {
    SamplingPlan plan = request_.plan;
    plan.warm_up = 0;  // the first run was it
    const auto one = [this] {
        const Clock::time_point begin = Clock::now();
        once(0, 0);
        return ms_since(begin);
    };
    return sample_cold(plan, 1.5, one,
                       [this](double fraction) { tell(0.3 + 0.5 * fraction, "timing"); });
}

void CpuRun::bandwidth_peak(LabFigures& figures) {
    // As many bytes as the demo moves, half read and half written.
    const auto bytes = static_cast<std::size_t>(figures.bytes);
    const std::size_t count = std::max<std::size_t>(bytes / (2 * sizeof(float)), 1);
    Team team{std::max(request_.cpu_threads, rung_.threads)};
    const CpuKernel kernel = copy_kernel();
    HostBuffer from{count}, to{count};
    const Arrays arrays{from.data(), from.data(), to.data(), count, 0};
    fill_constant(team, from.span(), 1, stop_);
    fill_constant(team, to.span(), 0, stop_);
    TeamWork work;
    work.count = kernel.tasks(count);
    work.task = [&](std::size_t task) { kernel.run(arrays, task); };
    const auto one = [&] {
        const Clock::time_point begin = Clock::now();
        team.run(work, stop_);
        return ms_since(begin);
    };
    // The best, not the median: other programs on the machine only ever take from a peak.
    const Sampling copies =
        sample_cold({.min_seconds = 0.1, .max_samples = 20, .max_seconds = 3}, 0.75, one, {});
    figures.peak =
        2.0 * sizeof(float) * static_cast<double>(count) / (copies.distribution.min / 1000);
    figures.peak_how = "copy of " + mb(figures.bytes / 2) + " (read and written) by " +
                       std::to_string(team.size()) + " threads, " + simd_name() +
                       ", same cache state, best";
}

void CpuRun::compute_peak(LabFigures& figures) {
    constexpr double kRunMs = 5;
    const int threads = std::max(request_.cpu_threads, rung_.threads);
    const std::unique_ptr<FmaMeter> meter = make_cpu_fma_meter(threads);
    double best = 0;
    const auto one = [&] {
        best = std::max(best, meter->per_second(Precision::kFloat, kRunMs));
        return kRunMs;
    };
    sample({.min_seconds = 0.1, .max_samples = 500, .max_seconds = 3}, one, stop_);
    figures.peak = 2 * best;  // a multiplication and an addition each
    figures.peak_how = "independent fused multiply-adds in registers, " + std::to_string(threads) +
                       " threads, " + simd_name() + ", best";
}

void CpuRun::release() {
    const Clock::time_point begin = Clock::now();
    for (HostBuffer* buffer : {&a_, &b_, &out_}) buffer->reset();
    stages_.free = ms_since(begin);
}

std::string CpuRun::cache_words() const {
    const double bytes = compulsory_bytes(demo_, request_.n);
    const std::string set = "working set " + mb(bytes) + ", last-level cache of a core " +
                            mb(static_cast<double>(cache_bytes()));
    if (request_.cache == LabCache::kCold) {
        const std::size_t flushed = flush_floats() * sizeof(float);
        const std::string capped = flushed < cache_bytes()
                                       ? " (no more is ever rewritten, though the cache holds more)"
                                       : "";
        return "cold: " + mb(static_cast<double>(flushed)) +
               " of other data were rewritten before each sample" + capped + "; " + set;
    }
    return "warm: nothing else runs between samples; " + set;
}

LabResult CpuRun::run() {
    LabResult result;
    result.n = request_.n;
    result.seed = request_.seed;
    result.device = cpu_name() + ", " + rung_.instruction_set + ", " +
                    std::to_string(rung_.threads) + (rung_.threads == 1 ? " thread" : " threads");
    result.cache = cache_words();
    const double bytes = compulsory_bytes(demo_, request_.n);
    const bool cold = request_.cache == LabCache::kCold;
    const double flush = cold ? static_cast<double>(flush_floats() * sizeof(float)) : 0;
    require_host_memory(request_.demo, request_.n, 2 * bytes + flush);  // the peak's arrays too
    const auto cancelled = [&] {
        result.cancelled = stop_.stop_requested();
        return result.cancelled;
    };

    tell(0, "allocating");
    allocate();
    tell(0.02, "filling with random numbers");
    fill();
    if (cold) {
        flush_ = HostBuffer{flush_floats()};
        sweep();
    }
    if (cancelled()) return result;
    tell(0.05, "first run");
    const Clock::time_point begin = Clock::now();
    once(0.05, 0.3);
    stages_.first_launch = ms_since(begin);
    if (cancelled()) return result;
    poison(out_.span());
    Sampling timed = measure();
    if (cancelled()) return result;
    tell(0.8, "verifying");
    result.verification = verify(demo_, arrays_, request_.seed);
    release();
    if (!result.verification.passed || cancelled()) return result;

    LabFigures figures;
    figures.kernel = timed.distribution;
    figures.stop = timed.stop;
    figures.samples = std::move(timed.samples);
    figures.bytes = bytes;
    figures.flops = flops(demo_, request_.n);
    figures.stages = stages_;
    figures.rate = find_lab_demo(request_.demo).rate;
    const bool by_bytes = figures.rate == LabRate::kBandwidth;
    figures.per_second =
        (by_bytes ? figures.bytes : figures.flops) / (figures.kernel.median / 1000);
    figures.end_to_end_ms = stages_.allocate + figures.kernel.median + stages_.free;
    tell(0.9, "measuring the machine's peak");
    if (by_bytes) bandwidth_peak(figures);
    if (!by_bytes) compute_peak(figures);
    figures.of_peak = figures.per_second / figures.peak;
    if (cancelled()) return result;
    result.figures = std::move(figures);
    tell(1, "done");
    return result;
}

}  // namespace

LabResult run_cpu(Demo demo, const CpuRung& rung, const LabRequest& request,
                  const std::stop_token& stop, const LabProgress& progress) {
    return CpuRun{demo, rung, request, stop, progress}.run();
}

}  // namespace warpscope::lab
