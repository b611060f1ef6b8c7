// SPDX-License-Identifier: MIT
#include "app/overlay_director.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpscope {
namespace {

constexpr double kRunSeconds = 6;     // that a watched grid takes unless told otherwise
constexpr double kPauseSeconds = 1;   // at its end, before it begins anew
constexpr double kHoldSeconds = 0.5;  // that values stand before newer ones of the same view come

struct GridPoint {
    int x, y;
};

/// The pixel of a grid under the cursor.
std::optional<GridPoint> grid_point(const PixelPoint& cursor, const Reprojection& map, int width,
                                    int height) {
    const double x = (map.scale_x * cursor.x / cursor.width + map.shift_x) * width;
    const double y = (map.scale_y * cursor.y / cursor.height + map.shift_y) * height;
    if (!(x >= 0 && y >= 0 && x < width && y < height)) return std::nullopt;
    return GridPoint{static_cast<int>(x), static_cast<int>(y)};
}

double aspect(Extent size) { return static_cast<double>(size.width) / size.height; }

/// Another formula's picture says nothing about this one.
bool same_set(const FrameJob& job, const Scene& scene) {
    return job.formula == scene.formula && job.julia == scene.julia;
}

}  // namespace

Overlay& OverlayDirector::painter() {
    if (!painter_) painter_.emplace(colors_);
    return *painter_;
}

float OverlayDirector::ms_per_second(const OverlayChoice& choice) const noexcept {
    if (choice.ms_per_second > 0 || !values_) return choice.ms_per_second;
    return static_cast<float>(span_us(*values_->trace) * 1e-3 / kRunSeconds);
}

Overlay* OverlayDirector::prepare(OverlayChoice& choice, const OverlayScene& scene) {
    moving_ = false;
    range_.reset();
    span_.reset();
    pixel_.reset();
    problem_.clear();
    pair_.reset();
    if (choice.kind == OverlayKind::kNone || scene.window.width < 1 || scene.window.height < 1) {
        return nullptr;
    }
    OverlayView view;
    view.opacity = choice.opacity;
    bool shown = false;
    if (compares(choice.kind)) {
        shown = prepare_pair(choice, scene, view);
    } else if (needs_trace(choice.kind)) {
        shown = prepare_trace(choice, scene, view);
    } else {
        shown = prepare_counts(scene, view);
    }
    if (!shown) return nullptr;
    if (range_) {
        view.scale = range_->scale;
        view.low = range_->low;
        view.high = range_->high;
    }
    painter().set_view(view);
    return &painter();
}

bool OverlayDirector::prepare_counts(const OverlayScene& scene, OverlayView& view) {
    view.source = OverlaySource::kCounts;
    if (!scene.loop.shown() || !same_set(scene.loop.shown()->job, scene.state.scene)) return false;
    measure_counts(scene);
    probe_count(scene);
    range_ = counts_ ? count_range(*counts_)
                     : ValueRange{OverlayScale::kLog, 1,
                                  static_cast<float>(std::max(scene.loop.shown()->job.limit, 2u))};
    return true;
}

/// Equal jobs have equal counts: each is measured once.
void OverlayDirector::measure_counts(const OverlayScene& scene) {
    if (!histogram_) histogram_.emplace();
    if (auto summary = histogram_->take()) counts_ = std::move(*summary);
    const ShownFrame& shown = *scene.loop.shown();
    if (!histogram_->pending() && shown.complete() && !(shown.job == counted_)) {
        histogram_->measure(scene.loop.grid());
        counted_ = shown.job;
    }
    moving_ = histogram_->pending();
}

void OverlayDirector::probe_count(const OverlayScene& scene) {
    const bool complete = scene.loop.shown()->complete();
    probe({probe_, count_}, complete ? sample_under_cursor(scene) : std::nullopt,
          scene.loop.grid());
}

/// Index of the picture's sample under the cursor.
std::optional<std::size_t> OverlayDirector::sample_under_cursor(const OverlayScene& scene) {
    if (!scene.cursor || !scene.loop.shown()) return std::nullopt;
    const ShownFrame& shown = *scene.loop.shown();
    const Reprojection map =
        reproject(shown.view, shown.aspect(), scene.state.scene.view, aspect(scene.window));
    const auto point = grid_point(*scene.cursor, map, shown.job.width, shown.job.height);
    if (!point) return std::nullopt;
    return static_cast<std::size_t>(point->y) * static_cast<std::size_t>(shown.job.width) +
           static_cast<std::size_t>(point->x);
}

/// Takes in the count that has arrived and asks for that of sample `index`.
void OverlayDirector::probe(Probe probe, std::optional<std::size_t> index, const SampleGrid& grid) {
    if (!index) {
        probe.count.reset();
        return;
    }
    if (!probe.readback) probe.readback.emplace();
    const std::span<const std::byte> bytes = probe.readback->take();
    if (!bytes.empty()) {
        Sample sample{};
        std::memcpy(&sample, bytes.data(), sizeof sample);
        moving_ = moving_ || probe.count != sample.count;
        probe.count = sample.count;
    }
    if (probe.readback->pending()) return;
    probe.readback->begin(grid.buffer, *index * sizeof(Sample), sizeof(Sample));
}

