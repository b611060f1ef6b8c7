// SPDX-License-Identifier: MIT
// The CPU's peak of fused multiply-adds. Compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/engine/cpu/fma_cpu.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <latch>
#include <vector>

#include "kernels/engine/cpu/thread_pool.h"
#include "kernels/engine/fma_meter.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Ten chains hide the latency (4 or 5 clocks) of two units, and with both constants fit into the 16
// registers of AVX2. They settle at 1, so that no number is ever slow.
template <class T>
std::uint64_t chains(std::uint64_t rounds, double* sink) {
    const hn::ScalableTag<T> tag;
    const auto factor = hn::Set(tag, static_cast<T>(0.999));
    const auto term = hn::Set(tag, static_cast<T>(0.001));
    auto s0 = hn::Set(tag, static_cast<T>(0.1)), s1 = hn::Add(s0, s0), s2 = hn::Add(s1, s0);
    auto s3 = hn::Add(s2, s0), s4 = hn::Add(s3, s0), s5 = hn::Add(s4, s0), s6 = hn::Add(s5, s0);
    auto s7 = hn::Add(s6, s0), s8 = hn::Add(s7, s0), s9 = hn::Add(s8, s0);
    for (std::uint64_t i = 0; i < rounds; ++i) {
        s0 = hn::MulAdd(s0, factor, term);
        s1 = hn::MulAdd(s1, factor, term);
        s2 = hn::MulAdd(s2, factor, term);
        s3 = hn::MulAdd(s3, factor, term);
        s4 = hn::MulAdd(s4, factor, term);
        s5 = hn::MulAdd(s5, factor, term);
        s6 = hn::MulAdd(s6, factor, term);
        s7 = hn::MulAdd(s7, factor, term);
        s8 = hn::MulAdd(s8, factor, term);
        s9 = hn::MulAdd(s9, factor, term);
    }
    const auto sum = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)),
                             hn::Add(hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)), hn::Add(s8, s9)));
    *sink = static_cast<double>(hn::GetLane(sum));
    return rounds * 10 * hn::Lanes(tag);
}

std::uint64_t float_chains(std::uint64_t rounds, double* sink) {
    return chains<float>(rounds, sink);
}

std::uint64_t double_chains(std::uint64_t rounds, double* sink) {
#if HWY_HAVE_FLOAT64
    return chains<double>(rounds, sink);
#else
    double z[10] = {};
    for (std::uint64_t i = 0; i < rounds; ++i) {
        for (double& x : z) x = x * 0.999 + 0.001;
    }
    for (const double x : z) *sink += x;
    return rounds * 10;
#endif
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {
namespace {

HWY_EXPORT(float_chains);
HWY_EXPORT(double_chains);

using Clock = std::chrono::steady_clock;

class CpuFmaMeter final : public FmaMeter {
  public:
    explicit CpuFmaMeter(int threads) : pool_{threads}, results_(pool_.size()) {}

    double per_second(Precision precision, double ms) override {
        double& guess = precision == Precision::kDouble ? double_ : float_;
        if (guess == 0) guess = run(precision, kFirstRounds);
        guess = std::max(1.0, run(precision, std::max(1.0, guess * ms * 1e-3)));
        return rate_;
    }

  private:
    static constexpr double kFirstRounds = 10'000;

    struct Result {
        std::uint64_t count = 0;
        double seconds = 0, sink = 0;
        // Results of two threads do not share a cache line.
        char padding[40] = {};
    };

    /// One run of so many rounds on every thread; the rounds per second that the slowest did.
    double run(Precision precision, double rounds) {
        std::latch together{pool_.size()};
        pool_.start(pool_.size(), [&](int piece, int) {
            Result& result = results_[static_cast<std::size_t>(piece)];
            // Nobody begins before all are there, so that no worker takes two pieces.
            together.arrive_and_wait();
            const Clock::time_point start = Clock::now();
            const auto whole = static_cast<std::uint64_t>(rounds);
            result.count = precision == Precision::kDouble
                               ? HWY_DYNAMIC_DISPATCH(double_chains)(whole, &result.sink)
                               : HWY_DYNAMIC_DISPATCH(float_chains)(whole, &result.sink);
            result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        });
        while (!pool_.wait_for(std::chrono::seconds{1})) {
        }
        double count = 0, seconds = 1e-9;
        for (const Result& result : results_) {
            count += static_cast<double>(result.count);
            seconds = std::max(seconds, result.seconds);
        }
        rate_ = count / seconds;
        return rounds / seconds;
    }

    ThreadPool pool_;
    std::vector<Result> results_;
    double float_ = 0, double_ = 0;  // rounds per second of the last run; 0 before it
    double rate_ = 0;                // multiply-adds per second of the last run
};

}  // namespace

std::unique_ptr<FmaMeter> make_cpu_fma_meter(int threads) {
    return std::make_unique<CpuFmaMeter>(threads);
}

}  // namespace warpscope
#endif  // HWY_ONCE
