// SPDX-License-Identifier: MIT
// Cuts a frame into bands of rows so that no kernel runs long, and reads their cost from events.
// A frame that is expected to fit the budget is one launch, and nobody waits for it: the GPU's own
// order (stream, then unmap) keeps the display behind it.
#include "kernels/engine/cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_cuda.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

constexpr double kLongestKernelMs = 10;  // keeps the desktop smooth and the watchdog asleep
constexpr int kCounters = kSlots * kSlotStride;

const CudaDevice& pick_device(const CudaStatus& status, int index) {
    if (!status.problem.empty()) throw BackendError{status.problem};
    for (const CudaDevice& device : status.devices) {
        if (device.index == index) return device;
    }
    throw BackendError{"there is no CUDA device " + std::to_string(index) + "; accepted: 0 to " +
                       std::to_string(status.devices.size() - 1)};
}

/// Makes `device` current before anything is created on it.
int selected(int device) {
    CUDA_CHECK(cudaSetDevice(device));
    return device;
}

/// One launch in flight: its events and iteration counters, on the device and pinned.
struct Launch {
    Launch() { CUDA_CHECK(cudaMemset(slots.data(), 0, slots.bytes())); }

    Event begin, end, copied, settled;
    DeviceBuffer<unsigned long long> slots{kCounters};  // zero while the launch is free
    PinnedBuffer<unsigned long long> counters{kCounters};
    FrameJob job;
    std::uint64_t frame = 0;
    bool last = false, copies = false, fetched = false;
    double pixel_share = 0;  ///< part of the frame's pixels
};

class CudaBackend final : public Backend {
  public:
    explicit CudaBackend(const CudaDevice& device) : device_{selected(device.index)} {
        for (int i = 0; i < kRing; ++i) free_.emplace_back();
        info_.name = "cuda";
        info_.device = device.name;
        info_.detail = "compute capability " + std::to_string(device.cc_major) + "." +
                       std::to_string(device.cc_minor) + ", " + std::to_string(device.sm_count) +
                       " SMs";
        info_.cuda_device = device.index;
        // Before anything was measured: four instructions a step on a quarter of the float lanes.
        constexpr double kStepsPerClockAndSm = 128 / 4.0 / 4.0;
        guessed_steps_per_ms_ = device.clock_khz * kStepsPerClockAndSm * device.sm_count;
    }

    ~CudaBackend() override { cancel(); }

    const BackendInfo& info() const noexcept override { return info_; }

    void start(const FrameJob& job, const Tuning& tuning) override {
        check_job(job);
        check_block(tuning.block);
        CUDA_CHECK(cudaSetDevice(device_));
        if (active_ && row_ < job_.height) cancel();
        forget_cost(job);
        job_ = job;
        block_ = tuning.block;
        row_ = 0;
        ++frame_;
        active_ = true;
    }

    Progress advance(Target target, double budget_ms) override {
        if (!active_) return {0, false};
        CUDA_CHECK(cudaSetDevice(device_));
        harvest();
        const double budget = std::clamp(budget_ms, 1.0, kLongestKernelMs);
        if (row_ < job_.height) {
            // A frame in many bands waits for each, to learn its cost and to stay cancellable.
            const int rows = rows_within(budget);
            const bool whole = row_ == 0 && rows == job_.height;
            launch_band(target, rows);
            if (!whole || target.memory == Memory::kHost) wait_for_all();
        }
        const bool done = row_ == job_.height;
        if (done) active_ = false;
        return {static_cast<double>(row_) / job_.height, done};
    }

    void cancel() noexcept override {
        active_ = false;
        ignore_cuda(cudaSetDevice(device_));
        ignore_cuda(cudaStreamSynchronize(stream_.get()));
        ignore_cuda(cudaStreamSynchronize(counting_.get()));
    }

    FrameStats stats() override {
        CUDA_CHECK(cudaSetDevice(device_));
        harvest();
        return finished_;
    }

    bool accepts(Memory) const noexcept override { return true; }

    HostSamples allocate_host(std::size_t count) override {
        CUDA_CHECK(cudaSetDevice(device_));
        PinnedBuffer<Sample> pinned{count};
        return {pinned.release(), [](Sample* samples) { ignore_cuda(cudaFreeHost(samples)); }};
    }

    void* stream() const noexcept override { return stream_.get(); }

  private:
    static constexpr int kRing = 8;

    /// Costs measured on another kind of frame say nothing about this one.
    void forget_cost(const FrameJob& job) {
        if (job.formula != job_.formula || job.precision != job_.precision ||
            job.limit != job_.limit || job.julia != job_.julia) {
            ms_per_frame_ = 0;
        }
    }

    /// Rows that are expected to take `budget` milliseconds: by twice the last measurement (the
    /// view may have moved to something heavier), but never more than if every pixel ran to the
    /// limit.
    int rows_within(double budget) const {
        const double pixels = static_cast<double>(job_.width) * job_.height;
        const double slow = job_.precision == Precision::kDouble ? 32 : 1;
        const double worst = pixels * job_.limit * slow / guessed_steps_per_ms_;
        const double expected = ms_per_frame_ > 0 ? std::min(worst, 2 * ms_per_frame_) : worst;
        const double rows = budget / expected * job_.height;
        const int left = job_.height - row_;
        return std::max(1, static_cast<int>(std::min<double>(rows, left)));
    }

