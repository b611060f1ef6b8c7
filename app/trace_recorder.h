// SPDX-License-Identifier: MIT
// Records a few frames a second of the running backend while somebody looks at traces.
#pragma once

#include <memory>
#include <string>

#include "app/background.h"
#include "app/session/explorer.h"
#include "app/trace_study.h"

namespace warpscope {

class TraceRecorder {
  public:
    /// With kComplete nothing is left to later frames.
    explicit TraceRecorder(Effort effort) : effort_{effort} {}

    /// What to record from now on. Off at first, and then nothing is slower.
    void record(Recording recording) noexcept { recording_ = recording; }

    /// Another backend runs from now on.
    void use(Backend& backend);

    /// Tells the backend whether its next frames are wanted. Call before any is started.
    void prepare(Backend& backend, const Tuning& tuning, double now);

    /// Takes in what has been recorded since; returns whether newest() is another one now.
    bool collect(Backend& backend);

    /// A whole frame of `job` has been computed.
    void count_frame(const FrameJob& job);

    /// Whether a whole frame must be computed although nothing changed: what rests is not recorded.
    bool wants_frame(const Explorer& explorer) const;

    /// Whether the running backend can record.
    bool can_record() const noexcept { return can_record_; }

    /// The newest whole frame that was recorded; null before the first.
    const std::shared_ptr<const TraceStudy>& newest() const noexcept { return newest_; }

  private:
    using Study = std::shared_ptr<const TraceStudy>;

    void take(Backend& backend);

    Effort effort_;
    Recording recording_ = Recording::kOff;
    bool can_record_ = false;
    Tuning tuning_, newest_tuning_;  // of the frames to come, and of newest_ or what follows it
    Recording newest_recording_ = Recording::kOff;
    double now_ = 0, taken_ = -1e9;  // seconds
    bool due_ = false;
    FrameJob counted_;
    int frames_without_ = 0;  // that were due, of counted_ as tuning_ says, without a trace
    Study newest_;
    Background<Study> studying_;
};

}  // namespace warpscope
