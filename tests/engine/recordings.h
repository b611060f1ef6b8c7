// SPDX-License-Identifier: MIT
// How tests record frames, and what must hold of every recording.
#pragma once

#include <map>
#include <utility>

#include "kernels/engine/trace.h"
#include "tests/engine/frames.h"

namespace warpscope {

/// The trace of a frame, in order.
inline Trace record(Backend& backend, const FrameJob& job, const Tuning& tuning,
                    std::span<const Part> parts = {}, Recording recording = Recording::kSpans) {
    EXPECT_TRUE(backend.record(recording));
    const HostSamples samples = backend.allocate_host(pixels(job));
    backend.start(job, tuning, parts);
    while (!backend.advance({samples.get(), Memory::kHost}, 50).done) {
    }
    std::optional<Trace> trace = backend.take_trace();
    EXPECT_TRUE(trace);
    if (!trace) return {};
    arrange(*trace);
    return std::move(*trace);
}

/// How often each pixel belongs to a span.
inline std::vector<int> cover(const Trace& trace) {
    std::vector<int> times(pixels(trace.job));
    for (const Span& span : trace.spans) {
        const std::optional<Part> part = region(trace, span);
        if (!part) continue;
        for (int y = part->y0; y < part->y1; y += part->step_y) {
            for (int x = part->x0; x < part->x1; x += part->step_x) {
                ++times[static_cast<std::size_t>(y * trace.job.width + x)];
            }
        }
    }
    return times;
}

inline void expect_no_overlap(const Trace& trace) {
    std::map<std::pair<int, int>, double> free_at;
    for (const Span& span : trace.spans) {
        double& free = free_at[{span.unit, span.slot}];
        EXPECT_LE(free, span.start_us) << "on unit " << span.unit;
        free = span.end_us;
    }
}

inline void expect_sums(const Trace& trace, const FrameStats& stats) {
    std::uint64_t executed = 0, lane_steps = 0;
    for (const Span& span : trace.spans) {
        executed += span.executed;
        lane_steps += span.lane_steps;
    }
    EXPECT_EQ(executed, stats.executed);
    EXPECT_EQ(lane_steps, stats.lane_steps);
    EXPECT_DOUBLE_EQ(lane_efficiency(trace), stats.lane_efficiency());
    EXPECT_EQ(trace.kernel_ms, stats.kernel_ms);
}

}  // namespace warpscope
