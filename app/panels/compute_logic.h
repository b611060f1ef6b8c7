// SPDX-License-Identifier: MIT
// The Compute tab's arithmetic, apart from its drawing: numbers typed, blocks and their guards,
// requests, ratios, and the six-element example step by step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab_run.h"
#include "app/panels/compute_ui.h"

namespace warpscope {

/// A count as people write it: "10000000", "10,000,000", "1e7", "10M", "64k"; k, M and G are powers
/// of 1000. Absent where it is not a whole number from 0 to 1e15.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Bytes of a demo's three float arrays.
double lab_bytes(const LabDemo& demo, std::size_t n) noexcept;

/// Which grid covers n, and what of it the guard stops.
struct GridCover {
    int block_x = 1, block_y = 1;
    std::uint64_t blocks_x = 0, blocks_y = 1;
    std::uint64_t threads = 0;         ///< launched
    std::uint64_t idle = 0;            ///< of these, past the end: stopped by the guard
    std::uint64_t partial_blocks = 0;  ///< blocks with idle and working threads
    int last_block_works = 0;          ///< working threads of the last block (of x and y both)
    std::uint64_t blocks() const noexcept { return blocks_x * blocks_y; }
};

/// One thread per element (vectors) or per entry (matmul). `block_y` counts for matmul only.
GridCover cover(const LabDemo& demo, std::size_t n, int block_x, int block_y) noexcept;

/// Clamps a block to what the rung takes: 1 to 1024 threads, or the next smaller of 8, 16, 32.
void clamp_block(const LabRung& rung, RungChoice& choice) noexcept;

/// What each wanted rung that can run here is asked to do, from the bottom of the ladder up.
struct LabCircumstances {
    int device = 0, cpu_threads = 0;
    LabCache cache = LabCache::kCold;
};
std::vector<LabRequest> requests_of(const LabDemo& demo, const DemoChoice& choice,
                                    const LabCircumstances& where);

/// How many times as long the best CPU rung takes. Kernel alone; with both copies; with memory too.
struct LabRatio {
    double kernel = 0, with_copies = 0, end_to_end = 0;
    /// Runs on the same data after which copies and allocation have paid off; absent where never.
    std::optional<double> break_even;
};

/// The verified CPU rung of `demo` with the shortest kernel, or null.
const LabResult* best_cpu(std::span<const LabOutcome> outcomes, std::string_view demo);

/// Of two verified results.
LabRatio ratio_to(const LabFigures& best_cpu, const LabFigures& rung) noexcept;

/// Kernel and both copies, milliseconds.
double with_copies_ms(const LabFigures& figures) noexcept;

/// The verified result with the highest rate of `demo`, or null.
const LabResult* fastest(std::span<const LabOutcome> outcomes, std::string_view demo);

/// "28.5 GB/s" or "1.02 TFLOP/s".
std::string rate_text(const LabFigures& figures);

/// "87.5 %", or "> 100 %": a figure above the peak says that caches helped or that the peak, a copy
/// of as many bytes, was mostly starting threads. How far above would mean nothing.
std::string share_text(double of_peak);

/// "±0.4 %": the interquartile range against the median; "± —" of a single sample.
std::string spread_text(const Distribution& kernel);

/// What there is to show of a rung.
enum class RungPhase : std::uint8_t {
    kIdle,         ///< not measured
    kUnavailable,  ///< cannot run here
    kWaiting,
    kRunning,
    kFailed,    ///< could not run
    kWrong,     ///< ran and computed something else: figures withheld
    kMeasured,  ///< verified figures
};
struct RungRow {
    const LabRung* rung = nullptr;
    RungPhase phase = RungPhase::kIdle;
    const LabResult* result = nullptr;    ///< of kWrong and kMeasured
    const LabFigures* figures = nullptr;  ///< of kMeasured
    std::string_view problem;             ///< of kUnavailable, kFailed and kWrong
};

/// One row for each rung of the demo, from the bottom of the ladder up. Borrows from both.
std::vector<RungRow> rows_of(const LabDemo& demo, const DemoChoice& choice, const LabRun& run);

/// The steps of the six-element example.
enum class ExampleStep : std::uint8_t { kLaunch, kIndex, kGuard, kLoad, kStore };
inline constexpr int kExampleSteps = 5;

/// What a step says, above and under.
struct ExampleText {
    std::string title;
    std::string text;
};
ExampleText example_text(ExampleStep step, int block_threads);

}  // namespace warpscope
