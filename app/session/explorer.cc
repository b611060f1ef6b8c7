// SPDX-License-Identifier: MIT
#include "app/session/explorer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "kernels/engine/number_types.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

constexpr double kRestSeconds = 0.15;  // without a change for so long, the view is at rest
constexpr double kFirstPassMs = 12;    // what the first pass of a frame may cost
// How long an overtaken first pass may go on: with the frame in which that is noticed and the one
// in which the input came, less than the 50 ms within which any input cancels what runs.
constexpr double kPatienceSeconds = 0.03;
constexpr double kSlowSeconds = 0.025;  // after which a first pass was begun too fine
constexpr double kMostSampleMs = 500;   // what a frame may cost to be sampled again and again

constexpr double kLateMs = 2000;      // a first pass that will take longer is sketched,
constexpr double kSureSeconds = 0.1;  // as is told after so much of it
constexpr std::uint32_t kLeastSketched = 1'000'000, kSketchedBy = 1000;

/// A frame whose coarsest pass is late is first computed with a thousandth of the limit. Who
/// escapes by then has its final sample; the others look inside until the frame itself, in place of
/// the sketch, says more.
FrameJob sketch_of(FrameJob job) {
    if (job.limit >= kLeastSketched) job.limit /= kSketchedBy;
    return job;
}

bool aims_at(const FrameJob& wanted, const FrameJob& job) {
    return job == wanted || job == sketch_of(wanted);
}

FrameJob whole_pixels_aside(FrameJob job, const FrameJob& from) {
    job.shift_x = from.shift_x;
    job.shift_y = from.shift_y;
    return job;
}

/// The same picture up to where it lies and how finely it is sampled.
bool same_but_view(FrameJob a, const FrameJob& b) {
    a.center_re = b.center_re;
    a.center_im = b.center_im;
    a.spacing = b.spacing;
    a.precision = b.precision;
    return whole_pixels_aside(a, b) == b;
}

/// Where in the pixel sample `index` lies, in pixels from its middle: the R2 sequence, which fills
/// the square evenly however many are taken. [Roberts, "The unreasonable effectiveness of
/// quasirandom sequences", 2018]. In steps of 1/64, as FrameJob wants.
struct Jitter {
    double x, y;
};
Jitter jitter(int index) {
    const auto at = [index](double alpha) {
        const double turn = 0.5 + alpha * index;
        return std::floor(64 * (turn - std::floor(turn))) / 64 - 0.5;
    };
    return {at(0.7548776662466927), at(0.5698402909980532)};
}

/// A CPU's vectors of doubles are never beaten by pairs of floats; of a GPU it is measured once.
Df64Speed known_or_measured(Backend& backend, const Settings& settings) {
    if (backend.info().cuda_device < 0) return Df64Speed::kSlower;
    const auto known = settings.df64.find(backend.info().device);
    return known != settings.df64.end() ? known->second : measure_df64(backend);
}

Pass whole_pass(const FrameJob& job) {
    Coverage coverage{job};
    return *coverage.next(1);
}

}  // namespace

Explorer::Explorer(Effort effort, std::function<void(Backend&)> on_backend)
    : effort_{effort}, on_backend_{std::move(on_backend)} {}

void Explorer::ensure_backend(const State& state) {
    if (backend_ && backend_name_ == state.backend && backend_device_ == state.device) return;
    cancel();
    std::unique_ptr<Backend> fresh = make_backend(state.backend, state.device);
    df64_ = known_or_measured(*fresh, state.settings);
    if (on_backend_) on_backend_(*fresh);
    backend_ = std::move(fresh);
    backend_name_ = state.backend;
    backend_device_ = state.device;
    ms_per_pixel_ = 0;
    awaited_.clear();
    forget();
}

GridFrame Explorer::frame_for(const Scene& scene, int width, int height) const {
    if (auto frame = plan_on_grid(scene, width, height, df64_speed())) return *frame;
    // Commands stop before this; a taller window can still get here. Coarse beats nothing.
    Scene forced = scene;
    forced.precision = PrecisionChoice::kDouble;
    return *plan_on_grid(forced, width, height);
}

