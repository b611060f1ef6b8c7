// SPDX-License-Identifier: MIT
// What the Parallelism and the Compute tab share of the roofline.
#pragma once

#include <vector>

#include "app/panels.h"

namespace warpscope {

/// The button that has the roofs of `subjects` measured, with progress and Stop while that runs.
void measure_roofs_part(PanelContext& context, std::vector<RoofSubject> subjects);

}  // namespace warpscope
