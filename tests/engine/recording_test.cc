// SPDX-License-Identifier: MIT
// What CPU backends record of a frame.
#include <gtest/gtest.h>

#include "kernels/engine/trace.h"
#include "tests/engine/recordings.h"

namespace warpscope {
namespace {

constexpr const char* kCpuRungs[] = {"cpu-scalar", "cpu-simd", "cpu-threads", "cpu"};

/// Not a multiple of a tile in either direction.
FrameJob seahorses() {
    FrameJob job;
    job.center_re = -0.745;
    job.center_im = 0.1;
    job.spacing = 1e-4;
    job.width = 301;
    job.height = 203;
    job.limit = 2000;
    return job;
}

Tuning tiles_of(int edge, int threads) {
    Tuning tuning;
    tuning.cpu_tile = edge;
    tuning.cpu_threads = threads;
    return tuning;
}

Trace record(Backend& backend, const Tuning& tuning, std::span<const Part> parts = {}) {
    return record(backend, seahorses(), tuning, parts);
}

TEST(Recording, EveryCpuRungTellsOfEveryTileOnce) {
    for (const char* name : kCpuRungs) {
        SCOPED_TRACE(name);
        const auto backend = make_backend(name);
        const Trace trace = record(*backend, tiles_of(64, 3));
        EXPECT_EQ(trace_problem(trace), "");
        EXPECT_EQ(trace.backend, name);
        EXPECT_EQ(trace.job, seahorses());
        EXPECT_EQ(trace.unit, TraceUnit::kThread);
        const bool all = std::string_view{name} == "cpu" || std::string_view{name} == "cpu-threads";
        EXPECT_EQ(trace.units, all ? 3 : 1);
        ASSERT_EQ(trace.grids.size(), 1u);
        EXPECT_EQ(trace.grids[0].x * trace.grids[0].y, 5 * 4);
        EXPECT_EQ(trace.spans.size(), 20u);
        EXPECT_EQ(cover(trace), std::vector<int>(pixels(trace.job), 1));
        expect_no_overlap(trace);
        expect_sums(trace, backend->stats());
        EXPECT_LE(span_us(trace), trace.kernel_ms * 1e3) << "both are of the same clock";
        EXPECT_GT(sum_us(trace), 0);
    }
}

TEST(Recording, PartsAreGridsOfTheirOwn) {
    const auto backend = make_backend("cpu");
    const std::vector<Part> parts{{0, 0, 301, 100, 4, 4}, {10, 100, 150, 203, 1, 1}};
    const Trace trace = record(*backend, tiles_of(16, 2), parts);
    EXPECT_EQ(trace_problem(trace), "");
    ASSERT_EQ(trace.grids.size(), 2u);
    EXPECT_EQ(trace.grids[0].part, parts[0]);
    EXPECT_EQ(trace.grids[1].part, parts[1]);
    const std::vector<int> times = cover(trace);
    for (int y = 0; y < 203; ++y) {
        for (int x = 0; x < 301; ++x) {
            const int wanted = y < 100 ? x % 4 == 0 && y % 4 == 0 : x >= 10 && x < 150;
            ASSERT_EQ(times[static_cast<std::size_t>(y * 301 + x)], wanted) << x << ", " << y;
        }
    }
    expect_no_overlap(trace);
    expect_sums(trace, backend->stats());
}

TEST(Recording, NamesTheKernel) {
    const auto backend = make_backend("cpu-scalar");
    Tuning tuning = tuning_of("blocks");
    EXPECT_EQ(record(*backend, tuning).kernel, "scalar, blocks");
    tuning.method.periodicity = true;
    EXPECT_EQ(record(*backend, tuning).kernel, "scalar, own switches");
}

TEST(Recording, ChangesNoCount) {
    const auto plain = make_backend("cpu"), recorded = make_backend("cpu");
    recorded->record(Recording::kSpans);
    EXPECT_EQ(differing(compute(*plain, seahorses()), compute(*recorded, seahorses())), 0u);
}

TEST(Recording, IsHandedOutOnceAndOnlyWhenAskedFor) {
    const auto backend = make_backend("cpu");
    EXPECT_FALSE(backend->take_trace()) << "off at first";
    compute(*backend, seahorses());
    EXPECT_FALSE(backend->take_trace());
    backend->record(Recording::kSpans);
    EXPECT_FALSE(backend->take_trace()) << "from the next frame on";
    compute(*backend, seahorses());
    EXPECT_TRUE(backend->take_trace());
    EXPECT_FALSE(backend->take_trace());
    backend->record(Recording::kOff);
    compute(*backend, seahorses());
    EXPECT_FALSE(backend->take_trace());
}

TEST(Recording, SwitchedInTheMiddleIsForTheNextFrame) {
    const auto backend = make_backend("cpu");
    const FrameJob job = seahorses();
    const HostSamples samples = backend->allocate_host(pixels(job));
    backend->start(job, {});
    backend->record(Recording::kSpans);
    while (!backend->advance({samples.get(), Memory::kHost}, 50).done) {
    }
    EXPECT_FALSE(backend->take_trace());
    backend->start(job, {});
    backend->record(Recording::kOff);
    while (!backend->advance({samples.get(), Memory::kHost}, 50).done) {
    }
    EXPECT_TRUE(backend->take_trace());
}

TEST(Recording, FramesGivenUpLeaveNone) {
    const auto backend = make_backend("cpu");
    backend->record(Recording::kSpans);
    const FrameJob job = endless_job();
    const HostSamples samples = backend->allocate_host(pixels(job));
    backend->start(job, tuning_of("blocks"));
    EXPECT_FALSE(backend->advance({samples.get(), Memory::kHost}, 20).done);
    backend->cancel();
    EXPECT_FALSE(backend->take_trace());
    EXPECT_EQ(record(*backend, tiles_of(64, 2)).job, seahorses());
}

/// A backend that knows nothing of traces.
class Silent final : public Backend {
  public:
    const BackendInfo& info() const noexcept override { return info_; }
    void start(const FrameJob&, const Tuning&, std::span<const Part>) override {}
    Progress advance(Target, double) override { return {1, true}; }
    void cancel() noexcept override {}
    FrameStats stats() override { return {}; }
    bool accepts(Memory) const noexcept override { return true; }
    HostSamples allocate_host(std::size_t) override { return {}; }

  private:
    BackendInfo info_;
};

TEST(Recording, BackendsThatCannotSaySo) {
    Silent silent;
    EXPECT_FALSE(silent.record(Recording::kSpans));
    EXPECT_FALSE(silent.take_trace());
}

}  // namespace
}  // namespace warpscope
