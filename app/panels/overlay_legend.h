// SPDX-License-Identifier: MIT
// What the colours over the fractal mean.
#pragma once

#include "app/panels.h"

namespace warpscope {

/// At the lower right, ending at `right` and `bottom`; nothing where no overlay is chosen. The
/// mouse goes through it. Says in UiState how high it is.
void overlay_legend(PanelContext& context, float right, float bottom);

}  // namespace warpscope
