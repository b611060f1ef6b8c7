// SPDX-License-Identifier: MIT
// Sliders for how the work is cut up.
#include <algorithm>
#include <array>

#include "app/format.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "app/theme.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

constexpr int kMaxThreads = 1024;

void preset_buttons(PanelContext& context) {
    struct Preset {
        const char* name;
        BlockShape shape;
    };
    static constexpr std::array kPresets{Preset{"8×16", {8, 16}},   Preset{"16×16", {16, 16}},
                                         Preset{"32×8", {32, 8}},   Preset{"128×1", {128, 1}},
                                         Preset{"32×32", {32, 32}}, Preset{"7×3", {7, 3}}};
    const float spacing = context.px(4);
    const float room = ImGui::GetContentRegionAvail().x - spacing * (kPresets.size() - 1);
    const float width = room / static_cast<float>(kPresets.size());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, context.px(4)});
    ImGui::BeginGroup();
    for (const Preset& preset : kPresets) {
        if (&preset != &kPresets.front()) ImGui::SameLine(0, spacing);
        if (ImGui::Button(preset.name, {width, 0})) {
            context.commands.emplace_back(SetBlock{preset.shape});
        }
    }
    ImGui::EndGroup();
    mark(context, Control::kBlockPresets);
    ImGui::PopStyleVar();
}

/// The lanes of one block's warps: a row a warp, up to eight; idle ones hollow.
void draw_lanes(const PanelContext& context, BlockShape block) {
    constexpr int kRows = 8;
    const WarpUse use = warp_use(block);
    const int threads = block.x * block.y;
    const int rows = std::min(use.warps, kRows), first = use.warps - rows;
    const float width = ImGui::GetContentRegionAvail().x;
    const float cell = width / kWarpThreads;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float gap = std::max(1.0f, 0.15f * cell);
    for (int row = 0; row < rows; ++row) {
        for (int lane = 0; lane < kWarpThreads; ++lane) {
            const ImVec2 corner{at.x + static_cast<float>(lane) * cell,
                                at.y + static_cast<float>(row) * cell};
            const ImVec2 end{corner.x + cell - gap, corner.y + cell - gap};
            if ((first + row) * kWarpThreads + lane < threads) {
                list->AddRectFilled(corner, end, Ink::kAccent, gap);
            } else {
                list->AddRect(corner, end, Ink::kVermilion, gap, 0, gap);
            }
        }
    }
    ImGui::Dummy({width, static_cast<float>(rows) * cell});
    tooltip(context,
            "Each row is a warp of this block, 32 lanes that execute in step; of many warps the "
            "last eight are shown. Hollow lanes belong to no thread: they take time and do "
            "nothing.");
}

void gpu_sliders(PanelContext& context) {
    BlockShape block = context.state.tuning.block;
    const bool x =
        slider(context, "Threads per block, x", block.x, {1, kMaxThreads, BlockShape{}.x},
               "Threads of a block along a row of pixels. Neighbours in a row form a "
               "warp, and a warp waits for its slowest lane.");
    if (x) block.y = std::min(block.y, kMaxThreads / block.x);
    const bool y =
        slider(context, "Threads per block, y", block.y, {1, kMaxThreads, BlockShape{}.y},
               "Rows of pixels per block. x times y is the block size, at most 1024: a "
               "whole block must fit on one multiprocessor. With a single row all "
               "threads share the imaginary part of c, and loops that test in blocks "
               "keep it in a uniform register: nothing then waits for a third one.");
    if (y) block.x = std::min(block.x, kMaxThreads / block.y);
    if (x || y) context.commands.emplace_back(SetBlock{block});
    preset_buttons(context);
    const WarpUse use = warp_use(context.state.tuning.block);
    const int threads = context.state.tuning.block.x * context.state.tuning.block.y;
    std::string text = std::to_string(threads) + " threads = " + std::to_string(use.warps) +
                       (use.warps == 1 ? " warp" : " warps");
    text += use.idle_lanes == 0 ? ", every lane at work"
                                : ", " + std::to_string(use.idle_lanes) + " lanes wasted (" +
                                      format_percent(1 - use.efficiency) + ")";
    note(context, text);
    draw_lanes(context, context.state.tuning.block);
}

void cpu_sliders(PanelContext& context) {
    Tuning tuning = context.state.tuning;
    const int most = cpu_thread_count();
    int threads = tuning.cpu_threads > 0 ? tuning.cpu_threads : most;
    bool changed = slider(context, "Worker threads", threads, {1, std::max(2 * most, 2), most},
                          "Threads that take tiles from a shared list. More than the processor has "
                          "take turns and gain nothing.");
    mark(context, Control::kWorkerThreads);
    if (changed) tuning.cpu_threads = threads;
    changed = slider(context, "Tile edge in pixels", tuning.cpu_tile, {8, 512, 64},
                     "Work is handed out in square tiles. Large ones leave threads idle at the "
                     "end of a frame, small ones cost more hand-outs.") ||
              changed;
    if (changed) context.commands.emplace_back(SetTuning{tuning});
    note(context, std::to_string(most) +
                      (most == 1 ? " logical processor" : " logical processors") + ", " +
                      context.loop.explorer().backend().info().detail);
}

}  // namespace

void block_section(PanelContext& context) {
    if (!context.loop.explorer().has_backend()) return;
    section(context, on_gpu(context) ? "Threads per block" : "Threads and tiles");
    if (on_gpu(context)) {
        gpu_sliders(context);
    } else {
        cpu_sliders(context);
    }
    landscape_part(context);
}

}  // namespace warpscope
