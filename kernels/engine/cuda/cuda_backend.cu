// SPDX-License-Identifier: MIT
// A frame that is expected to fit the budget is one launch, and nobody waits for it: the GPU's own
// order (stream, then unmap) keeps the display behind it. A heavier one is cut by iterations: each
// launch takes all pixels a number of steps on, so that no kernel runs long, whatever the limit,
// and the GPU stays full. Costs are read from events.
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

constexpr double kLongestKernelMs = 10;   // keeps the desktop smooth and the watchdog asleep
constexpr double kRiskiestKernelMs = 80;  // if every pixel of a single launch ran to the limit
constexpr int kCounters = kSlots * kSlotStride;
constexpr std::size_t kWaitingPixels = std::size_t{1}
                                       << 23;  // orbits that are kept at once: 128 MiB

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
        if (active_) cancel();
        forget_cost(job);
        job_ = job;
        block_ = tuning.block;
        row_ = 0;
        from_ = 0;
        ++frame_;
        active_ = true;
    }

    Progress advance(Target target, double budget_ms) override {
        if (!active_) return {0, false};
        CUDA_CHECK(cudaSetDevice(device_));
        harvest();
        const double budget = std::clamp(budget_ms, 1.0, kLongestKernelMs);
        if (row_ == 0 && from_ == 0 && fits(budget)) {
            launch_whole(target);
        } else {
            launch_slice(target, budget);
        }
        const bool done = row_ == job_.height;
        if (done) active_ = false;
        return {fraction(), done};
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

    /// Milliseconds if every one of `pixels` pixels took `steps` steps, at a guess on the slow
    /// side.
    double worst_ms(double pixels, double steps) const {
        const double slow = job_.precision == Precision::kDouble ? 32 : 1;
        return pixels * steps * slow / guessed_steps_per_ms_;
    }

    /// Whether the frame may be one launch: it cannot take long, or it did not the last time and
    /// would not be a disaster if the view had moved to where it does.
    bool fits(double budget) const {
        const double pixels = static_cast<double>(job_.width) * job_.height;
        const double worst = worst_ms(pixels, job_.limit);
        if (worst <= budget) return true;
        return ms_per_frame_ > 0 && 2 * ms_per_frame_ <= budget && worst <= kRiskiestKernelMs;
    }

    double fraction() const {
        const double band = static_cast<double>(from_) / job_.limit * band_rows();
        return (row_ + (from_ > 0 ? band : 0)) / job_.height;
    }

    std::size_t width() const { return static_cast<std::size_t>(job_.width); }

    /// Rows whose orbits are kept at once.
    int band_rows() const {
        const auto most = static_cast<int>(std::max<std::size_t>(kWaitingPixels / width(), 1));
        return std::min(job_.height - row_, most);
    }

    Sample* device_samples(Target target) {
        if (target.memory == Memory::kDevice) return target.samples;
        const std::size_t count = width() * static_cast<std::size_t>(job_.height);
        if (own_.size() < count) own_ = DeviceBuffer<Sample>{count};
        return own_.data();
    }

    void launch_whole(Target target) {
        Launch launch = take_launch();
        launch.last = true;
        launch.copies = target.memory == Memory::kHost;
        Sample* samples = device_samples(target);
        launch.begin.record(stream_);
        launch_escape(job_, {samples, 0, job_.height, launch.slots.data(), 0, job_.limit, nullptr},
                      block_, stream_.get());
        launch.end.record(stream_);
        if (launch.copies) copy_rows(target.samples, 0, job_.height);
        launch.copied.record(stream_);
        in_flight_.push_back(std::move(launch));
        row_ = job_.height;
        if (target.memory == Memory::kHost) wait_for_all();
    }

    /// Takes the band's pixels as many steps on as fit the budget, and waits.
    void launch_slice(Target target, double budget) {
        const int rows = band_rows();
        const std::size_t numbers = 2 * (job_.precision == Precision::kDouble ? 2 : 1);
        const std::size_t size = width() * static_cast<std::size_t>(rows) * numbers;
        if (waiting_.size() < size) waiting_ = DeviceBuffer<float>{size};
        const std::uint32_t until =
            from_ + std::min(steps_within(rows, budget), job_.limit - from_);
        Sample* samples = device_samples(target);
        Launch launch = take_launch();
        launch.begin.record(stream_);
        launch_escape(
            job_, {samples, row_, row_ + rows, launch.slots.data(), from_, until, waiting_.data()},
            block_, stream_.get());
        launch.end.record(stream_);
        launch.copied.record(stream_);
        in_flight_.push_back(std::move(launch));
        wait_for_all();
        ms_per_step_ = newest_ms_ / (until - from_);
        from_ = until;
        // A launch in which no pixel took a step found them all done.
        if (until == job_.limit || newest_iterations_ == 0) end_band(target, rows);
    }

    /// By the slice before, at most four times as many as it took; the first at a guess.
    std::uint32_t steps_within(int rows, double budget) const {
        constexpr double kLeast = 64;
        const double guess = budget / worst_ms(static_cast<double>(width()) * rows, 1);
        const double steps =
            from_ == 0 ? guess : std::min(budget / ms_per_step_, 4.0 * newest_steps());
        return static_cast<std::uint32_t>(std::clamp(steps, kLeast, 1e9));
    }

    /// Steps of the newest slice.
    double newest_steps() const { return newest_ms_ / ms_per_step_; }

    void end_band(Target target, int rows) {
        if (target.memory == Memory::kHost) {
            const Event begin, end;
            begin.record(stream_);
            copy_rows(target.samples, row_, rows);
            end.record(stream_);
            current_.copy_ms += elapsed_ms(begin, end);
        }
        row_ += rows;
        from_ = 0;
        if (row_ == job_.height) finish_frame();
    }

    void finish_frame() {
        finished_ = current_;
        ms_per_frame_ = std::max(current_.kernel_ms, 1e-3);
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

    void copy_rows(Sample* host, int first, int rows) {
        const std::size_t offset = width() * static_cast<std::size_t>(first);
        CUDA_CHECK(cudaMemcpyAsync(host + offset, own_.data() + offset,
                                   width() * static_cast<std::size_t>(rows) * sizeof(Sample),
                                   cudaMemcpyDeviceToHost, stream_.get()));
    }

    Launch take_launch() {
        if (free_.empty()) {
            wait_for_all();
        }
        Launch launch = std::move(free_.back());
        free_.pop_back();
        launch.job = job_;
        launch.frame = frame_;
        launch.last = launch.copies = launch.fetched = false;
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
        }
        newest_ms_ = std::max(elapsed_ms(launch.begin, launch.end), 1e-3);
        current_.kernel_ms += newest_ms_;
        if (launch.copies) current_.copy_ms += elapsed_ms(launch.end, launch.copied);
        ++current_.launches;
        const unsigned long long* counters = launch.counters.data();
        newest_iterations_ = std::accumulate(counters, counters + kCounters, std::uint64_t{0});
        current_.iterations += newest_iterations_;
        if (launch.last) finish_frame();
    }

    int device_;
    BackendInfo info_;
    double guessed_steps_per_ms_ = 1;
    Stream stream_, counting_;
    DeviceBuffer<Sample> own_;     // for host targets
    DeviceBuffer<float> waiting_;  // orbits between two slices
    std::deque<Launch> free_, in_flight_;

    FrameJob job_;
    BlockShape block_;
    bool active_ = false;
    int row_ = 0;             // rows that are done
    std::uint32_t from_ = 0;  // iterations that the band at row_ has behind it
    std::uint64_t frame_ = 0;

    std::uint64_t counted_frame_ = 0, newest_iterations_ = 0;
    double newest_ms_ = 0, ms_per_step_ = 0, ms_per_frame_ = 0;
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
