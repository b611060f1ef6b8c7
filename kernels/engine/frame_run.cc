// SPDX-License-Identifier: MIT
#include "kernels/engine/frame_run.h"

#include <algorithm>
#include <chrono>

namespace warpscope {

FrameEnd run_frame(Backend& backend, const FrameJob& job, const Tuning& tuning, Sample* samples,
                   const std::stop_token& stop, double patience_ms) {
    using Clock = std::chrono::steady_clock;
    constexpr double kLookMs = 20;  // how long a stop may go unnoticed
    const Clock::time_point start = Clock::now();
    backend.start(job, tuning);
    while (!backend.advance({samples, Memory::kHost}, kLookMs).done) {
        const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
        if (!stop.stop_requested() && spent.count() <= patience_ms) continue;
        backend.cancel();
        return stop.stop_requested() ? FrameEnd::kStopped : FrameEnd::kTooLong;
    }
    return FrameEnd::kDone;
}

std::size_t pixel_count(const FrameJob& job) noexcept {
    return static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height);
}

std::uint64_t hash_counts(std::span<const Sample> samples) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Sample& sample : samples) hash = (hash ^ sample.count) * 0x100000001b3u;
    return hash;
}

void poison(std::span<Sample> samples) noexcept {
    std::fill(samples.begin(), samples.end(), Sample{0xdeadbeef, -1});
}

}  // namespace warpscope
