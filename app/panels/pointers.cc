// SPDX-License-Identifier: MIT
#include "app/panels/pointers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/theme.h"

namespace warpscope {
namespace {

constexpr std::array kControls{
    ControlInfo{Control::kFractal, "fractal", {}},
    ControlInfo{Control::kBackend, "backend", {}},
    ControlInfo{Control::kWorkerThreads, "worker_threads", Tab::kParallelism},
    ControlInfo{Control::kBlockPresets, "block_presets", Tab::kParallelism},
    ControlInfo{Control::kModelThreads, "model_threads", Tab::kParallelism},
    ControlInfo{Control::kModelRegisters, "model_registers", Tab::kParallelism},
    ControlInfo{Control::kSharedMemory, "shared_memory", Tab::kParallelism},
    ControlInfo{Control::kOverlay, "overlay", Tab::kParallelism},
    ControlInfo{Control::kTimeline, "timeline", Tab::kParallelism},
    ControlInfo{Control::kCompare, "compare", Tab::kParallelism},
    ControlInfo{Control::kExampleBlock, "example_block", Tab::kCompute},
    ControlInfo{Control::kRunLab, "run_lab", Tab::kCompute},
    ControlInfo{Control::kTiledRung, "tiled_rung", Tab::kCompute},
};

constexpr int kScrollFrames = 4;  // until a panel that was just opened has its height

}  // namespace

std::span<const ControlInfo> controls() { return kControls; }

std::optional<Control> find_control(std::string_view name) {
    const auto found = std::ranges::find(kControls, name, &ControlInfo::name);
    if (found == kControls.end()) return std::nullopt;
    return found->control;
}

void point_at(UiState& ui, Control control) {
    ui.tour.pointed = control;
    ui.tour.scroll_frames = kScrollFrames;
    ui.panels_hidden = false;
    const std::optional<Tab> tab = kControls[static_cast<std::size_t>(control)].tab;
    if (!tab) return;
    ui.tab = *tab;
    ui.panel_open = true;
}

void mark(PanelContext& context, Control control, ImVec2 min, ImVec2 max) {
    if (context.ui.tour.pointed != control) return;
    context.ui.tour.ring = TourRing{min, max};
}

void mark(PanelContext& context, Control control) {
    TourUi& tour = context.ui.tour;
    if (tour.pointed != control) return;
    if (tour.scroll_frames > 0) {
        --tour.scroll_frames;
        ImGui::SetScrollHereY(0.4f);
    }
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    // Nothing is ringed that was scrolled away.
    if (max.y > list.GetClipRectMax().y || min.y < list.GetClipRectMin().y) return;
    mark(context, control, min, max);
}

void draw_ring(const PanelContext& context) {
    const std::optional<TourRing>& ring = context.ui.tour.ring;
    if (!ring) return;
    const auto beat = static_cast<float>(0.5 + 0.5 * std::sin(4 * context.now));
    const float gap = context.px(3 + 2 * beat), rounding = context.px(8);
    const ImVec2 min{ring->min.x - gap, ring->min.y - gap};
    const ImVec2 max{ring->max.x + gap, ring->max.y + gap};
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRect(min, max, IM_COL32(0, 0, 0, 160), rounding, 0, context.px(5));
    list->AddRect(min, max, Ink::kYellow, rounding, 0, context.px(2.5f));
}

}  // namespace warpscope
