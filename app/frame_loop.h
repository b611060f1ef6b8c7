// SPDX-License-Identifier: MIT
// One frame: from the state through backend, shared buffer and shader to the framebuffer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/companions.h"
#include "app/frame_log.h"
#include "app/path_log.h"
#include "app/session/explorer.h"
#include "app/session/palette.h"
#include "app/surface.h"
#include "app/trace_recorder.h"
#include "render/gpu_timer.h"
#include "render/interop.h"
#include "render/presenter.h"
#include "render/sample_buffer.h"

namespace warpscope {

/// What one backend took for one view.
struct BackendRate {
    FrameJob job;
    double kernel_ms = 0;  ///< median of the newest frames
    std::uint64_t iterations = 0;
    std::uint64_t executed = 0;  ///< of them; shortcuts skip some
    std::int64_t pixels = 0;
    double per_second() const noexcept {
        return kernel_ms > 0 ? static_cast<double>(iterations) / (kernel_ms * 1e-3) : 0;
    }
};

class FrameLoop {
  public:
    /// Probes interop with the surface's context current, for the state's device. Throws GlError.
    FrameLoop(Surface& surface, Effort effort, InteropChoice interop, int device);

    ~FrameLoop();
    FrameLoop(const FrameLoop&) = delete;
    FrameLoop& operator=(const FrameLoop&) = delete;

    /// Computes for about `budget_ms`; returns whether draw() would draw anything new, or a newer
    /// trace is there. Throws BackendError and GlError; the frame before stays shown.
    bool compute(const State& state, const Viewport& viewport, double budget_ms);

    /// What to record of the frames to come, a few a second, as far as the backend can. Off at
    /// first.
    void record(Recording recording) noexcept { recorder_.record(recording); }
    /// Whether the running backend can record.
    bool can_record() const noexcept { return recorder_.can_record(); }
    /// The newest whole frame that was recorded, with what follows from it; null before the first.
    const std::shared_ptr<const TraceStudy>& newest_study() const noexcept {
        return recorder_.newest();
    }
    /// Its trace alone.
    std::shared_ptr<const Trace> newest_trace() const noexcept {
        const std::shared_ptr<const TraceStudy>& study = recorder_.newest();
        return study ? std::shared_ptr<const Trace>{study, &study->trace} : nullptr;
    }
    /// Whether a frame must be computed although nothing has changed, for it to be recorded.
    bool wants_recorded_frame() const { return settled_ && recorder_.wants_frame(explorer_); }

    /// What is computed beside the picture from now on. Nothing at first, and then at no cost.
    void accompany(const std::vector<Companion>& wanted) { companions_.want(wanted, verdict_); }
    const Companions& companions() const noexcept { return companions_; }

    /// Draws what is there, reprojected to the state's view: while it rests, the mean of jittered
    /// frames. Then `overlay` over it, unless that is null. Right of `split`, a share of the
    /// window's width, stands the first companion's frame; then no mean is drawn. Throws GlError.
    void draw(const State& state, double cycle_phase, Overlay* overlay = nullptr,
              std::optional<double> split = {});

    /// Draws `panels` over the frame, measured apart.
    void draw_panels(const std::function<void()>& panels);

    /// Ends the frame's book-keeping: its cost goes into the log.
    void finish(double total_ms, double cpu_ms);

    /// Tries interop anew, as at start.
    void probe(InteropChoice interop, int device);

    const FrameLog& log() const noexcept { return log_; }
    /// GPU frames, apart by their way to the screen.
    const PathLog& paths() const noexcept { return paths_; }
    /// Frames that were computed to their end since the start; jittered ones are counted apart.
    std::uint64_t frames_computed() const noexcept { return frames_computed_; }
    std::uint64_t samples_computed() const noexcept { return samples_computed_; }
    /// Samples of a pixel in what draw() drew last, 1 to kMostSamples.
    int samples_shown() const noexcept { return samples_shown_; }
    /// Whether the last compute() left nothing to do.
    bool settled() const noexcept { return settled_; }
    const InteropVerdict& verdict() const noexcept { return verdict_; }
    bool shares_buffer() const noexcept { return buffer_.path() == SamplePath::kShared; }
    const Explorer& explorer() const noexcept { return explorer_; }
    Explorer& explorer() noexcept { return explorer_; }
    const std::optional<ShownFrame>& shown() const noexcept { return shown_; }
    /// The samples of shown(), borrowed until the next compute().
    SampleGrid grid() const noexcept { return buffer_.front(); }
    const std::vector<Palette>& palettes() const noexcept { return palettes_; }
    const PaletteTable& palette_table(const std::string& name);

    /// The newest figures of each backend that was tried, by its name.
    const std::map<std::string, BackendRate>& rates() const noexcept { return rates_; }
    /// The same for the frame that is shown: nothing before one of the window's size is.
    std::optional<BackendRate> shown_rate(const std::string& backend) const;
    /// For `job` only: nothing where that backend has not computed exactly this.
    std::optional<BackendRate> rate(const std::string& backend, const FrameJob& job) const;

    /// What draw() drew last for such a state, mean included, without overlay and panels: RGBA, 8
    /// bits each, R in the lowest byte, row 0 on top. Needs a shown frame. Waits for the GPU.
    /// Throws GlError.
    std::vector<std::uint32_t> read_picture(const State& state, double cycle_phase);

    /// The shown samples, never jittered, row 0 on top. Waits for the GPU.
    std::vector<Sample> read_samples() const { return buffer_.read_front(); }

  private:
    /// What a mean of jittered frames is a mean of.
    struct MeanKey {
        FrameJob job;
        ColoringParams coloring;
        std::string palette;
        bool operator==(const MeanKey&) const = default;
    };

    void lend_to(Backend& backend);
    bool compute_picture(const State& state, const Viewport& viewport, double budget_ms);
    Lead lead(const State& state, const Viewport& viewport) const;
    bool work_on(double budget_ms);
    void take_in(Goal goal);
    Picture picture(const State& state, double cycle_phase, Extent size);
    Picture picture_of(const std::optional<ShownFrame>& shown, SampleGrid grid, const State& state,
                       double cycle_phase, Extent size);
    void draw_both(const State& state, double cycle_phase, Picture left, double split);
    void add_sample(const Picture& shown, const MeanKey& key);
    void note_rate(const Explorer& explorer);
    bool shows_this_size() const;
    void note_cost(const SampleBuffer& buffer);
    void drop_interop(const std::string& why);

    Surface& surface_;
    InteropVerdict verdict_;
    SampleBuffer buffer_, jittered_;
    TraceRecorder recorder_;
    Explorer explorer_;
    Companions companions_;
    Presenter presenter_;
    GpuTimer draw_timer_, panel_timer_;
    std::vector<Palette> palettes_;
    std::string tabulated_;
    PaletteTable table_{};
    std::optional<ShownFrame> shown_;
    FrameCost cost_;
    FrameLog log_;
    PathLog paths_;
    std::uint64_t frames_computed_ = 0, samples_computed_ = 0;
    MeanKey mean_key_;
    int mean_samples_ = 0;  // in the presenter's mean; 0 where it is of no use
    int fresh_sample_ = 0;  // number of the jittered frame that is still to be added; 0: none
    int samples_shown_ = 1;
    bool settled_ = false;
    std::map<std::string, BackendRate> rates_;
    std::map<std::string, std::vector<double>> newest_ms_;  // that the rates are medians of
};

}  // namespace warpscope
