// SPDX-License-Identifier: MIT
#include "app/frame_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/clock.h"
#include "app/sample_work.h"
#include "app/session/coloring.h"
#include "kernels/engine/plan.h"
#include "render/offscreen.h"

namespace warpscope {

FrameLoop::FrameLoop(Surface& surface, Effort effort, InteropChoice interop, int device)
    : surface_{surface},
      verdict_{probe_interop(interop, device)},
      recorder_{effort},
      explorer_{effort, [this](Backend& fresh) { lend_to(fresh); }},
      companions_{effort},
      palettes_{load_palettes()} {}

FrameLoop::~FrameLoop() {
    explorer_.cancel();
    buffer_.release();
    jittered_.release();
}

void FrameLoop::lend_to(Backend& backend) {
    buffer_.use(backend, verdict_);
    jittered_.use(backend, verdict_);
    recorder_.use(backend);
}

void FrameLoop::probe(InteropChoice interop, int device) {
    explorer_.forget();
    verdict_ = probe_interop(interop, device);
    if (explorer_.has_backend()) lend_to(explorer_.backend());
    companions_.lend(verdict_);
}

void FrameLoop::drop_interop(const std::string& why) {
    explorer_.forget();
    verdict_.active = false;
    verdict_.reason = "sharing failed while running: " + why;
    lend_to(explorer_.backend());
}

Lead FrameLoop::lead(const State& state, const Viewport& viewport) const {
    Lead lead{state, viewport, {}, false, false, frames_computed_};
    if (!explorer_.has_backend()) return lead;
    lead.wanted = explorer_.frame_for(state.scene, viewport.width, viewport.height).job;
    lead.ready = shown_ && shown_->complete() && shown_->job == lead.wanted &&
                 shown_->backend == explorer_.backend().info().name;
    lead.gpu = explorer_.backend().info().cuda_device >= 0;
    return lead;
}

bool FrameLoop::compute(const State& state, const Viewport& viewport, double budget_ms) {
    if (companions_.empty()) return compute_picture(state, viewport, budget_ms);
    if (viewport.width < 1 || viewport.height < 1) {
        companions_.rest();
        return compute_picture(state, viewport, budget_ms);
    }
    constexpr double kLeastMs = 2;
    const Stopwatch watch;
    State mine = state;
    if (!companions_.leave_turn(lead(state, viewport))) mine.paused = true;
    bool fresh = compute_picture(mine, viewport, budget_ms);
    // Who computes beside the picture must not go short where that takes all its time.
    const double left = std::max(budget_ms - watch.ms(), kLeastMs);
    fresh = companions_.compute(lead(state, viewport), left) || fresh;
    for (std::size_t i = 0; i < companions_.size(); ++i) {
        const Explorer& other = companions_.picture(i).explorer();
        if (!companions_.wish(i).backend.empty() && other.has_backend()) note_rate(other);
    }
    settled_ = settled_ && !companions_.working();
    return fresh;
}

bool FrameLoop::compute_picture(const State& state, const Viewport& viewport, double budget_ms) {
    constexpr double kWorthwhileMs = 1;
    const Stopwatch watch;
    cost_ = {};
    if (explorer_.has_backend()) {
        recorder_.prepare(explorer_.backend(), state.tuning, viewport.now);
    }
    bool work = explorer_.submit(state, viewport);
    settled_ = !work;
    note_rate(explorer_);
    bool fresh = false;
    try {
        while (work && work_on(budget_ms - watch.ms())) {
            fresh = true;
            work = budget_ms - watch.ms() > kWorthwhileMs && explorer_.continue_frame();
        }
    } catch (const InteropError& error) {
        drop_interop(error.what());
    }
    return recorder_.collect(explorer_.backend()) || fresh;
}

/// Returns whether a piece of work has been finished.
bool FrameLoop::work_on(double budget_ms) {
    const Goal goal = explorer_.goal();
    SampleBuffer& buffer = goal == Goal::kSample ? jittered_ : buffer_;
    if (!work_into(buffer, explorer_, budget_ms)) return false;
    take_in(goal);
    return true;
}

void FrameLoop::take_in(Goal goal) {
    if (goal == Goal::kSample) {
        fresh_sample_ = explorer_.sample_index();
        ++samples_computed_;
        return note_cost(jittered_);
    }
    shown_ = explorer_.front();
    if (shown_->complete()) {
        ++frames_computed_;
        recorder_.count_frame(shown_->job);
    }
    note_cost(buffer_);
}

void FrameLoop::note_rate(const Explorer& explorer) {
    const FrameStats& stats = explorer.stats();
    // Some passes of a frame, or the strips that came into view, are not what a frame takes.
    if (stats.job.width == 0 || stats.pixels < whole(stats.job).pixels()) return;
    if (stats.job.limit != explorer.wanted().limit) return;  // nor is its sketch
    constexpr std::size_t kNewest = 15;
    const std::string& name = explorer.backend().info().name;
    std::vector<double>& newest = newest_ms_[name];
    if (!(rates_[name].job == stats.job)) newest.clear();
    if (newest.empty() || newest.back() != stats.kernel_ms) newest.push_back(stats.kernel_ms);
    if (newest.size() > kNewest) newest.erase(newest.begin());
    rates_[name] = {stats.job, *middle(newest), stats.iterations, stats.executed, stats.pixels};
}

/// Until a frame of the window's size is done, figures would be those of another size.
bool FrameLoop::shows_this_size() const {
    const Extent size = surface_.framebuffer_size();
    return shown_ && shown_->job.width == size.width && shown_->job.height == size.height;
}

std::optional<BackendRate> FrameLoop::shown_rate(const std::string& backend) const {
    return shows_this_size() ? rate(backend, shown_->job) : std::nullopt;
}

void FrameLoop::note_cost(const SampleBuffer& buffer) {
    const FrameStats& stats = explorer_.stats();
    const TransferStats transfer = buffer.stats();
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

Picture FrameLoop::picture(const State& state, double cycle_phase, Extent size) {
    return picture_of(shown_, buffer_.front(), state, cycle_phase, size);
}

Picture FrameLoop::picture_of(const std::optional<ShownFrame>& shown, SampleGrid grid,
                              const State& state, double cycle_phase, Extent size) {
    const Coverage* coverage = nullptr;
    Reprojection map;
    if (shown) {
        const double aspect = static_cast<double>(size.width) / size.height;
        map = reproject(shown->view, shown->aspect(), state.scene.view, aspect);
        coverage = &shown->coverage;
        // Another formula's picture says nothing about this one.
        if (shown->job.formula != state.scene.formula || shown->job.julia != state.scene.julia) {
            grid = {};
        }
    }
    const ColoringParams params =
        coloring_params(state.color, cycle_phase, state.scene.formula, grid.width, grid.height);
    return {.grid = grid,
            .coverage = coverage,
            .coloring = params,
            .palette = palette_table(state.color.palette),
            .reprojection = map,
            .width = size.width,
            .height = size.height,
            .framebuffer = surface_.framebuffer(),
            .texture = surface_.texture()};
}

void FrameLoop::draw(const State& state, double cycle_phase, Overlay* overlay,
                     std::optional<double> split) {
    const Extent size = surface_.framebuffer_size();
    if (size.width < 1 || size.height < 1) return;
    Picture shown = picture(state, cycle_phase, size);
    shown.overlay = overlay;
    const bool rests = shows_this_size() && shown_->complete() && shown_->job == explorer_.wanted();
    const MeanKey key{rests ? shown_->job : FrameJob{}, shown.coloring, state.color.palette};
    draw_timer_.begin();
    if (rests && fresh_sample_ > 0) add_sample(shown, key);
    fresh_sample_ = 0;
    const bool mean =
        rests && !split && state.settings.antialias && mean_samples_ > 1 && key == mean_key_;
    if (split && !companions_.empty()) {
        draw_both(state, cycle_phase, shown, *split);
    } else if (mean) {
        presenter_.draw_mean(shown);
    } else {
        presenter_.draw(shown);
    }
    draw_timer_.end();
    samples_shown_ = mean ? mean_samples_ : 1;
}

/// Both frames side by side, coloured alike, with the overlay over both.
void FrameLoop::draw_both(const State& state, double cycle_phase, Picture left, double split) {
    const SecondPicture& other = companions_.picture(0);
    presenter_.draw(
        picture_of(other.shown(), other.grid(), state, cycle_phase, {left.width, left.height}));
    left.columns = std::clamp(static_cast<int>(std::lround(split * left.width)), 0, left.width);
    presenter_.draw(left);
}

/// Adds the newest jittered frame to the mean, which begins with what is shown.
void FrameLoop::add_sample(const Picture& shown, const MeanKey& key) {
    if (!(key == mean_key_)) mean_samples_ = 0;
    if (fresh_sample_ == 1 && mean_samples_ == 0) {
        presenter_.add_to_mean(shown, Presenter::Mean::kBegin);
        mean_key_ = key;
        mean_samples_ = 1;
    }
    // Those that are in it already may come again, after the backend was switched for instance.
    if (fresh_sample_ < mean_samples_) return;
    if (fresh_sample_ > mean_samples_) return explorer_.restart_samples();
    Picture jittered = shown;
    jittered.grid = jittered_.front();
    jittered.coverage = nullptr;
    presenter_.add_to_mean(jittered, Presenter::Mean::kContinue);
    ++mean_samples_;
}

std::vector<std::uint32_t> FrameLoop::read_picture(const State& state, double cycle_phase) {
    const Extent size = surface_.framebuffer_size();
    const GlTexture texture;
    const GlFramebuffer framebuffer;
    GL_CHECK(glTextureStorage2D(texture.id(), 1, GL_RGBA8, size.width, size.height));
    GL_CHECK(glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, texture.id(), 0));
    Picture shown = picture(state, cycle_phase, size);
    shown.framebuffer = framebuffer.id();
    shown.texture = texture.id();
    if (samples_shown_ > 1) {
        presenter_.draw_mean(shown);
    } else {
        presenter_.draw(shown);
    }
    return read_framebuffer(framebuffer.id(), size.width, size.height);
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
    if (shows_this_size()) {
        log_.add(cost_);
    } else {
        log_ = {};
    }
    if (explorer_.has_backend() && explorer_.backend().info().cuda_device >= 0) {
        paths_.add(buffer_.path(), explorer_.stats().job, cost_);
    }
}

}  // namespace warpscope