    void launch_band(Target target, int rows) {
        Launch launch = take_launch();
        launch.job = job_;
        launch.fetched = false;
        launch.frame = frame_;
        launch.last = row_ + rows == job_.height;
        launch.copies = target.memory == Memory::kHost;
        launch.pixel_share = static_cast<double>(rows) / job_.height;
        Sample* samples = target.samples;
        if (launch.copies) {
            const auto count =
                static_cast<std::size_t>(job_.width) * static_cast<std::size_t>(job_.height);
            if (own_.size() < count) own_ = DeviceBuffer<Sample>{count};
            samples = own_.data();
        }
        const Band band{samples, row_, row_ + rows, launch.slots.data()};
        launch.begin.record(stream_);
        launch_escape(job_, band, block_, stream_.get());
        launch.end.record(stream_);
        if (launch.copies) copy_band(target.samples, rows);
        launch.copied.record(stream_);
        in_flight_.push_back(std::move(launch));
        row_ += rows;
    }

    /// After the launch has ended, on a stream of its own: between a kernel and the OpenGL calls
    /// that wait for it the GPU has nothing else to do.
    void fetch_counters(Launch& launch) {
        launch.fetched = true;
        CUDA_CHECK(cudaMemcpyAsync(launch.counters.data(), launch.slots.data(),
                                   launch.slots.bytes(), cudaMemcpyDeviceToHost, counting_.get()));
        CUDA_CHECK(cudaMemsetAsync(launch.slots.data(), 0, launch.slots.bytes(), counting_.get()));
        launch.settled.record(counting_);
    }

    void copy_band(Sample* host, int rows) {
        const std::size_t width = static_cast<std::size_t>(job_.width);
        const std::size_t offset = width * static_cast<std::size_t>(row_);
        CUDA_CHECK(cudaMemcpyAsync(host + offset, own_.data() + offset,
                                   width * static_cast<std::size_t>(rows) * sizeof(Sample),
                                   cudaMemcpyDeviceToHost, stream_.get()));
    }

    Launch take_launch() {
        if (free_.empty()) {
            wait_for_all();
        }
        Launch launch = std::move(free_.back());
        free_.pop_back();
        return launch;
    }

    void wait_for_all() {
        stream_.synchronize();
        harvest();
        counting_.synchronize();
        harvest();
    }

    /// Takes the cost of launches that have ended, oldest first.
    void harvest() {
        for (Launch& launch : in_flight_) {
            if (launch.fetched) continue;
            if (!launch.copied.done()) break;
            fetch_counters(launch);
        }
        while (!in_flight_.empty()) {
            Launch& launch = in_flight_.front();
            if (!launch.fetched || !launch.settled.done()) return;
            account(launch);
            free_.push_back(std::move(launch));
            in_flight_.pop_front();
        }
    }

    void account(const Launch& launch) {
        if (launch.frame != counted_frame_) {
            counted_frame_ = launch.frame;
            current_ = {};
            current_.job = launch.job;
            share_ = 0;
        }
        const double kernel_ms = elapsed_ms(launch.begin, launch.end);
        current_.kernel_ms += kernel_ms;
        if (launch.copies) current_.copy_ms += elapsed_ms(launch.end, launch.copied);
        ++current_.launches;
        const unsigned long long* counters = launch.counters.data();
        current_.iterations = std::accumulate(counters, counters + kCounters, current_.iterations);
        share_ += launch.pixel_share;
        // Half by what the frame has shown so far, half by its newest band: rows differ.
        const double by_frame = current_.kernel_ms / share_;
        const double by_band = kernel_ms / launch.pixel_share;
        ms_per_frame_ = std::max(0.5 * (by_frame + by_band), 1e-3);
        if (launch.last) finished_ = current_;
    }

    int device_;
    BackendInfo info_;
    double guessed_steps_per_ms_ = 1;
    Stream stream_, counting_;
    DeviceBuffer<Sample> own_;
    std::deque<Launch> free_, in_flight_;

    FrameJob job_;
    BlockShape block_;
    bool active_ = false;
    int row_ = 0;
    std::uint64_t frame_ = 0;

    std::uint64_t counted_frame_ = 0;
    double share_ = 0, ms_per_frame_ = 0;
    FrameStats current_, finished_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device) {
    const CudaStatus status = cuda_status();
    return std::make_unique<CudaBackend>(pick_device(status, device));
}

KernelResources cuda_kernel_resources(const FrameJob& job, int device) {
    CUDA_CHECK(cudaSetDevice(device));
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, escape_kernel_for(job)));
    return {escape_kernel_name(job), attributes.numRegs, attributes.sharedSizeBytes,
            attributes.localSizeBytes, attributes.maxThreadsPerBlock};
}

int cuda_max_active_blocks(const FrameJob& job, BlockShape block, int device) {
    check_block(block);
    CUDA_CHECK(cudaSetDevice(device));
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, escape_kernel_for(job),
                                                             block.x * block.y, 0));
    return blocks;
}

}  // namespace warpscope
