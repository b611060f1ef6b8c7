// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void colour_panel(PanelContext&) {}

}  // namespace warpscope
