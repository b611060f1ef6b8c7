// SPDX-License-Identifier: MIT
// The part of the Device panel on how samples reach the screen.
#pragma once

#include "app/panels.h"

namespace warpscope {

/// The interop verdict with reason and remedy, the switch, and what each way costs.
void paths_section(PanelContext& context);

}  // namespace warpscope
