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

    /// Moves the picture by (dx, dy) pixels, rounded to whole ones.
    void pan(double dx, double dy);

    /// The whole pixels of a drag by (dx, dy), at once; fractions add up from drag to drag. Whole
    /// ones, so that samples can be kept.
    Pan drag(double dx, double dy, int height);

    /// Forgets what is under way.
    void stop() noexcept;

    bool moving() const noexcept;

    /// Commands for the next `seconds`, pans by whole pixels; all of the rest at once unless
    /// `animated`.
    enum class Glide : std::uint8_t { kAnimated, kAtOnce };
    std::vector<Command> advance(double seconds, Glide glide, int height);

  private:
    PixelPoint cursor_;
    double log_zoom_ = 0;             // natural logarithm of the factor still to come
    double dx_ = 0, dy_ = 0;          // whole pixels still to come
    double drag_x_ = 0, drag_y_ = 0;  // fractions of pixels that drags have not moved yet
};

}  // namespace warpscope
