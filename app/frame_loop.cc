// SPDX-License-Identifier: MIT
#include "app/frame_loop.h"

#include <algorithm>

#include "app/session/coloring.h"

namespace warpscope {

FrameLoop::FrameLoop(Surface& surface, Effort effort, InteropChoice interop, int device)
    : surface_{surface},
      verdict_{probe_interop(interop, device)},
      explorer_{effort, [this](Backend& fresh) { buffer_.use(fresh, verdict_); }},
      palettes_{load_palettes()} {}

FrameLoop::~FrameLoop() {
    explorer_.cancel();
    buffer_.release();
}

void FrameLoop::probe(InteropChoice interop, int device) {
    explorer_.cancel();
    verdict_ = probe_interop(interop, device);
    if (explorer_.has_backend()) buffer_.use(explorer_.backend(), verdict_);
}

void FrameLoop::drop_interop(const std::string& why) {
    explorer_.cancel();
    verdict_.active = false;
    verdict_.reason = "sharing failed while running: " + why;
    buffer_.use(explorer_.backend(), verdict_);
}

void FrameLoop::compute(const State& state, const Viewport& viewport, double budget_ms) {
    cost_ = {};
    const bool work = explorer_.submit(state, viewport);
    note_rate();
    if (!work) return;
    try {
        buffer_.resize(explorer_.job().width, explorer_.job().height);
        const Target target = buffer_.map();
        std::optional<ShownFrame> frame;
        try {
            frame = explorer_.advance(target, budget_ms);
        } catch (...) {
            buffer_.unmap();
            throw;
        }
        buffer_.unmap();
        if (!frame) return;
        buffer_.publish();
        shown_ = std::move(frame);
        ++frames_computed_;
        note_cost();
    } catch (const InteropError& error) {
        drop_interop(error.what());
    }
}

void FrameLoop::note_rate() {
    const FrameStats& stats = explorer_.stats();
    if (stats.job.width == 0) return;
    rates_[explorer_.backend().info().name] = {stats.job, stats.kernel_ms, stats.iterations};
}

void FrameLoop::note_cost() {
    const FrameStats& stats = explorer_.stats();
    const TransferStats transfer = buffer_.stats();
    const bool gpu = explorer_.backend().info().cuda_device >= 0;
    if (gpu && shares_buffer()) {
        cost_.map = transfer.map_ms;
        cost_.unmap = transfer.unmap_ms;
    } else {
        cost_.upload = transfer.upload_ms;
    }
    if (stats.job.width == 0) return;
    cost_.kernel = stats.kernel_ms;
    if (stats.copy_ms > 0) cost_.copy = stats.copy_ms;
}

std::optional<BackendRate> FrameLoop::rate(const std::string& backend, const FrameJob& job) const {
    const auto found = rates_.find(backend);
    if (found == rates_.end() || !(found->second.job == job)) return std::nullopt;
    return found->second;
}

const PaletteTable& FrameLoop::palette_table(const std::string& name) {
    if (tabulated_ == name && !name.empty()) return table_;
    const auto found =
        std::find_if(palettes_.begin(), palettes_.end(),
                     [&name](const Palette& palette) { return palette.name == name; });
    table_ = tabulate(found != palettes_.end() ? *found : palettes_.front());
    tabulated_ = name;
    return table_;
}

void FrameLoop::draw(const State& state, double cycle_phase) {
    const Extent size = surface_.framebuffer_size();
    if (size.width < 1 || size.height < 1) return;
    SampleGrid grid = buffer_.front();
    Reprojection map;
    if (shown_) {
        const double aspect = static_cast<double>(size.width) / size.height;
        map = reproject(shown_->view, shown_->aspect(), state.scene.view, aspect);
        // Another formula's picture says nothing about this one.
        if (shown_->job.formula != state.scene.formula || shown_->job.julia != state.scene.julia) {
            grid = {};
        }
    }
    const ColoringParams params =
        coloring_params(state.color, cycle_phase, state.scene.formula, grid.width, grid.height);
    draw_timer_.begin();
    presenter_.draw({grid, params, palette_table(state.color.palette), map, size.width, size.height,
                     surface_.framebuffer(), surface_.texture()});
    draw_timer_.end();
}

void FrameLoop::draw_panels(const std::function<void()>& panels) {
    panel_timer_.begin();
    panels();
    panel_timer_.end();
}

void FrameLoop::finish(double total_ms, double cpu_ms) {
    cost_.total = total_ms;
    cost_.cpu = cpu_ms;
    cost_.draw = draw_timer_.latest_ms();
    cost_.ui = panel_timer_.latest_ms();
    log_.add(cost_);
    if (explorer_.has_backend() && explorer_.backend().info().cuda_device >= 0) {
        paths_.add(buffer_.path(), explorer_.stats().job, cost_);
    }
}

}  // namespace warpscope
