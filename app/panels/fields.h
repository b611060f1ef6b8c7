// SPDX-License-Identifier: MIT
// Text fields and segmented switches.
#pragma once

#include <string>
#include <vector>

#include "app/panels/widgets.h"

namespace warpscope {

/// A one-line text field under its label; `hint` stands in it while it is empty. Returns whether
/// Enter was pressed in it. The text may have any length.
bool text_field(const PanelContext& context, const char* label, const char* hint, std::string& text,
                const char* tooltip);

/// One choice of a few.
struct SegmentChoice {
    const char* name;
    const char* tooltip;
    std::string why_not = {};  ///< greyed out with this as tooltip unless empty
};

/// Buttons side by side over `width` pixels, 0 for the panel's, the chosen one filled. Returns
/// whether `index` changed.
bool segments(const PanelContext& context, const char* id, int& index,
              const std::vector<SegmentChoice>& choices, float width = 0);

/// A warning in one wrapped line, marked with more than its colour. Nothing where it is empty.
void problem(const PanelContext& context, const std::string& text);

/// The width of one of `count` items side by side.
float share_of_width(int count);

/// `text` shortened with "…" to `width` pixels in the present font.
std::string elided(const std::string& text, float width);

}  // namespace warpscope
