// SPDX-License-Identifier: MIT
// Turns states into frames: decides when something has to be computed, at which resolution, and
// what the finished frame shows. Owns the running backend; knows no GL.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/state.h"

namespace warpscope {

/// Whether a frame may be coarse or late to keep the window quick (kInteractive), or is computed
/// whole and at full resolution whatever it takes (kComplete; offscreen runs).
enum class Effort : std::uint8_t { kInteractive, kComplete };

/// The window as the explorer needs to know it.
struct Viewport {
    int width = 0, height = 0;  ///< framebuffer pixels
    bool attended = true;       ///< visible and focused; else live pauses to economy
    double now = 0;             ///< seconds of a steady clock
};

/// A frame that was computed to its end.
struct ShownFrame {
    View view;
    FrameJob job;     ///< width and height are the grid's, which may be coarser than the window
    int divisor = 1;  ///< window pixels per sample in each direction
    std::string backend;
    double aspect() const noexcept { return static_cast<double>(job.width) / job.height; }
};

class Explorer {
  public:
    /// `on_backend` hears of each new backend while the one before still lives, so that what was
    /// lent can be given back.
    explicit Explorer(Effort effort, std::function<void(Backend&)> on_backend = {});

    /// Takes the newest state. Makes the backend it asks for, cancels work that it overtakes, and
    /// returns whether there is work for advance(). Throws BackendError.
    bool submit(const State& state, const Viewport& viewport);

    /// The job that advance() works on: the size of its target.
    const FrameJob& job() const noexcept { return job_; }

    /// Works for about `budget_ms`; returns the frame when it has just been finished.
    std::optional<ShownFrame> advance(Target target, double budget_ms);

    /// Gives running work up, for instance before its target goes away.
    void cancel() noexcept;

    /// The running backend; needs a submit() before.
    Backend& backend() noexcept { return *backend_; }
    const Backend& backend() const noexcept { return *backend_; }
    bool has_backend() const noexcept { return backend_ != nullptr; }

    /// How far the running frame is, 0 to 1, and for how long it has been running in seconds.
    double fraction() const noexcept { return fraction_; }
    double running_seconds(double now) const noexcept { return working_ ? now - started_ : 0; }

    /// Cost of the newest frame that is known.
    const FrameStats& stats() const noexcept { return stats_; }

  private:
    void ensure_backend(const State& state);
    int choose_divisor(const Viewport& viewport) const;
    void learn_cost();
    bool decide(const State& state, const Viewport& viewport);
    bool is_obsolete(const FrameJob& wanted) const;
    void begin(const State& state, const FrameJob& job, const Viewport& viewport);

    Effort effort_;
    std::function<void(Backend&)> on_backend_;
    std::unique_ptr<Backend> backend_;
    std::string backend_name_;
    int backend_device_ = -1;
    bool working_ = false;
    FrameJob job_;  // running, or last finished
    Tuning tuning_;
    View job_view_;
    int divisor_ = 1;
    double started_ = 0, fraction_ = 0;
    std::optional<Scene> last_scene_;
    double last_change_ = -1e9;  // when the scene last changed, seconds
    double ms_per_pixel_ = 0;    // of the last finished frame on this backend
    FrameStats stats_;
};

}  // namespace warpscope
