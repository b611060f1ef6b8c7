// SPDX-License-Identifier: MIT
// The guided tour's card: what a step says, what to do, and a tick when it was done.
#pragma once

#include <imgui.h>

#include "app/panels.h"

namespace warpscope {

/// Draws the card in the room from `min` to `max`, in a corner where it does not cover what is
/// pointed at. Nothing while no tour runs.
void tour_card(PanelContext& context, ImVec2 min, ImVec2 max);

}  // namespace warpscope
