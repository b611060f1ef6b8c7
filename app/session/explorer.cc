// SPDX-License-Identifier: MIT
#include "app/session/explorer.h"

#include <algorithm>
#include <array>

namespace warpscope {
namespace {

constexpr double kRestSeconds = 0.15;     // without a change for so long, the view is at rest
constexpr double kMovingFrameMs = 30;     // what a frame may cost while the view moves
constexpr double kPatienceSeconds = 0.1;  // how long an overtaken frame may go on

FrameJob plan_or_double(Scene scene, int width, int height) {
    std::optional<FrameJob> job = plan(scene, width, height);
    if (!job) {
        // Commands stop before this; a taller window can still get here. Coarse beats nothing.
        scene.precision = PrecisionChoice::kDouble;
        job = plan(scene, width, height);
    }
    return *job;
}

/// The same picture up to where it lies and how finely it is sampled.
bool same_but_view(FrameJob a, const FrameJob& b) {
    a.center_re = b.center_re;
    a.center_im = b.center_im;
    a.spacing = b.spacing;
    a.width = b.width;
    a.height = b.height;
    a.precision = b.precision;
    return a == b;
}

}  // namespace

Explorer::Explorer(Effort effort, std::function<void(Backend&)> on_backend)
    : effort_{effort}, on_backend_{std::move(on_backend)} {}

void Explorer::ensure_backend(const State& state) {
    if (backend_ && backend_name_ == state.backend && backend_device_ == state.device) return;
    cancel();
    std::unique_ptr<Backend> fresh = make_backend(state.backend, state.device);
    if (on_backend_) on_backend_(*fresh);
    backend_ = std::move(fresh);
    backend_name_ = state.backend;
    backend_device_ = state.device;
    ms_per_pixel_ = 0;
    job_ = {};
}

int Explorer::choose_divisor(const Viewport& viewport) const {
    constexpr std::array kDivisors{1, 2, 3, 4, 6, 8};
    if (effort_ == Effort::kComplete) return 1;
    const bool moving = viewport.now - last_change_ < kRestSeconds;
    if (!moving) return 1;
    const bool gpu = backend_->info().cuda_device >= 0;
    if (ms_per_pixel_ <= 0) return gpu ? 1 : 4;
    const double pixels = static_cast<double>(viewport.width) * viewport.height;
    for (const int divisor : kDivisors) {
        if (ms_per_pixel_ * pixels / (divisor * divisor) <= kMovingFrameMs) return divisor;
    }
    return kDivisors.back();
}

bool Explorer::is_obsolete(const FrameJob& wanted) const {
    if (wanted == job_) return false;
    // A coarse frame of a moving view is soon done and better than none; a fine one is not.
    return !same_but_view(job_, wanted) || divisor_ == 1;
}

bool Explorer::submit(const State& state, const Viewport& viewport) {
    ensure_backend(state);
    if (!last_scene_ || !(*last_scene_ == state.scene)) {
        last_scene_ = state.scene;
        last_change_ = viewport.now;
    }
    const bool work = decide(state, viewport);
    // While frames follow each other advance() asks, between mapping and unmapping: CUDA work
    // before the mapping would cost the GPU another switch between CUDA and OpenGL (0.3 ms on an
    // H200).
    if (!work) learn_cost();
    return work;
}

bool Explorer::decide(const State& state, const Viewport& viewport) {
    if (viewport.width < 1 || viewport.height < 1) return false;
    const int divisor = choose_divisor(viewport);
    const FrameJob wanted = plan_or_double(state.scene, (viewport.width + divisor - 1) / divisor,
                                           (viewport.height + divisor - 1) / divisor);
    if (working_) {
        const bool late = viewport.now - started_ > kPatienceSeconds;
        if (!is_obsolete(wanted) || (!late && same_but_view(job_, wanted))) return true;
        cancel();
    }
    if (state.paused) return false;
    const bool live = state.settings.pace == Pace::kLive && viewport.attended;
    if (wanted == job_ && state.tuning == tuning_ && !live) return false;
    divisor_ = divisor;
    begin(state, wanted, viewport);
    return true;
}

void Explorer::begin(const State& state, const FrameJob& job, const Viewport& viewport) {
    backend_->start(job, state.tuning);
    job_ = job;
    job_view_ = state.scene.view;
    tuning_ = state.tuning;
    working_ = true;
    started_ = viewport.now;
    fraction_ = 0;
}

std::optional<ShownFrame> Explorer::advance(Target target, double budget_ms) {
    if (!working_) return std::nullopt;
    Progress progress;
    do {
        progress = backend_->advance(target, budget_ms);
    } while (!progress.done && effort_ == Effort::kComplete);
    fraction_ = progress.fraction;
    if (!progress.done) return std::nullopt;
    working_ = false;
    learn_cost();
    return ShownFrame{job_view_, job_, divisor_, backend_->info().name};
}

void Explorer::learn_cost() {
    stats_ = backend_->stats();
    const double pixels = static_cast<double>(stats_.job.width) * stats_.job.height;
    if (pixels > 0) ms_per_pixel_ = (stats_.kernel_ms + stats_.copy_ms) / pixels;
}

void Explorer::cancel() noexcept {
    if (backend_) backend_->cancel();
    if (working_) job_ = {};  // unfinished: the same job must start again
    working_ = false;
}

}  // namespace warpscope
