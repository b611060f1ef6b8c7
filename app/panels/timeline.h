// SPDX-License-Identifier: MIT
// The timeline: a strip over the lower part of the fractal with a row for each multiprocessor or
// thread and a bar for each block, and the block that was chosen outlined on the fractal.
#pragma once

#include "app/panels.h"

namespace warpscope {

/// Its height in pixels; 0 where it is not to be seen.
float timeline_height(const PanelContext& context);

/// Draws it between `left` and `right`, down to `bottom`.
void timeline_strip(PanelContext& context, float left, float right, float bottom);

/// What it shows: the trace that was opened, else the newest that was recorded; null: none.
std::shared_ptr<const TraceStudy> shown_study(const UiState& ui, const FrameLoop& loop);

// The parts of it.

/// Rows, bars, axis, and what the mouse does there.
void timeline_plot(PanelContext& context, const TraceStudy& study, ImVec2 size);

/// Lets the mouse point at blocks on the fractal and choose them there.
void pick_on_fractal(PanelContext& context, const TraceStudy& study);

/// Outlines the blocks that were chosen and pointed at on the fractal.
void outline_on_fractal(const PanelContext& context, const TraceStudy& study);

/// What is known of one span, as a tooltip at the mouse.
void span_tooltip(const PanelContext& context, const TraceStudy& study, std::size_t span);

/// The colour of a bar.
ImU32 bar_ink(BarColor color, std::uint8_t shade);

}  // namespace warpscope
