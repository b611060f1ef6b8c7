// SPDX-License-Identifier: MIT
#include "app/panels.h"

namespace warpscope {

void compute_stage(PanelContext&, float, float, float, float) {}

}  // namespace warpscope