double Explorer::whole_ms(const FrameJob& job) const {
    return ms_per_pixel_ * static_cast<double>(whole(job).pixels());
}

bool Explorer::is_cheap(const FrameJob& job) const {
    return ms_per_pixel_ > 0 && whole_ms(job) <= kFirstPassMs;
}

int Explorer::first_step(std::int64_t pixels) const {
    constexpr int kUnknownOnCpu = 4;
    if (effort_ == Effort::kComplete) return 1;
    if (ms_per_pixel_ <= 0) return backend_->info().cuda_device >= 0 ? 1 : kUnknownOnCpu;
    int step = 1;
    const double ms = ms_per_pixel_ * static_cast<double>(pixels);
    while (step < kCoarsestStep && ms / (step * step) > kFirstPassMs) step *= 2;
    return step;
}

bool Explorer::submit(const State& state, const Viewport& viewport) {
    ensure_backend(state);
    note_changes(state, viewport);
    const bool work = decide(state, viewport);
    // While frames follow each other advance() asks, between mapping and unmapping: CUDA work
    // before the mapping would cost the GPU another switch between CUDA and OpenGL (0.3 ms on an
    // H200).
    if (!work) learn_cost();
    return work;
}

void Explorer::note_changes(const State& state, const Viewport& viewport) {
    now_ = viewport.now;
    const bool same = last_scene_ && *last_scene_ == state.scene && last_color_ == state.color &&
                      last_width_ == viewport.width && last_height_ == viewport.height;
    if (same) return;
    last_scene_ = state.scene;
    last_color_ = state.color;
    last_width_ = viewport.width;
    last_height_ = viewport.height;
    last_change_ = now_;
    samples_ = 1;
}

bool Explorer::decide(const State& state, const Viewport& viewport) {
    if (viewport.width < 1 || viewport.height < 1) {
        cancel();
        return false;
    }
    const GridFrame wanted = frame_for(state.scene, viewport.width, viewport.height);
    wanted_ = wanted.job;
    if (state.paused) {
        cancel();
        return false;
    }
    if (work_) {
        const bool sampling = work_->goal == Goal::kSample;
        if (goes_on(wanted, state) && (!sampling || may_sample(state, viewport))) {
            left_.update(now_, done_share());
            return true;
        }
        cancel();
    }
    if (!front_ || !aims_at(wanted.job, front_->job) || !(tuning_ == state.tuning)) {
        begin_frame(wanted, state, viewport);
        return true;
    }
    if (!front_->complete()) return continue_frame();
    if (!(front_->job == wanted.job)) {
        begin_in_place(wanted);
        return true;
    }
    if (may_sample(state, viewport)) {
        begin_sample();
        return true;
    }
    if (state.settings.pace != Pace::kLive || !viewport.attended) return false;
    begin_again();
    return true;
}

/// Whether the running work is still worth its time.
bool Explorer::goes_on(const GridFrame& wanted, const State& state) {
    const bool first = work_->goal == Goal::kNextFrame && !work_->again;
    const double seconds = now_ - work_->started;
    if (aims_at(wanted.job, work_->frame.job) && tuning_ == state.tuning) {
        const bool coarsens = work_->pass.step < kCoarsestStep && seconds > kSlowSeconds;
        const bool late =
            can_be_sketched(*work_) && seconds > kSureSeconds && whole_pass_ms() > kLateMs;
        const bool slow =
            first && effort_ == Effort::kInteractive && pass_fraction_ < 0.7 && (coarsens || late);
        if (slow) note_slowness();
        return !slow;
    }
    // The first pass of a view that has moved on is soon done and better than none.
    const bool soon = first && tuning_ == state.tuning && seconds < kPatienceSeconds &&
                      same_but_view(work_->frame.job, wanted.job);
    if (!soon && first && seconds > kSlowSeconds) note_slowness();
    return soon;
}

bool Explorer::can_be_sketched(const Work& work) {
    return work.typical && !work.again && !(sketch_of(work.job) == work.job);
}

