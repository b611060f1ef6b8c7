// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void compute_panel(PanelContext&) {}

}  // namespace warpscope
