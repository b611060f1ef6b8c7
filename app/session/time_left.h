// SPDX-License-Identifier: MIT
// How long a frame in passes still takes, told steadily enough to be read.
#pragma once

#include <optional>

namespace warpscope {

/// Samples of a coarse pass stand evenly on the picture, so its time per sample foretells that of
/// the passes to come better than the share of the pass that runs, which may just be in the set.
class TimeLeft {
  public:
    /// Work begins: `now` in seconds, as in all calls.
    void begin(double now) noexcept;

    /// A pass has ended; `share` (0 to 1) of the whole work is done.
    void pass_done(double now, double share) noexcept;

    /// `share` of the whole work is done, in the middle of a pass. Call it every frame.
    void update(double now, double share) noexcept;

    double seconds_spent(double now) const noexcept { return now - began_; }

    /// Absent while too little is done to say.
    std::optional<double> seconds_left(double now) const noexcept;

  private:
    std::optional<double> foretold_end(double now, double share) const noexcept;

    double began_ = 0, updated_ = 0;
    double passes_seconds_ = 0, passes_share_ = 0;
    std::optional<double> end_;  // smoothed
};

}  // namespace warpscope