/// The running pass takes longer than foretold: the next one shall begin more coarsely.
void Explorer::note_slowness() {
    const auto pixels = static_cast<double>(std::max<std::int64_t>(work_->pass.pixels, 1));
    ms_per_pixel_ = std::max(ms_per_pixel_, whole_pass_ms() / pixels);
}

/// What the running pass will take, as far as can be said.
double Explorer::whole_pass_ms() const {
    constexpr double kLeastFraction = 0.02;
    return (now_ - work_->started) * 1e3 / std::max(pass_fraction_, kLeastFraction);
}

bool Explorer::may_sample(const State& state, const Viewport& viewport) const {
    return effort_ == Effort::kInteractive && state.settings.antialias && !state.color.cycling &&
           viewport.attended && samples_ < kMostSamples && now_ - last_change_ >= kRestSeconds &&
           whole_ms(wanted_) <= kMostSampleMs;
}

void Explorer::begin_frame(const GridFrame& wanted, const State& state, const Viewport& viewport) {
    Work work;
    work.frame = {wanted.view, wanted.job, Coverage{wanted.job}, backend_->info().name};
    const bool live = state.settings.pace == Pace::kLive && viewport.attended;
    std::optional<CarryOver> carry;
    if (effort_ == Effort::kInteractive && front_ && tuning_ == state.tuning &&
        !(live && is_cheap(wanted.job))) {
        // Of a frame, or of its sketch.
        for (const FrameJob& job : {wanted.job, sketch_of(wanted.job)}) {
            const auto kept = front_->coverage.moved(front_->job, job);
            if (!kept) continue;
            carry = {kept->origin_x() - front_->coverage.origin_x(),
                     kept->origin_y() - front_->coverage.origin_y()};
            work.frame.coverage = *kept;
            work.frame.job = job;
            break;
        }
    }
    if (!(tuning_ == state.tuning)) front_.reset();  // its samples are not those of this tuning
    tuning_ = state.tuning;
    Coverage& coverage = work.frame.coverage;
    frame_pixels_ = coverage.missing();
    left_.begin(now_);
    // What is to be seen of another backend or tuning is right already: nothing coarse after that.
    work.again = complete_ == wanted.job;
    const int step = work.again ? 1 : first_step(coverage.empty());
    work.pass = *coverage.next(step);
    while (work.pass.parts.empty()) {  // a strip so narrow that a coarse lattice misses it
        coverage.finish(work.pass);
        work.pass = *coverage.next(step);
    }
    work.job = work.frame.job;
    work.first = true;
    work.typical = !carry;
    const bool late =
        step == kCoarsestStep && ms_per_pixel_ * static_cast<double>(work.pass.pixels) > kLateMs;
    if (late && can_be_sketched(work)) {
        work.frame.job = work.job = sketch_of(work.job);
        work.typical = false;
    }
    start(std::move(work));
    carry_ = carry;
}

/// The frame itself, over its sketch: whatever is there already stays in sight.
void Explorer::begin_in_place(const GridFrame& wanted) {
    Work work;
    work.goal = Goal::kRefine;
    work.frame = {wanted.view, wanted.job, Coverage{wanted.job}, backend_->info().name};
    work.job = wanted.job;
    work.pass = whole_pass(work.job);
    work.first = work.typical = true;
    frame_pixels_ = work.pass.pixels;
    left_.begin(now_);
    start(std::move(work));
}

bool Explorer::continue_frame() {
    if (work_ || !front_) return work_.has_value();
    std::optional<Pass> pass = front_->coverage.next(1);
    if (!pass) return false;
    if (frame_pixels_ == 0) {  // it was interrupted
        frame_pixels_ = front_->coverage.missing();
        left_.begin(now_);
    }
    Work work;
    work.goal = Goal::kRefine;
    work.frame = *front_;
    work.job = front_->job;
    work.pass = *std::move(pass);
    work.typical = front_->coverage.regions().size() == 1 && front_->job == wanted_;
    start(std::move(work));
    return true;
}

