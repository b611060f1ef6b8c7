// SPDX-License-Identifier: MIT
// The CPU's peak of memory traffic. Compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/engine/cpu/bandwidth_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <new>
#include <vector>

#include "kernels/engine/bandwidth_meter.h"
#include "kernels/engine/cpu/thread_pool.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Pieces begin and end at whole cache lines, which are whole vectors up to 64 bytes.
using Tag = hn::CappedTag<float, 16>;

// Four sums hide the latency of additions behind the loads.
float read_all(const float* a, std::size_t count) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0;
    std::size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        s0 = hn::Add(s0, hn::Load(tag, a + i));
        s1 = hn::Add(s1, hn::Load(tag, a + i + lanes));
        s2 = hn::Add(s2, hn::Load(tag, a + i + 2 * lanes));
        s3 = hn::Add(s3, hn::Load(tag, a + i + 3 * lanes));
    }
    for (; i < count; i += lanes) s0 = hn::Add(s0, hn::Load(tag, a + i));
    return hn::GetLane(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
}

void write_all(float value, float* out, std::size_t count) {
    const Tag tag;
    const auto filling = hn::Set(tag, value);
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) hn::Stream(filling, tag, out + i);
    hwy::FlushStream();
}

void copy_all(const float* a, float* out, std::size_t count) {
    const Tag tag;
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
        hn::Stream(hn::Load(tag, a + i), tag, out + i);
    }
    hwy::FlushStream();
}

void add_all(const float* a, const float* b, float* out, std::size_t count) {
    const Tag tag;
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
        hn::Stream(hn::Add(hn::Load(tag, a + i), hn::Load(tag, b + i)), tag, out + i);
    }
    hwy::FlushStream();
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {
namespace {

HWY_EXPORT(read_all);
HWY_EXPORT(write_all);
HWY_EXPORT(copy_all);
HWY_EXPORT(add_all);

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLine = 64;  // bytes

std::size_t last_level_cache() {
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

/// Twice the cache, but servers tell of hundreds of megabytes that many cores share.
std::size_t wanted_bytes() {
    constexpr std::size_t kLeast = std::size_t{64} << 20, kMost = std::size_t{256} << 20;
    return std::clamp(2 * last_level_cache(), kLeast, kMost);
}

class FloatArray {
  public:
    explicit FloatArray(std::size_t bytes)
        : data_{static_cast<float*>(std::aligned_alloc(kLine, bytes))} {
        if (!data_) throw std::bad_alloc{};
    }
    float* data() const noexcept { return data_.get(); }

  private:
    struct Free {
        void operator()(float* data) const noexcept { std::free(data); }
    };
    std::unique_ptr<float, Free> data_;
};

class CpuBandwidthMeter final : public BandwidthMeter {
  public:
    explicit CpuBandwidthMeter(int threads)
        : pool_{threads}, a_{bytes_}, b_{bytes_}, out_{bytes_}, results_(pool_.size()) {
        // Each thread touches first what it will stream: memory then lies near it.
        run([this](std::size_t first, std::size_t count, float&) {
            for (const FloatArray* array : {&a_, &b_, &out_}) {
                std::fill_n(array->data() + first, count, 1.0F);
            }
        });
    }

    double run_ms(Traffic traffic) override {
        return run([this, traffic](std::size_t first, std::size_t count, float& sink) {
            const float *a = a_.data() + first, *b = b_.data() + first;
            float* out = out_.data() + first;
            switch (traffic) {
                case Traffic::kRead:
                    sink = HWY_DYNAMIC_DISPATCH(read_all)(a, count);
                    break;
                case Traffic::kWrite:
                    HWY_DYNAMIC_DISPATCH(write_all)(2, out, count);
                    break;
                case Traffic::kCopy:
                    HWY_DYNAMIC_DISPATCH(copy_all)(a, out, count);
                    break;
                case Traffic::kAdd:
                    HWY_DYNAMIC_DISPATCH(add_all)(a, b, out, count);
                    break;
            }
        });
    }

    std::size_t array_bytes() const noexcept override { return bytes_; }
    std::size_t cache_bytes() const noexcept override { return last_level_cache(); }

  private:
    struct alignas(kLine) Result {
        double ms = 0;
        float sink = 0;
    };

    /// Calls work(first, count, sink) for each thread's share; milliseconds of the slowest.
    template <class Work>
    double run(Work work) {
        std::latch together{pool_.size()};
        pool_.start(pool_.size(), [&](int, int worker) {
            const auto share = static_cast<std::size_t>(worker);
            // Nobody begins before all are there, so that no worker takes two pieces.
            together.arrive_and_wait();
            const Clock::time_point start = Clock::now();
            const std::size_t first = begin_of(share);
            work(first, begin_of(share + 1) - first, results_[share].sink);
            results_[share].ms =
                std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        });
        while (!pool_.wait_for(std::chrono::seconds{1})) {
        }
        double slowest = 1e-6;
        for (const Result& result : results_) slowest = std::max(slowest, result.ms);
        return slowest;
    }

    /// The first float of a thread's share, at a cache line.
    std::size_t begin_of(std::size_t share) const {
        return bytes_ / kLine * share / results_.size() * (kLine / sizeof(float));
    }

    const std::size_t bytes_ = wanted_bytes() / kLine * kLine;
    ThreadPool pool_;
    FloatArray a_, b_, out_;
    std::vector<Result> results_;
};

}  // namespace

std::unique_ptr<BandwidthMeter> make_cpu_bandwidth_meter(int threads) {
    return std::make_unique<CpuBandwidthMeter>(threads);
}

}  // namespace warpscope
#endif  // HWY_ONCE