/// What to show: the newest, unless the one that is shown shall stand for a while.
std::shared_ptr<const Trace> OverlayDirector::wanted_trace(const OverlayChoice& choice,
                                                           const OverlayScene& scene) const {
    std::shared_ptr<const Trace> newest = scene.loop.newest_trace();
    if (!values_ || !newest || newest == values_->trace) return newest;
    const Trace& shown = *values_->trace;
    const bool same = shown.backend == newest->backend && shown.kernel == newest->kernel &&
                      shown.shape == newest->shape && same_picture(shown.job, newest->job);
    const bool holds = choice.clock_us || scene.now - adopted_ < kHoldSeconds;
    return same && holds ? values_->trace : newest;
}

void OverlayDirector::work_out(OverlayChoice& choice, const OverlayScene& scene) {
    constexpr std::size_t kQuick = 4096;  // spans; more would be felt
    if (working_.collect()) adopt(*working_.result(), choice, scene.now);
    const std::shared_ptr<const Trace> trace = wanted_trace(choice, scene);
    if (!trace || working_.running()) return;
    if (values_ && values_->trace == trace && values_->kind == choice.kind) return;
    const auto work = [trace, kind = choice.kind] {
        return std::make_shared<const TraceValues>(trace_values(trace, kind));
    };
    const bool quick = trace->spans.size() <= kQuick && trace->pixel_work.empty();
    if (quick || effort_ == Effort::kComplete) return adopt(work(), choice, scene.now);
    working_.start([work](const std::stop_token&, WorkProgress&) { return work(); });
}

void OverlayDirector::adopt(Values values, OverlayChoice& choice, double now) {
    if (!values_ || values_->trace != values->trace) {
        adopted_ = now;
        if (choice.clock_us) choice.clock_us = 0;
    }
    values_ = std::move(values);
    const FrameJob& job = values_->trace->job;
    painter().set_cells(*values_->trace, values_->cells);
    if (!values_->levels.empty()) painter().set_levels(values_->levels, job.width, job.height);
}

void OverlayDirector::run_clock(OverlayChoice& choice, const OverlayScene& scene) {
    if (!choice.playing || !shows_blocks()) return;
    moving_ = true;
    const double rate = static_cast<double>(ms_per_second(choice)) * 1e3;
    const double end = span_us(*values_->trace);
    const double clock = choice.clock_us.value_or(0) + scene.seconds * rate;
    choice.clock_us = clock > end + kPauseSeconds * rate ? 0 : clock;
}

void OverlayDirector::look_under_cursor(const OverlayScene& scene, const Reprojection& map) {
    if (!scene.cursor) return;
    const Trace& trace = *values_->trace;
    const auto point = grid_point(*scene.cursor, map, trace.job.width, trace.job.height);
    if (!point) return;
    if (!values_->levels.empty()) {
        pixel_ = static_cast<std::size_t>(point->y) * static_cast<std::size_t>(trace.job.width) +
                 static_cast<std::size_t>(point->x);
    }
    const std::optional<std::size_t> cell = cell_at(trace, point->x, point->y);
    if (!cell || values_->cell_to_span[*cell] < 0) return;
    span_ = static_cast<std::size_t>(values_->cell_to_span[*cell]);
}

bool OverlayDirector::prepare_trace(OverlayChoice& choice, const OverlayScene& scene,
                                    OverlayView& view) {
    if (!scene.loop.can_record()) {
        problem_ = "This backend does not record its frames.";
        return false;
    }
    work_out(choice, scene);
    moving_ = working_.running();
    if (!values_ || values_->kind != choice.kind ||
        !same_set(values_->trace->job, scene.state.scene)) {
        problem_ = scene.state.paused ? "Paused: no frame has been recorded yet."
                                      : "Waiting for a recorded frame.";
        return false;
    }
    const Trace& trace = *values_->trace;
    const bool by_pixel = !values_->levels.empty();
    if (!by_pixel && !has_places(trace)) {
        problem_ =
            "Blocks of this kernel take pixels from all over the picture as lanes come free, so "
            "they have no place in it. Choose a rung without refilled lanes.";
        return false;
    }
    run_clock(choice, scene);
    view.source = by_pixel ? OverlaySource::kPixels : OverlaySource::kCells;
    view.reprojection =
        reproject(values_->view, static_cast<double>(trace.job.width) / trace.job.height,
                  scene.state.scene.view, aspect(scene.window));
    if (choice.clock_us) view.clock_us = static_cast<float>(*choice.clock_us);
    range_ = values_->range;
    look_under_cursor(scene, view.reprojection);
    return true;
}

}  // namespace warpscope
