// SPDX-License-Identifier: MIT
// The fair comparison: every CPU rung and the GPU on the same job, in one run, with what a reader
// would object to kept apart: copies, allocation, first launch, and whether the counts agree.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/engine/backend.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/timing.h"

namespace warpscope {

/// What one backend took for the job. All times in milliseconds.
struct CompareRow {
    std::string backend;
    std::string problem;  ///< why there are no figures; empty where there are
    BackendInfo info;
    Distribution kernel;      ///< computing alone
    Distribution with_copy;   ///< and the copy of the samples to page-locked host memory
    Distribution end_to_end;  ///< and allocating, creating streams or threads, freeing; host clock
    double first_launch = 0;  ///< creation and first frame in this process: context, module load
    StopReason stop = StopReason::kEnough;
    std::uint64_t iterations = 0;   ///< per frame that the counts stand for
    std::uint64_t executed = 0;     ///< of them executed: shortcuts skip some
    double lane_efficiency = 0;     ///< 0 to 1, see FrameStats
    std::uint64_t counts_hash = 0;  ///< FNV-1a of all counts: proof that the work was done
    std::size_t differing = 0;      ///< pixels whose count differs from the first row's
    /// The effective figure: of iterations that the counts stand for.
    double iterations_per_second() const noexcept {
        return kernel.median > 0 ? static_cast<double>(iterations) / (kernel.median * 1e-3) : 0;
    }
};

struct Comparison {
    FrameJob job;
    Tuning tuning;
    std::vector<CompareRow> rows;  ///< cpu-scalar, cpu-simd, cpu-threads, cpu, cuda
};

/// GPU : best CPU rung, that is how many times as long the best CPU rung takes.
struct Ratio {
    std::string cpu_rung;  ///< the fastest by its kernel time
    double kernel = 0, with_copy = 0, end_to_end = 0;
    /// Frames after which creating the GPU side (first launch) has paid off against the CPU; absent
    /// where it never does.
    std::optional<double> break_even_frames;
};

/// Absent while a figure is missing or counts differ (`why` then says which).
std::optional<Ratio> gpu_ratio(const Comparison& comparison, std::string& why);

/// Called between samples: rung at work, and how much of everything is done, 0 to 1.
using CompareProgress = std::function<void(const std::string& rung, double fraction)>;

/// Measures all rungs, each for about `seconds_per_figure` and at least three samples (one where a
/// frame takes seconds). A rung that fails keeps its reason; a stop keeps what is there.
Comparison compare(const FrameJob& job, const Tuning& tuning, int cuda_device,
                   double seconds_per_figure, std::stop_token stop,
                   const CompareProgress& progress = {});

/// One measured way to spread the work.
struct TunePoint {
    Tuning tuning;
    Distribution kernel;         ///< milliseconds
    double lane_efficiency = 0;  ///< 0 to 1, see FrameStats
};

/// Times `job` on `backend` in each way. Throws BackendError.
std::vector<TunePoint> time_tunings(const std::string& backend, int cuda_device,
                                    const FrameJob& job, const std::vector<Tuning>& tunings,
                                    std::stop_token stop,
                                    const std::function<void(double fraction)>& progress = {});

/// Times `job` on `backend` over block shapes (cuda: powers of two from one warp to 1024 threads)
/// or over threads and tile sizes (CPU), given tuning first. Throws BackendError.
std::vector<TunePoint> autotune(const std::string& backend, int cuda_device, const FrameJob& job,
                                const Tuning& tuning, std::stop_token stop,
                                const std::function<void(double fraction)>& progress = {});

/// Ways to run `tuning` at every occupancy that it can be brought down to: by variants of registers
/// among `uses`, and by dynamic shared memory so that any number of blocks fewer fit. `needs` are
/// the kernel's own, as compiled. First `tuning` with nothing wasted.
std::vector<Tuning> occupancy_sweep(const GpuArch& arch, const BlockNeeds& needs, Tuning tuning,
                                    const std::vector<RegisterUse>& uses);

}  // namespace warpscope
