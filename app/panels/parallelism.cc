// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void parallelism_panel(PanelContext&) {}

}  // namespace warpscope
