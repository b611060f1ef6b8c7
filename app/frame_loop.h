// SPDX-License-Identifier: MIT
// One frame: from the state through backend, shared buffer and shader to the framebuffer.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/frame_log.h"
#include "app/path_log.h"
#include "app/session/explorer.h"
#include "app/session/palette.h"
#include "app/surface.h"
#include "render/gpu_timer.h"
#include "render/interop.h"
#include "render/presenter.h"
#include "render/sample_buffer.h"

namespace warpscope {

/// What one backend took for one view.
struct BackendRate {
    FrameJob job;
    double kernel_ms = 0;
    std::uint64_t iterations = 0;
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

    /// Computes for about `budget_ms` and draws the fraction of the state that is ready,
    /// reprojected to its view. Throws BackendError and GlError; the frame before stays shown.
    void compute(const State& state, const Viewport& viewport, double budget_ms);
    void draw(const State& state, double cycle_phase);

    /// Draws `panels` over the frame, measured apart.
    void draw_panels(const std::function<void()>& panels);

    /// Ends the frame's book-keeping: its cost goes into the log.
    void finish(double total_ms, double cpu_ms);

    /// Tries interop anew, as at start.
    void probe(InteropChoice interop, int device);

    const FrameLog& log() const noexcept { return log_; }
    /// GPU frames, apart by their way to the screen.
    const PathLog& paths() const noexcept { return paths_; }
    /// Frames that were computed to their end since the start.
    std::uint64_t frames_computed() const noexcept { return frames_computed_; }
    const InteropVerdict& verdict() const noexcept { return verdict_; }
    bool shares_buffer() const noexcept { return buffer_.path() == SamplePath::kShared; }
    const Explorer& explorer() const noexcept { return explorer_; }
    Explorer& explorer() noexcept { return explorer_; }
    const std::optional<ShownFrame>& shown() const noexcept { return shown_; }
    const std::vector<Palette>& palettes() const noexcept { return palettes_; }
    const PaletteTable& palette_table(const std::string& name);

    /// The newest figures of each backend that was tried, by its name.
    const std::map<std::string, BackendRate>& rates() const noexcept { return rates_; }
    /// The same for `job` only: nothing where that backend has not computed exactly this.
    std::optional<BackendRate> rate(const std::string& backend, const FrameJob& job) const;

    /// The shown samples, row 0 on top. Waits for the GPU.
    std::vector<Sample> read_samples() const { return buffer_.read_front(); }

  private:
    void note_rate();
    void note_cost();
    void drop_interop(const std::string& why);

    Surface& surface_;
    InteropVerdict verdict_;
    SampleBuffer buffer_;
    Explorer explorer_;
    Presenter presenter_;
    GpuTimer draw_timer_, panel_timer_;
    std::vector<Palette> palettes_;
    std::string tabulated_;
    PaletteTable table_{};
    std::optional<ShownFrame> shown_;
    FrameCost cost_;
    FrameLog log_;
    PathLog paths_;
    std::uint64_t frames_computed_ = 0;
    std::map<std::string, BackendRate> rates_;
};

}  // namespace warpscope
