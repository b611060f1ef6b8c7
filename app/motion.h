// SPDX-License-Identifier: MIT
// Makes a wheel notch or a key press a short glide instead of a jump.
#pragma once

#include <vector>

#include "app/session/command.h"

namespace warpscope {

/// What is still to be zoomed and panned, given out frame by frame.
class Motion {
  public:
    /// Zooms by `factor` about `cursor`, on top of what is under way.
    void zoom(PixelPoint cursor, double factor);

    /// Zooms by `factor`, not 1, so that the point under the cursor ends in the middle.
    void zoom_to(PixelPoint cursor, double factor);

    /// Moves the picture by (dx, dy) pixels.
    void pan(double dx, double dy);

    /// Forgets what is under way.
    void stop() noexcept;

    bool moving() const noexcept;

    /// Commands for the next `seconds`; all of the rest at once unless `animated`.
    enum class Glide : std::uint8_t { kAnimated, kAtOnce };
    std::vector<Command> advance(double seconds, Glide glide, int height);

  private:
    PixelPoint cursor_;
    double log_zoom_ = 0;     // natural logarithm of the factor still to come
    double dx_ = 0, dy_ = 0;  // pixels still to come
};

}  // namespace warpscope
