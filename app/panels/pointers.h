// SPDX-License-Identifier: MIT
// Controls that the guided tour can point at: panels mark them where they draw them, and the one
// that is pointed at is brought into view and ringed.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string_view>

#include "app/panels.h"

namespace warpscope {

struct ControlInfo {
    Control control;
    std::string_view name;   ///< in files of the tour
    std::optional<Tab> tab;  ///< where it stands; absent: always there
};

/// All of them, in the order of Control.
std::span<const ControlInfo> controls();

/// The control of that name; absent where there is none.
std::optional<Control> find_control(std::string_view name);

/// Points at `control`: its tab opens and it will be scrolled into view.
void point_at(UiState& ui, Control control);

/// Says that the last item is `control`. Does nothing unless it is pointed at.
void mark(PanelContext& context, Control control);
/// The same of a rectangle of the window.
void mark(PanelContext& context, Control control, ImVec2 min, ImVec2 max);

/// Draws the ring of what was marked since the last time. Call once a frame, after all panels.
void draw_ring(const PanelContext& context);

}  // namespace warpscope
