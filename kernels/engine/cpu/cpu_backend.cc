// SPDX-License-Identifier: MIT
// Workers take square tiles from a shared counter; the caller only waits and collects.
#include "kernels/engine/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cpu/thread_pool.h"
#include "kernels/engine/device_info.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

std::string rung_name(CpuLoop loop, CpuThreads threads) {
    const bool all = threads == CpuThreads::kAll;
    if (loop == CpuLoop::kScalar) return all ? "cpu-threads" : "cpu-scalar";
    return all ? "cpu" : "cpu-simd";
}

class CpuBackend final : public Backend {
  public:
    CpuBackend(CpuLoop loop, CpuThreads threads)
        : loop_{loop == CpuLoop::kScalar ? escape_rect_scalar() : escape_rect_simd()},
          threads_{threads} {
        info_.name = rung_name(loop, threads);
        info_.device = cpu_name();
        const std::string how = loop == CpuLoop::kScalar ? "scalar" : simd_target_name();
        const int count = threads == CpuThreads::kAll ? cpu_thread_count() : 1;
        info_.detail = how + ", " + std::to_string(count) + (count == 1 ? " thread" : " threads");
    }

    ~CpuBackend() override { cancel(); }

    const BackendInfo& info() const noexcept override { return info_; }

    void start(const FrameJob& job, const Tuning& tuning) override {
        check_job(job);
        cancel();
        job_ = job;
        tile_ = std::clamp(tuning.cpu_tile, 8, 1024);
        columns_ = (job.width + tile_ - 1) / tile_;
        tiles_ = columns_ * ((job.height + tile_ - 1) / tile_);
        prepare_pool(tuning);
        stop_ = false;
        iterations_ = 0;
        state_ = Phase::kReady;
    }

    Progress advance(Target target, double budget_ms) override {
        if (state_ == Phase::kReady) launch(target.samples);
        if (state_ == Phase::kRunning && pool_->wait_for(Milliseconds{budget_ms})) {
            stats_.job = job_;
            stats_.kernel_ms = Milliseconds{pool_->ended_at() - started_}.count();
            stats_.iterations = iterations_;
            state_ = Phase::kDone;
        }
        if (state_ == Phase::kDone) return {1, true};
        if (state_ == Phase::kIdle) return {0, false};
        return {static_cast<double>(pool_->finished()) / tiles_, false};
    }

    void cancel() noexcept override {
        stop_ = true;
        if (state_ == Phase::kRunning) pool_->stop();
        state_ = Phase::kIdle;
    }

    FrameStats stats() override { return stats_; }
    bool accepts(Memory memory) const noexcept override { return memory == Memory::kHost; }

    HostSamples allocate_host(std::size_t count) override {
        return {new Sample[count](), [](Sample* samples) { delete[] samples; }};
    }

  private:
    enum class Phase : std::uint8_t { kIdle, kReady, kRunning, kDone };

    void prepare_pool(const Tuning& tuning) {
        int wanted = 1;
        if (threads_ == CpuThreads::kAll) {
            wanted =
                tuning.cpu_threads > 0 ? std::min(tuning.cpu_threads, 1024) : cpu_thread_count();
        }
        if (!pool_ || pool_->size() != wanted) pool_.emplace(wanted);
    }

    void launch(Sample* samples) {
        started_ = Clock::now();
        state_ = Phase::kRunning;
        pool_->start(tiles_, [this, samples](int tile, int) {
            if (stop_.load(std::memory_order_relaxed)) return;
            const int x = tile % columns_ * tile_, y = tile / columns_ * tile_;
            const PixelRect rect{x, y, std::min(x + tile_, job_.width),
                                 std::min(y + tile_, job_.height)};
            iterations_ += loop_(job_, rect, samples, stop_);
        });
    }

    BackendInfo info_;
    EscapeRect loop_;
    CpuThreads threads_;
    FrameJob job_;
    FrameStats stats_;
    Phase state_ = Phase::kIdle;
    int tile_ = 64, columns_ = 0, tiles_ = 0;
    Clock::time_point started_;
    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> iterations_{0};
    std::optional<ThreadPool> pool_;  // last: its threads end before what they use
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(CpuLoop loop, CpuThreads threads) {
    return std::make_unique<CpuBackend>(loop, threads);
}

}  // namespace warpscope
