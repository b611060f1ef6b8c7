// SPDX-License-Identifier: MIT
// The SIMT microscope, a section of the Parallelism panel: a click on the fractal chooses a pixel,
// whose warp is played step by step and whose orbit is drawn over the fractal.
#pragma once

#include "app/panels.h"

namespace warpscope {

void microscope_section(PanelContext& context);

}  // namespace warpscope
