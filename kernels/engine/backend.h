// SPDX-License-Identifier: MIT
// The one interface to whoever computes samples. Nothing above it knows which backend is running.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/engine/method.h"
#include "kernels/math/sample.h"

namespace warpscope {

/// A backend could not be made, or failed while it ran. The message says what, on which device,
/// why.
struct BackendError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Where a target's samples lie.
enum class Memory : std::uint8_t { kHost, kDevice };

/// Borrowed room for width*height samples, row-major, row 0 on top.
struct Target {
    Sample* samples = nullptr;
    Memory memory = Memory::kHost;
};

/// Threads per block. Any x, y >= 1 with x * y <= 1024.
struct BlockShape {
    int x = 8, y = 16;
    bool operator==(const BlockShape&) const = default;
};

/// Pixels (x0 + i step_x, y0 + j step_y) of a frame with x < x1 and y < y1, i, j >= 0.
struct Part {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int step_x = 1, step_y = 1;
    WARPSCOPE_HD int columns() const noexcept { return (x1 - x0 + step_x - 1) / step_x; }
    WARPSCOPE_HD int rows() const noexcept { return (y1 - y0 + step_y - 1) / step_y; }
    std::int64_t pixels() const noexcept { return std::int64_t{columns()} * rows(); }
    bool operator==(const Part&) const = default;
};

/// Registers of each thread: what the compiler found best, or a variant of the kernel that was
/// compiled with fewer, or with more than it needs.
enum class RegisterUse : std::uint8_t { kCompiled, k24, k64, k96, k128, k168, k254 };
inline constexpr std::array kRegisterUses{
    RegisterUse::kCompiled, RegisterUse::k24,  RegisterUse::k64,  RegisterUse::k96,
    RegisterUse::k128,      RegisterUse::k168, RegisterUse::k254,
};
/// Most that a thread of the variant has; 0 for kCompiled.
constexpr int most_registers(RegisterUse use) noexcept {
    constexpr std::array kMost{0, 24, 64, 96, 128, 168, 254};
    return kMost[static_cast<std::size_t>(use)];
}
/// Most threads of a block of the variant: 65,536 registers are all that a block can have.
constexpr int most_threads(RegisterUse use) noexcept {
    return most_registers(use) > 128 ? 256 : most_registers(use) > 64 ? 512 : 1024;
}

/// What blocks take of an SM without need, so that fewer fit and one sees what that does. CUDA.
struct WhatIf {
    RegisterUse registers = RegisterUse::kCompiled;  ///< where there is such a variant
    int shared_bytes = 0;                            ///< dynamic shared memory per block
    bool operator==(const WhatIf&) const = default;
};

/// How a backend spreads the work. Never changes a count.
struct Tuning {
    Method method;
    BlockShape block;     ///< CUDA
    int cpu_threads = 0;  ///< worker threads; 0 means one per logical processor
    int cpu_tile = 64;    ///< edge of a square tile in pixels, 8 to 1024
    WhatIf what_if = {};
    bool operator==(const Tuning&) const = default;
};

/// How far a frame has come.
struct Progress {
    double fraction = 0;  ///< 0 to 1, of the pixels to compute
    bool done = false;
};

/// What the newest frame cost whose figures have arrived (a GPU's come a frame or two later).
struct FrameStats {
    FrameJob job;             ///< that frame; width 0 before the first
    double kernel_ms = 0;     ///< CUDA events around the kernels; CPU: first to last tile, wall
    double copy_ms = 0;       ///< CUDA events around the copy to the host; 0 where there is none
    int launches = 0;         ///< kernels launched
    std::int64_t pixels = 0;  ///< computed: fewer than the frame has where parts were asked
    std::uint64_t iterations = 0;  ///< that the counts stand for: the limit for a pixel inside
    std::uint64_t executed = 0;    ///< of them executed: shortcuts skip some. Without replays
    /// Steps that lanes of warps or vectors spent on those, waiting lanes included.
    std::uint64_t lane_steps = 0;
    /// Share of the lanes' steps that did something, 0 to 1; 0 before the first frame.
    double lane_efficiency() const noexcept {
        return lane_steps > 0 ? static_cast<double>(executed) / static_cast<double>(lane_steps) : 0;
    }
};

inline constexpr std::size_t kMaxParts = 8;

/// What a backend is, for people and reports.
struct BackendInfo {
    std::string name;      ///< "cpu-scalar", "cpu-simd", "cpu-threads", "cpu" or "cuda"
    std::string device;    ///< processor or GPU name, as it calls itself
    std::string detail;    ///< "AVX3, 8 threads" or "compute capability 9.0, 132 SMs"
    int cuda_device = -1;  ///< CUDA device index, or -1
};

/// What a backend keeps of its frames: nothing, a trace of its spans, or also what the warps of
/// each pixel did (Trace::pixel_work, on CUDA; tiles tell it elsewhere).
enum class Recording : std::uint8_t { kOff, kSpans, kPixels };

struct Trace;  // kernels/engine/trace.h

/// Host samples that a backend can copy to at full speed (page-locked for CUDA).
using HostSamples = std::unique_ptr<Sample[], std::function<void(Sample*)>>;

/// Computes frames, one at a time. Used from one thread.
class Backend {
  public:
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    virtual const BackendInfo& info() const noexcept = 0;

    /// Begins a frame; an unfinished one is cancelled. Throws BackendError on an invalid job or
    /// part. Computes `parts` only and leaves the target's other samples as they are; all of the
    /// frame where there are none. At most kMaxParts.
    virtual void start(const FrameJob& job, const Tuning& tuning,
                       std::span<const Part> parts = {}) = 0;

    /// Works for about `budget_ms` milliseconds on the frame and returns how far it has come. A
    /// host target must be the same at every call of a frame and outlive it (or cancel()); a device
    /// target may move from call to call as long as its content does. Throws BackendError.
    virtual Progress advance(Target target, double budget_ms) = 0;

    /// Gives the frame up; when it returns nothing writes to the target any more.
    virtual void cancel() noexcept = 0;

    /// The newest figures; takes in those that have arrived since. Throws BackendError.
    virtual FrameStats stats() = 0;

    /// Whether frames started from now on are recorded; off at first, and then as fast as if there
    /// were no recording. Returns whether this backend can record at all.
    virtual bool record(Recording recording);

    /// The trace of the newest finished frame that was recorded; each is handed out once, and must
    /// be put in order by arrange(), which may happen on another thread. Include
    /// kernels/engine/trace.h to call it. Absent also where a frame had more than kMostSpans.
    /// Throws BackendError.
    virtual std::optional<Trace> take_trace();

    /// Whether advance() takes targets in `memory`. Host always works.
    virtual bool accepts(Memory memory) const noexcept = 0;

    virtual HostSamples allocate_host(std::size_t count) = 0;

    /// The CUDA stream (cudaStream_t) that the frame runs in; nullptr for CPU backends.
    virtual void* stream() const noexcept { return nullptr; }

  protected:
    Backend() = default;
};

/// A backend that may be asked for by name, and why it cannot run here (empty if it can).
struct BackendChoice {
    std::string name;
    std::string unavailable;
};

/// cpu-scalar, cpu-simd, cpu-threads, cpu, cuda, in this order.
std::vector<BackendChoice> backend_choices();

/// Makes `name`: one of backend_choices() or "auto" (cuda where it works, else cpu). `device` is
/// the CUDA device index. Throws BackendError naming the accepted names or the reason.
std::unique_ptr<Backend> make_backend(std::string_view name, int device = 0);

}  // namespace warpscope
