// SPDX-License-Identifier: MIT
// Workers take square tiles from a shared counter; the caller only waits and collects.
#include "kernels/engine/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/cpu/thread_pool.h"
#include "kernels/engine/cpu/tile_log.h"
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
        : loop_{loop == CpuLoop::kScalar ? escape_part_scalar() : escape_part_simd()},
          threads_{threads} {
        info_.name = rung_name(loop, threads);
        info_.device = cpu_name();
        how_ = loop == CpuLoop::kScalar ? "scalar" : simd_target_name();
        const int count = threads == CpuThreads::kAll ? cpu_thread_count() : 1;
        info_.detail = how_ + ", " + std::to_string(count) + (count == 1 ? " thread" : " threads");
    }

    ~CpuBackend() override { cancel(); }

    const BackendInfo& info() const noexcept override { return info_; }

    void start(const FrameJob& job, const Tuning& tuning, std::span<const Part> parts) override {
        check_job(job);
        check_parts(job, parts);
        cancel();
        job_ = job;
        method_ = tuning.method;
        edge_ = std::clamp(tuning.cpu_tile, 8, 1024);
        cut(parts);
        prepare_pool(tuning);
        signals_.stop = false;
        signals_.done = 0;
        iterations_ = executed_ = lane_steps_ = 0;
        state_ = Phase::kReady;
    }

    Progress advance(Target target, double budget_ms) override {
        if (state_ == Phase::kReady) launch(target.samples);
        if (state_ == Phase::kRunning && pool_->wait_for(Milliseconds{budget_ms})) {
            stats_.job = job_;
            stats_.kernel_ms = Milliseconds{pool_->ended_at() - started_}.count();
            stats_.pixels = pixels_;
            stats_.iterations = iterations_;
            stats_.executed = executed_;
            stats_.lane_steps = lane_steps_;
            state_ = Phase::kDone;
            if (recorded_) keep_trace();
        }
        if (state_ == Phase::kDone) return {1, true};
        if (state_ == Phase::kIdle) return {0, false};
        const auto all = static_cast<double>(pixels_) * Signals::kPixel;
        return {std::min(static_cast<double>(signals_.done) / all, 0.9999), false};
    }

    void cancel() noexcept override {
        signals_.stop = true;
        if (state_ == Phase::kRunning) pool_->stop();
        state_ = Phase::kIdle;
    }

    FrameStats stats() override { return stats_; }

    bool record(Recording recording) override {
        recording_ = recording;
        return true;
    }
    std::optional<Trace> take_trace() override { return std::exchange(trace_, std::nullopt); }

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

    /// Cuts the parts into tiles of edge_ x edge_ of their pixels.
    void cut(std::span<const Part> parts) {
        const Part all = whole(job_);
        if (parts.empty()) parts = {&all, 1};
        tiles_.clear();
        pixels_ = 0;
        std::vector<TraceGrid> grids;
        for (const Part& part : parts) {
            pixels_ += part.pixels();
            const int wide = edge_ * part.step_x, high = edge_ * part.step_y;
            const GridShape grid = grid_for(part.columns(), part.rows(), {edge_, edge_});
            grids.push_back({grid.x, grid.y, part});
            for (int y = part.y0; y < part.y1; y += high) {
                for (int x = part.x0; x < part.x1; x += wide) {
                    tiles_.push_back({x, y, std::min(x + wide, part.x1),
                                      std::min(y + high, part.y1), part.step_x, part.step_y});
                }
            }
        }
        recorded_ = recording_ != Recording::kOff && tiles_.size() <= kMostSpans;
        if (recorded_) log_.open(std::move(grids));
    }

    void launch(Sample* samples) {
        started_ = Clock::now();
        state_ = Phase::kRunning;
        const int count = static_cast<int>(tiles_.size());
        if (!recorded_) {
            pool_->start(count, [this, samples](int tile, int) { run(tile, samples); });
            return;
        }
        pool_->start(count, [this, samples](int tile, int worker) {
            const Clock::time_point start = Clock::now();
            log_.add(tile, worker, start, run(tile, samples));
        });
    }

    Work run(int tile, Sample* samples) {
        if (signals_.stop.load(std::memory_order_relaxed)) return {};
        const Work work =
            loop_(job_, method_, tiles_[static_cast<std::size_t>(tile)], samples, signals_);
        iterations_ += work.iterations;
        executed_ += work.executed;
        lane_steps_ += work.lane_steps;
        return work;
    }

    void keep_trace() {
        const MethodRung* rung = rung_of(method_);
        Trace& trace = trace_.emplace();
        trace.backend = info_.name;
        trace.device = info_.device;
        trace.detail = info_.detail;
        trace.kernel = how_ + ", " + (rung != nullptr ? std::string{rung->key} : "own switches");
        trace.job = job_;
        trace.shape = {edge_, edge_};
        trace.units = pool_->size();
        trace.slots = 1;
        trace.kernel_ms = stats_.kernel_ms;
        log_.close_into(trace);
    }

    BackendInfo info_;
    std::string how_;  ///< "scalar" or the instruction set
    EscapePart loop_;
    CpuThreads threads_;
    FrameJob job_;
    Method method_;
    FrameStats stats_;
    Phase state_ = Phase::kIdle;
    int edge_ = 0;  ///< of a tile
    std::vector<Part> tiles_;
    std::int64_t pixels_ = 0;
    Recording recording_ = Recording::kOff;
    bool recorded_ = false;  ///< the frame that was started last
    TileLog log_;
    std::optional<Trace> trace_;
    Clock::time_point started_;
    Signals signals_;
    std::atomic<std::uint64_t> iterations_{0}, executed_{0}, lane_steps_{0};
    std::optional<ThreadPool> pool_;  // last: its threads end before what they use
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(CpuLoop loop, CpuThreads threads) {
    return std::make_unique<CpuBackend>(loop, threads);
}

}  // namespace warpscope
