// SPDX-License-Identifier: MIT
// The compute demos: small problems, each solved by a ladder of rungs from one scalar CPU thread to
// a tuned GPU kernel, timed stage by stage and verified. Driven by the window and by the command
// line; run_rung() may be called from any one thread at a time and blocks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/engine/device_info.h"
#include "kernels/engine/timing.h"

namespace warpscope {

/// A request that cannot be met. The message names what was asked and what is accepted.
struct LabError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What bounds a demo, and so which peak its rate is compared with.
enum class LabRate : std::uint8_t { kBandwidth, kCompute };

/// Whether the data lie in the caches when the kernel starts.
enum class LabCache : std::uint8_t {
    kCold,  ///< other data fill the caches before each sample
    kWarm,  ///< the same kernel ran just before
};

/// What LabRequest::block_x and block_y mean to a rung.
enum class LabBlock : std::uint8_t {
    kNone,       ///< a CPU rung or cuBLAS: nothing to choose
    kLinear,     ///< block_x threads, 1 to 1024
    kRectangle,  ///< block_x by block_y threads, product 1 to 1024
    kSquare,     ///< block_x by block_x threads: the largest of 8, 16, 32 not above block_x
    kFixed,      ///< the kernel fixes its own
};

/// A problem.
struct LabDemo {
    std::string_view name;  ///< "vector_add", "saxpy" or "matmul"
    std::string_view title;
    std::string_view idea;  ///< one sentence
    LabRate rate;
    std::size_t default_n;  ///< elements; for matmul rows and columns
    std::size_t max_n;
};

/// A way to solve it.
struct LabRung {
    std::string name;     ///< unique in the demo: "cpu-simd", "cuda-tiled", "cublas", …
    std::string backend;  ///< "cpu-scalar", "cpu-simd", "cpu-threads", "cpu" or "cuda"
    std::string title;
    std::string idea;         ///< what this rung adds, one sentence
    std::string unavailable;  ///< why it cannot run here; empty if it can
    LabBlock block = LabBlock::kNone;
    int default_block_x = 0, default_block_y = 0;
    std::string source_file;  ///< from the project's root
    std::string_view source;  ///< the kernel's own text, cut from the file that was compiled
};

/// What to run.
struct LabRequest {
    std::string demo;
    std::string rung;
    std::size_t n = 0;             ///< 0: the demo's default
    int block_x = 0, block_y = 0;  ///< threads per block; 0: the rung's default
    std::uint64_t seed = 0;        ///< of the input data; 0: a fresh one
    int device = 0;                ///< CUDA device index
    int cpu_threads = 0;           ///< for rungs on all threads; 0: one per logical processor
    LabCache cache = LabCache::kCold;
    SamplingPlan plan;  ///< of the kernel stage; the first launch is its own warm-up
};

/// Milliseconds of each stage. The kernel stage is LabFigures::kernel.
struct LabStages {
    double allocate_host = 0;  ///< page-locked host memory (CUDA), host clock
    double allocate = 0;       ///< device memory; CPU: memory and its first touch. Host clock
    double copy_in = 0;        ///< CUDA events, median; 0 on the CPU
    double first_launch =
        0;                ///< host clock; context, code and library handles too. In no other figure
    double copy_out = 0;  ///< CUDA events, median; 0 on the CPU
    double free = 0;      ///< host clock
};

/// What a verified run measured.
struct LabFigures {
    LabStages stages;
    Distribution kernel;  ///< milliseconds; CUDA events or host clock
    StopReason stop = StopReason::kEnough;
    std::vector<double> samples;  ///< of the kernel stage, milliseconds
    double bytes = 0;             ///< that must cross memory once: compulsory traffic
    double flops = 0;             ///< floating-point operations counted
    LabRate rate = LabRate::kBandwidth;
    double per_second = 0;     ///< bytes/s or flop/s (by `rate`) at the median
    double peak = 0;           ///< the machine's, measured in this run, same unit
    std::string peak_how;      ///< how it was measured
    double of_peak = 0;        ///< per_second / peak
    double end_to_end_ms = 0;  ///< allocate + copy in + kernel + copy out + free
};

/// What was compared with the double-precision reference.
struct LabVerification {
    bool passed = false;
    std::size_t checked = 0;     ///< entries compared with the reference
    std::size_t wrong = 0;       ///< of those, beyond the tolerance or not finite
    std::size_t not_finite = 0;  ///< NaN or infinite, among all entries
    double worst = 0;            ///< largest error in units of its tolerance
    std::string tolerance;       ///< what it is, and why
    std::string failure;         ///< first wrong entry, in words; empty when passed
};

/// What run_rung() returns. Figures are absent when verification failed or the run was cancelled.
struct LabResult {
    std::string demo, rung, backend;
    std::string device;  ///< processor or GPU, with instruction set and threads
    std::size_t n = 0;
    int block_x = 0, block_y = 0;   ///< threads per block that ran; 0 on the CPU
    std::uint64_t grid_blocks = 0;  ///< 0 on the CPU and for cuBLAS
    std::uint64_t guard_waste = 0;  ///< outputs that the grid covers past the end: idled by a guard
    KernelResources resources;      ///< of the CUDA kernel; zeros elsewhere
    std::size_t shared_bytes = 0;   ///< dynamic shared memory per block
    std::uint64_t seed = 0;
    std::string cache;  ///< state of the caches, in words
    bool cancelled = false;
    LabVerification verification;
    std::optional<LabFigures> figures;
};

/// Called on run_rung()'s own thread: 0 to 1, and what is going on.
using LabProgress = std::function<void(double fraction, std::string_view label)>;

std::span<const LabDemo> lab_demos() noexcept;

/// Throws LabError naming the demos when there is no such one.
const LabDemo& find_lab_demo(std::string_view name);

/// The ladder, from the bottom up; rungs that cannot run here say why. Where CUDA works the first
/// call for matmul loads cuBLAS, which takes about half a second: keep the result.
std::vector<LabRung> lab_rungs(std::string_view demo);

/// Names of the rungs that `filter` selects: "" or "all" (whatever can run here), a backend ("cpu",
/// "cuda", …), "auto" (cuda where it works, else cpu) or a rung's name. Throws LabError naming what
/// is accepted, or why a rung asked for by name cannot run.
std::vector<std::string> select_lab_rungs(std::string_view demo, std::string_view filter);

/// Runs one rung: allocates, copies, launches, verifies, measures the peak. Returns early with
/// `cancelled` set once `stop` is requested (CPU: within 100 ms; CUDA: after the launch in flight).
/// Throws LabError on what cannot be met (with needed and free bytes when memory is short) and
/// BackendError when CUDA fails.
LabResult run_rung(const LabRequest& request, std::stop_token stop = {},
                   const LabProgress& progress = {});

}  // namespace warpscope
