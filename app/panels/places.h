// SPDX-License-Identifier: MIT
// The Places part of the Explore panel.
#pragma once

#include "app/panels.h"

namespace warpscope {

/// Thumbnails to click, Save place, Open place.
void places_section(PanelContext& context);

}  // namespace warpscope
