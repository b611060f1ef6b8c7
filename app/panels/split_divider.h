// SPDX-License-Identifier: MIT
// The line of the split screen: dragged with the mouse, with the names of both sides beside it.
#pragma once

#include <optional>

#include "app/panels.h"

namespace warpscope {

/// Where the line stands, in units of the window's `width`, for a wish (a share of that width;
/// absent: in the middle) within what no panel covers, `margin` from its ends; in its middle where
/// that is narrower than two margins.
float split_at(std::optional<float> share, float left, float right, float width, float margin);

/// Draws the line from corner to corner of what no panel covers and takes the mouse on it; moves
/// the choice's share. Does nothing where the picture is not split.
void split_divider(PanelContext& context, ImVec2 top_left, ImVec2 bottom_right);

}  // namespace warpscope
