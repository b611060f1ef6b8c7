// SPDX-License-Identifier: MIT
// The benchmark: fixed views x number types x rungs x backends, against the arithmetic limit of the
// same processor measured in the same run. The method is NVIDIA's nvbench's where it applies.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/fma_meter.h"
#include "kernels/engine/timing.h"

namespace warpscope {

/// A view that is measured.
struct BenchView {
    std::string_view key;    ///< as on the command line
    std::string_view title;  ///< what it stands for
    double re, im, zoom;     ///< half-height 2/zoom
    std::uint32_t limit;     ///< iterations
};

/// home, seahorse, elephant, boundary, interior, exterior.
std::span<const BenchView> bench_views() noexcept;

/// What happens to samples during which the processor was not at full speed.
enum class Throttled : std::uint8_t { kDrop, kKeep };

/// What is measured, and how.
struct BenchPlan {
    std::vector<BenchView> views;
    std::vector<Precision> types;
    std::vector<MethodRung> rungs;
    std::vector<std::string> backends;
    /// cpu-scalar is slow: without need it is measured on the first view alone.
    bool scalar_everywhere = false;
    int width = 1920, height = 1080;  ///< pixels
    int cuda_device = 0;
    /// Threads per block on a GPU: the first for every rung, the others for `blocks` alone, whose
    /// loop they change most.
    std::vector<BlockShape> blocks{BlockShape{}, BlockShape{128, 1}};
    SamplingPlan sampling;
    double slowest_s = 1;  ///< what takes longer a frame is skipped, with the reason
    Throttled throttled = Throttled::kDrop;
};

/// A reference loop of multiply-adds runs before and after every sample, on as many threads as the
/// backend has or on all of the GPU. Where either is slower than this share of the peak, the clock
/// was lowered or others took the processor. [nvbench drops below 75 % of the default clock]
inline constexpr double kThrottledBelow = 0.75;
/// What happens inside a long frame those loops miss. So a CPU's frame counts as throttled too
/// where its threads had the processor for less than kLeastShare of the time, or for less than
/// kShareOfBest of the share that they had in the row's best frame.
inline constexpr double kLeastShare = 0.5, kShareOfBest = 0.9;

/// The limit of a processor, or of some of its threads.
struct BenchPeak {
    std::string backend;  ///< whose limit it is
    Precision type = Precision::kFloat;
    double fma_per_second = 0;  ///< the best of all runs: others only ever take from a peak
    std::size_t runs = 0;
    double iterations_per_second() const noexcept { return fma_per_second / kStepInstructions; }
};

/// One combination. Rates are per second at the median time.
struct BenchRow {
    std::string view, rung, backend;
    Precision type = Precision::kFloat;
    BlockShape block;     ///< on a GPU
    std::string problem;  ///< why there are no figures; empty where there are
    Distribution kernel;  ///< computing alone, milliseconds
    StopReason stop = StopReason::kEnough;
    std::size_t throttled = 0;  ///< samples dropped, or kept, that were taken while throttled
    std::uint64_t iterations = 0, executed = 0, lane_steps = 0;  ///< of a frame, see FrameStats
    std::uint64_t counts_hash = 0;
    double of_limit = 0;  ///< executed_per_second() : the peak's iterations_per_second()
    double effective_per_second() const noexcept { return per_second(iterations); }
    double executed_per_second() const noexcept { return per_second(executed); }
    double lane_efficiency() const noexcept {
        return lane_steps > 0 ? static_cast<double>(executed) / static_cast<double>(lane_steps) : 0;
    }

  private:
    double per_second(std::uint64_t count) const noexcept {
        return kernel.median > 0 ? static_cast<double>(count) / (kernel.median * 1e-3) : 0;
    }
};

struct BenchResult {
    BenchPlan plan;
    std::vector<BackendInfo> backends;  ///< that were measured
    std::vector<BenchPeak> peaks;       ///< of each: float and double, as the types need
    std::vector<BenchRow> rows;
};

/// The job of a view.
FrameJob bench_job(const BenchPlan& plan, const BenchView& view, Precision type);

/// The peak that a row of `type` is measured against: df64 is made of floats. nullptr where none.
const BenchPeak* peak_of(const BenchResult& result, std::string_view backend, Precision type);

/// Called before each combination (`row` names it) and again when it is done.
using BenchProgress = std::function<void(const BenchRow& row, std::size_t at, std::size_t of)>;

/// Measures all of `plan`. A figure is withheld where its counts differ from the first ones of the
/// same view and type. A backend that cannot be made gives rows with the reason. A stop keeps what
/// is there. Throws std::invalid_argument on an impossible sampling plan.
BenchResult bench(const BenchPlan& plan, const std::stop_token& stop,
                  const BenchProgress& progress = {});

}  // namespace warpscope