void Explorer::begin_again() {
    Work work;
    work.frame = *front_;
    work.frame.coverage = Coverage{front_->job};
    work.job = front_->job;
    work.pass = whole_pass(work.job);
    work.first = work.again = work.typical = true;
    start(std::move(work));
}

void Explorer::begin_sample() {
    Work work;
    work.goal = Goal::kSample;
    work.frame = *front_;
    work.job = front_->job;
    const Jitter by = jitter(samples_);
    work.job.shift_x += by.x;
    work.job.shift_y += by.y;
    work.pass = whole_pass(work.job);
    work.first = work.typical = true;
    start(std::move(work));
}

void Explorer::start(Work work) {
    std::span<const Part> parts{work.pass.parts};
    if (parts.size() == 1 && parts.front() == whole(work.job)) parts = {};
    backend_->start(work.job, tuning_, parts);
    work.started = now_;
    pass_fraction_ = 0;
    carry_.reset();
    work_ = std::move(work);
}

bool Explorer::advance(Target target, double budget_ms) {
    if (!work_) return false;
    Progress progress;
    do {
        progress = backend_->advance(target, budget_ms);
    } while (!progress.done && effort_ == Effort::kComplete);
    pass_fraction_ = progress.fraction;
    if (!progress.done) return false;
    Work done = *std::exchange(work_, std::nullopt);
    constexpr std::size_t kMostAwaited = 16;
    if (awaited_.size() == kMostAwaited) awaited_.pop_front();
    awaited_.push_back({done.job, done.frame.job, done.pass.pixels, done.first, done.typical});
    learn_cost();
    if (done.goal == Goal::kSample) {
        ++samples_;
        return true;
    }
    done.frame.coverage.finish(done.pass);
    front_ = std::move(done.frame);
    complete_ = front_->complete() ? front_->job : FrameJob{};
    left_.pass_done(now_, done_share());
    return true;
}

/// Of the pixels that the frame had to compute at its start.
double Explorer::done_share() const noexcept {
    const ShownFrame* frame = work_ ? &work_->frame : front_ ? &*front_ : nullptr;
    if (frame == nullptr || frame_pixels_ == 0) return 1;
    double done = static_cast<double>(frame_pixels_ - frame->coverage.missing());
    if (work_) done += pass_fraction_ * static_cast<double>(work_->pass.pixels);
    return std::clamp(done / static_cast<double>(frame_pixels_), 0.0, 1.0);
}

double Explorer::fraction() const noexcept { return done_share(); }

double Explorer::running_seconds(double now) const noexcept {
    if (frame_pixels_ == 0) return 0;
    const bool begins = work_ && work_->goal == Goal::kNextFrame && (!work_->again || !front_);
    const bool goes_on = (front_ && !front_->complete()) || (work_ && work_->goal == Goal::kRefine);
    return begins || goes_on ? left_.seconds_spent(now) : 0;
}

void Explorer::learn_cost() {
    const FrameStats newest = backend_->stats();
    const auto found = std::ranges::find_if(awaited_, [&newest](const Awaited& pass) {
        return pass.job == newest.job && pass.pixels == newest.pixels;
    });
    if (newest.job.width == 0 || found == awaited_.end()) return;
    const Awaited pass = *found;
    awaited_.erase(awaited_.begin(), std::next(found));
    if (pass.first || !(stats_.job == pass.base)) stats_ = {};
    stats_.job = pass.base;
    stats_.kernel_ms += newest.kernel_ms;
    stats_.copy_ms += newest.copy_ms;
    stats_.launches += newest.launches;
    stats_.pixels += newest.pixels;
    stats_.iterations += newest.iterations;
    stats_.executed += newest.executed;
    stats_.lane_steps += newest.lane_steps;
    if (!pass.typical) return;
    ms_per_pixel_ = (stats_.kernel_ms + stats_.copy_ms) / static_cast<double>(stats_.pixels);
}

void Explorer::cancel() noexcept {
    if (backend_) backend_->cancel();
    work_.reset();
    carry_.reset();
    frame_pixels_ = 0;
}

void Explorer::forget() noexcept {
    cancel();
    front_.reset();
    samples_ = 1;
}

}  // namespace warpscope
