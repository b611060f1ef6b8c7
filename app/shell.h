// SPDX-License-Identifier: MIT
// What stands around the panels: the bar on top, the status line, messages, the list of keys.
#pragma once

#include "app/panels.h"

namespace warpscope {

/// Heights of bar and status line in unscaled pixels.
inline constexpr float kBarHeight = 40, kStatusHeight = 26;

/// Draws everything that floats over the fractal.
void draw_shell(PanelContext& context);

/// Adds a message; the same text again only renews it.
void add_toast(UiState& ui, std::string text, Urgency urgency, double now);

}  // namespace warpscope
