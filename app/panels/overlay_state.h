// SPDX-License-Identifier: MIT
// What is laid over the fractal, as panels and keys choose it. Nothing of it is computed anew.
#pragma once

#include <optional>

#include "app/overlay_values.h"

namespace warpscope {

struct OverlayChoice {
    OverlayKind kind = OverlayKind::kNone;
    float opacity = 0.85f;
    /// The moment of the trace that is shown, in its microseconds; absent: when all is over.
    std::optional<double> clock_us;
    bool playing = false;     ///< the clock runs
    float ms_per_second = 0;  ///< of the trace, in slow motion; 0: all of it in some seconds
};

}  // namespace warpscope
