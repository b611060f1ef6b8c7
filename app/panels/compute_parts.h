// SPDX-License-Identifier: MIT
// The pieces that the Compute tab's panel and stage are put together from.
#pragma once

#include <imgui.h>

#include <array>
#include <string>
#include <vector>

#include "app/panels.h"
#include "app/panels/compute_logic.h"
#include "app/panels/fields.h"
#include "app/theme.h"

namespace warpscope {

/// A demo with everything that is known of it, for one frame.
struct ComputeScene {
    const LabDemo& demo;
    DemoChoice& choice;
    std::vector<RungRow> rows;
    const LabResult* best_cpu = nullptr;
};

/// The chosen demo; asks for its rungs the first time it is shown.
ComputeScene compute_scene(PanelContext& context);

/// A stage of a run: its name, its colour in every bar, what it is and why it matters.
struct StageInk {
    const char* name;
    ImU32 color;
    const char* about;
};
extern const std::array<StageInk, 5> kStages;  ///< allocate, copy in, kernel, copy out, free
/// Their milliseconds, in that order.
std::array<double, 5> stage_ms(const LabFigures& figures) noexcept;

/// A tooltip over a rectangle of the current window instead of over an item.
void hover_note(const PanelContext& context, ImVec2 min, ImVec2 max, const std::string& text);

/// The color with `alpha` from 0 to 1.
ImU32 faded(ImU32 color, float alpha) noexcept;

/// Draws text of the current font; returns its width.
float put_text(ImVec2 at, ImU32 color, const std::string& text);

/// Of the left panel: blocks of the GPU rungs and what their guard stops.
void block_controls(PanelContext& context, ComputeScene& scene);
void guard_section(PanelContext& context, ComputeScene& scene);

/// The parts of the stage, each as wide as the content region.
void example_part(PanelContext& context);
void rows_part(PanelContext& context, ComputeScene& scene);
void rates_part(PanelContext& context, const ComputeScene& scene);
/// Every measured rung of all demos under the roofs of the CPU and of the GPU.
void roofline_part(PanelContext& context, ComputeScene& scene);
void detail_part(PanelContext& context, const ComputeScene& scene, float height);

}  // namespace warpscope
