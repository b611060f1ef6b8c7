// SPDX-License-Identifier: MIT
// What launches cost and count, learnt without waiting for them. Include from CUDA-built files.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <deque>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_cuda.h"

namespace warpscope {

/// One launch: its events and counters, on the device and pinned.
struct Launch {
    static constexpr std::size_t kCounters = std::size_t{kSlots} * kSlotStride;

    Launch() { CUDA_CHECK(cudaMemset(slots.data(), 0, slots.bytes())); }

    Event begin, end, copied, settled;
    DeviceBuffer<unsigned long long> slots{kCounters};  // zero while the launch is free
    PinnedBuffer<unsigned long long> counters{kCounters};
    FrameJob job;
    std::int64_t pixels = 0;
    std::uint64_t frame = 0;
    bool last = false, copies = false, fetched = false;
};

/// Launches in flight and the figures of frames. Used by one backend, with its device current.
class LaunchLog {
  public:
    LaunchLog() {
        for (int i = 0; i < kRing; ++i) free_.emplace_back();
    }

    /// A launch to record; waits for the oldest where all are in flight.
    Launch take(const Stream& stream) {
        if (free_.empty()) wait(stream);
        Launch launch = std::move(free_.back());
        free_.pop_back();
        launch.last = launch.copies = launch.fetched = false;
        return launch;
    }

    /// From here on the launch's cost is learnt by harvest(). Its events must be recorded.
    void add(Launch launch) { in_flight_.push_back(std::move(launch)); }

    /// Waits for everything in `stream` and takes all costs.
    void wait(const Stream& stream) {
        stream.synchronize();
        harvest();
        counting_.synchronize();
        harvest();
    }

    /// Takes the cost of launches that have ended, oldest first.
    void harvest() {
        for (Launch& launch : in_flight_) {
            if (launch.fetched) continue;
            if (!launch.copied.done()) break;
            fetch(launch);
        }
        while (!in_flight_.empty()) {
            Launch& launch = in_flight_.front();
            if (!launch.fetched || !launch.settled.done()) return;
            account(launch);
            free_.push_back(std::move(launch));
            in_flight_.pop_front();
        }
    }

    /// Ends the frame whose launches were not marked `last`.
    void finish_frame() {
        finished_ = current_;
        finished_frame_ = counted_frame_;
    }
    void add_copy(double ms) { current_.copy_ms += ms; }

    /// The newest whole frame, and the newest launch: milliseconds and what it counted.
    const FrameStats& finished() const { return finished_; }
    std::uint64_t finished_frame() const { return finished_frame_; }  ///< its Launch::frame
    double newest_ms() const { return newest_ms_; }
    std::uint64_t newest_executed() const { return newest_executed_; }

    void drain() noexcept { ignore_cuda(cudaStreamSynchronize(counting_.get())); }

  private:
    static constexpr int kRing = 8;

    /// After the launch has ended, on a stream of its own: between a kernel and the OpenGL calls
    /// that wait for it the GPU has nothing else to do.
    void fetch(Launch& launch) {
        launch.fetched = true;
        CUDA_CHECK(cudaMemcpyAsync(launch.counters.data(), launch.slots.data(),
                                   launch.slots.bytes(), cudaMemcpyDeviceToHost, counting_.get()));
        CUDA_CHECK(cudaMemsetAsync(launch.slots.data(), 0, launch.slots.bytes(), counting_.get()));
        launch.settled.record(counting_);
    }

    void account(const Launch& launch) {
        if (launch.frame != counted_frame_) {
            counted_frame_ = launch.frame;
            current_ = {};
            current_.job = launch.job;
            current_.pixels = launch.pixels;
        }
        newest_ms_ = std::max(elapsed_ms(launch.begin, launch.end), 1e-3);
        newest_executed_ = 0;
        current_.kernel_ms += newest_ms_;
        if (launch.copies) current_.copy_ms += elapsed_ms(launch.end, launch.copied);
        ++current_.launches;
        for (std::size_t at = 0; at < Launch::kCounters; at += kSlotStride) {
            current_.iterations += launch.counters.data()[at];
            newest_executed_ += launch.counters.data()[at + 1];
            current_.lane_steps += launch.counters.data()[at + 2];
        }
        current_.executed += newest_executed_;
        if (launch.last) finish_frame();
    }

    Stream counting_;
    std::deque<Launch> free_, in_flight_;
    std::uint64_t counted_frame_ = 0, finished_frame_ = 0, newest_executed_ = 0;
    double newest_ms_ = 0;
    FrameStats current_, finished_;
};

}  // namespace warpscope
