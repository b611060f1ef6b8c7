// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void explore_panel(PanelContext&) {}

}  // namespace warpscope
