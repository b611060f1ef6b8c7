// SPDX-License-Identifier: MIT
// Turns states into frames: decides when something has to be computed, from which samples on and in
// which passes, and what the samples that are there show. Owns the running backend; knows no GL.
//
// A frame is computed from coarse to fine on its own grid, beginning with as many samples as fit
// into one refresh of the display. Whole-pixel pans keep what the frame before has. Where all of a
// frame fits, it is computed whole; where even a few samples take long, a sketch with a smaller
// limit comes first. While the view rests, frames jittered by fractions of a pixel
// follow: samples for anti-aliasing.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/session/state.h"
#include "app/session/time_left.h"
#include "kernels/engine/coverage.h"

namespace warpscope {

/// Whether a frame may be coarse or late to keep the window quick (kInteractive), or is computed
/// whole, at full resolution and without extra samples whatever it takes (kComplete; offscreen).
enum class Effort : std::uint8_t { kInteractive, kComplete };

/// Samples of a pixel that anti-aliasing takes, the one in its middle included.
inline constexpr int kMostSamples = 64;

/// The window as the explorer needs to know it.
struct Viewport {
    int width = 0, height = 0;  ///< framebuffer pixels
    bool attended = true;       ///< visible and focused; else live pauses to economy
    double now = 0;             ///< seconds of a steady clock
};

/// A frame that can be shown.
struct ShownFrame {
    View view;
    FrameJob job;
    Coverage coverage;  ///< which of its samples are there
    std::string backend;
    double aspect() const noexcept { return static_cast<double>(job.width) / job.height; }
    bool complete() const noexcept { return coverage.complete(); }
};

/// Where the running work's samples belong.
enum class Goal : std::uint8_t {
    kNextFrame,  ///< a frame that is not shown yet
    kRefine,     ///< the one that is shown, whose other samples must still be there
    kSample,     ///< a jittered frame beside it
};

/// Samples to keep: sample (x, y) of the next frame is (x + dx, y + dy) of the one that is shown.
struct CarryOver {
    int dx = 0, dy = 0;
};

class Explorer {
  public:
    /// `on_backend` hears of each new backend while the one before still lives, so that what was
    /// lent can be given back.
    explicit Explorer(Effort effort, std::function<void(Backend&)> on_backend = {});

    /// Takes the newest state. Makes the backend it asks for, cancels work that it overtakes, and
    /// returns whether there is work for advance(). Throws BackendError.
    bool submit(const State& state, const Viewport& viewport);

    /// Begins the next pass of the frame that advance() has just finished one of, if any is left;
    /// returns whether there is work.
    bool continue_frame();

    /// Whether work is begun and not finished.
    bool working() const noexcept { return work_.has_value(); }

    /// Width, height and formula of what advance() works on: the size of its target. While
    /// working().
    const FrameJob& job() const noexcept { return work_->job; }
    Goal goal() const noexcept { return work_->goal; }

    /// What the target must have before the work's first advance(); asked once.
    std::optional<CarryOver> take_carry_over() noexcept { return std::exchange(carry_, {}); }

    /// Works for about `budget_ms`; returns whether the work is finished. Then front() is the frame
    /// to show (kNextFrame, kRefine), or sample_index() the sample that is there.
    bool advance(Target target, double budget_ms);

    /// The frame that is shown, as far as it can be built upon.
    const std::optional<ShownFrame>& front() const noexcept { return front_; }

    /// Number of the jittered frame that was finished last, 1 to kMostSamples - 1.
    int sample_index() const noexcept { return samples_ - 1; }

    /// Samples begin anew, for what they were added to is lost.
    void restart_samples() noexcept { samples_ = 1; }

    /// Gives running work up, for instance before its target goes away.
    void cancel() noexcept;

    /// The samples in front are lost or another backend's: nothing can be built upon them.
    void forget() noexcept;

    /// The frame for `scene` in a window of this size, as submit() would compute it.
    GridFrame frame_for(const Scene& scene, int width, int height) const;

    /// The job of the last submitted state; width 0 before the first.
    const FrameJob& wanted() const noexcept { return wanted_; }

    /// Whether df64 is cheaper than double on the running backend.
    Df64Speed df64_speed() const noexcept { return df64_; }

    /// The running backend; needs a submit() before.
    Backend& backend() noexcept { return *backend_; }
    const Backend& backend() const noexcept { return *backend_; }
    bool has_backend() const noexcept { return backend_ != nullptr; }

    /// How far the unfinished frame is, 0 to 1, for how many seconds it has been computed (0 where
    /// none is), and how many are left where that can be said.
    double fraction() const noexcept;
    double running_seconds(double now) const noexcept;
    std::optional<double> seconds_left(double now) const noexcept {
        return left_.seconds_left(now);
    }

    /// Cost of the newest frame whose figures are known: of as many of its passes as have come
    /// (`pixels` tells), kernels of all passes together. A jittered frame counts for its base.
    const FrameStats& stats() const noexcept { return stats_; }

  private:
    struct Work {
        Goal goal = Goal::kNextFrame;
        ShownFrame frame;
        FrameJob job;  // the frame's, or jittered
        Pass pass;
        double started = 0;
        bool first = false;    // pass of its frame
        bool again = false;    // the frame is shown already: live, or on another backend
        bool typical = false;  // its cost per pixel is that of the view
    };
    /// A pass whose figures have not come yet.
    struct Awaited {
        FrameJob job, base;
        std::int64_t pixels = 0;
        bool first = false, typical = false;
    };

    void ensure_backend(const State& state);
    void note_changes(const State& state, const Viewport& viewport);
    bool decide(const State& state, const Viewport& viewport);
    bool goes_on(const GridFrame& wanted, const State& state);
    bool may_sample(const State& state, const Viewport& viewport) const;
    bool is_cheap(const FrameJob& job) const;
    int first_step(std::int64_t pixels) const;
    double whole_ms(const FrameJob& job) const;
    void note_slowness();
    void begin_frame(const GridFrame& wanted, const State& state, const Viewport& viewport);
    void begin_in_place(const GridFrame& wanted);
    void begin_again();
    static bool can_be_sketched(const Work& work);
    double whole_pass_ms() const;
    void begin_sample();
    void start(Work work);
    double done_share() const noexcept;
    void learn_cost();

    Effort effort_;
    std::function<void(Backend&)> on_backend_;
    std::unique_ptr<Backend> backend_;
    std::string backend_name_;
    int backend_device_ = -1;
    Df64Speed df64_ = Df64Speed::kSlower;

    std::optional<ShownFrame> front_;
    FrameJob complete_;  // what is shown is all of this, whoever computed it; width 0: nothing is
    std::optional<Work> work_;
    std::optional<CarryOver> carry_;
    FrameJob wanted_;
    Tuning tuning_;  // of work and front
    double pass_fraction_ = 0;
    // That the unfinished frame had to compute when it began; 0 where none is being computed.
    std::int64_t frame_pixels_ = 0;
    TimeLeft left_;
    int samples_ = 1;

    std::optional<Scene> last_scene_;
    ColorSettings last_color_;
    int last_width_ = 0, last_height_ = 0;
    double last_change_ = -1e9;  // of picture or colours, seconds
    double now_ = 0;             // of the last submit()

    double ms_per_pixel_ = 0;  // on this backend; 0: not known
    std::deque<Awaited> awaited_;
    FrameStats stats_;
};

}  // namespace warpscope
