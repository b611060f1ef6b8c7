// SPDX-License-Identifier: MIT
#include "app/trace_recorder.h"

#include <utility>

#include "app/overlay_values.h"

namespace warpscope {
namespace {

constexpr double kSecondsBetween = 0.3;  // a trace and the next: figures that change can be read
constexpr int kPatience = 16;            // whole frames without a trace, after which none will come

}  // namespace

void TraceRecorder::use(Backend& backend) {
    can_record_ = backend.record(recording_);
    frames_without_ = 0;
}

void TraceRecorder::prepare(Backend& backend, const Tuning& tuning, double now) {
    now_ = now;
    if (!(tuning == tuning_)) frames_without_ = 0;
    due_ = now - taken_ >= kSecondsBetween || !(tuning == tuning_);
    tuning_ = tuning;
    backend.record(due_ ? recording_ : Recording::kOff);
}

void TraceRecorder::count_frame(const FrameJob& job) {
    if (!same_picture(job, counted_)) frames_without_ = 0;
    counted_ = job;
    if (due_ && recording_ != Recording::kOff) ++frames_without_;
}

bool TraceRecorder::collect(Backend& backend) {
    if (recording_ == Recording::kOff) return false;
    if (!studying_.running()) take(backend);
    if (effort_ == Effort::kComplete) studying_.stop();
    if (studying_.running() && !studying_.collect()) return false;
    if (!studying_.result() || *studying_.result() == newest_) return false;
    newest_ = *studying_.result();
    return true;
}

/// Of some passes of a frame, or the strips that came into view, little is to be seen.
void TraceRecorder::take(Backend& backend) {
    std::optional<Trace> trace = backend.take_trace();
    if (!trace || !covers_frame(*trace)) return;
    taken_ = now_;
    newest_tuning_ = tuning_;
    newest_recording_ = recording_;
    frames_without_ = 0;
    const auto shared = std::make_shared<Trace>(*std::move(trace));
    studying_.start([shared](const std::stop_token&, WorkProgress&) {
        arrange(*shared);
        return study(std::move(*shared));
    });
}

bool TraceRecorder::wants_frame(const Explorer& explorer) const {
    if (recording_ == Recording::kOff || !can_record_ || frames_without_ >= kPatience) return false;
    if (studying_.running() || explorer.wanted().width == 0) return false;
    if (!newest_ || !(newest_tuning_ == tuning_)) return true;
    const Trace& trace = newest_->trace;
    // Of threads the spans tell all that pixels could.
    const bool lacks_pixels =
        newest_recording_ < recording_ && trace.unit == TraceUnit::kMultiprocessor;
    return lacks_pixels || !same_picture(trace.job, explorer.wanted()) ||
           trace.backend != explorer.backend().info().name;
}

}  // namespace warpscope
