// SPDX-License-Identifier: MIT
// The colours of overlays, worked out in Oklab, where equal distances look equal.
#pragma once

#include "render/overlay.h"

namespace warpscope {

/// The scale runs evenly from a dark indigo to a light yellow and grows lighter with every step, so
/// that it reads in grey and to the colour-blind. Categories turn the hue by the golden angle and
/// change their lightness from each to the next: neighbours are never alike.
OverlayColors overlay_colors();

}  // namespace warpscope
