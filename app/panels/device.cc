// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void device_panel(PanelContext&) {}

}  // namespace warpscope
