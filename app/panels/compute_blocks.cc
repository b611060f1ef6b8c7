// SPDX-License-Identifier: MIT
// Threads per block of each GPU rung, and what of the grid the guard stops.
#include <algorithm>
#include <array>

#include "app/format.h"
#include "app/panels/compute_parts.h"
#include "app/panels/fields.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr int kMostThreads = 1024, kWarp = 32;

struct Shape {
    int x, y;
};

/// Buttons that set a block; `flat` blocks are named by x alone.
template <std::size_t count>
void shape_presets(const PanelContext& context, const std::array<Shape, count>& shapes,
                   RungChoice& choice) {
    const float gap = context.px(4);
    const float each = (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(count - 1)) /
                       static_cast<float>(count);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{context.px(2), ImGui::GetStyle().FramePadding.y});
    for (std::size_t i = 0; i < count; ++i) {
        const Shape shape = shapes[i];
        const std::string label = shape.y == 0
                                      ? std::to_string(shape.x)
                                      : std::to_string(shape.x) + "×" + std::to_string(shape.y);
        if (i > 0) ImGui::SameLine(0, gap);
        if (ImGui::Button(label.c_str(), {each, 0})) {
            choice.block_x = shape.x;
            choice.block_y = std::max(shape.y, 1);
        }
    }
    ImGui::PopStyleVar();
}

void lanes_note(const PanelContext& context, int threads) {
    const int rest = threads % kWarp;
    if (rest == 0) return;
    note(context, std::to_string(kWarp - rest) + " of the " +
                      std::to_string((threads + kWarp - 1) / kWarp * kWarp) +
                      " lanes of a block's warps do nothing: " + std::to_string(threads) +
                      " is no multiple of 32.");
}

void linear_block(PanelContext& context, const LabRung& rung, RungChoice& choice) {
    slider(context, rung.title.c_str(), choice.block_x, {1, kMostThreads, rung.default_block_x},
           "Threads per block. A block lives on one multiprocessor; its size decides how many "
           "warps can be resident there, and so how well waiting for memory is hidden. In effect "
           "with the next run.");
    static constexpr std::array kShapes{Shape{32, 0},  Shape{64, 0},  Shape{128, 0},
                                        Shape{256, 0}, Shape{512, 0}, Shape{1024, 0}};
    shape_presets(context, kShapes, choice);
    lanes_note(context, choice.block_x);
}

void rectangle_block(PanelContext& context, const LabRung& rung, RungChoice& choice) {
    const std::string x = rung.title + ": x", y = rung.title + ": y";
    slider(context, x.c_str(), choice.block_x, {1, kMostThreads, rung.default_block_x},
           "Threads along a row of the product. A warp takes 32 neighbours in x: with x of 32 it "
           "reads b in one piece, with x of 1 it reads 32 places far apart.");
    const int most_y = kMostThreads / std::max(choice.block_x, 1);
    choice.block_y = std::min(choice.block_y, most_y);
    if (most_y > 1) {
        slider(context, y.c_str(), choice.block_y,
               {1, most_y, std::min(rung.default_block_y, most_y)},
               "Threads down a column. x times y is at most 1024.");
    }
    static constexpr std::array kShapes{Shape{32, 8}, Shape{16, 16}, Shape{32, 32}, Shape{1, 256}};
    shape_presets(context, kShapes, choice);
    lanes_note(context, choice.block_x * choice.block_y);
}

void square_block(PanelContext& context, const LabRung& rung, RungChoice& choice) {
    ImGui::TextUnformatted(rung.title.c_str());
    tooltip(context,
            "The tile that a block loads into shared memory is as large as the block. A larger "
            "tile is reused more often: 32 by 32 reads each value 32 times less from memory.");
    const std::vector<SegmentChoice> tiles{{"8×8", "64 threads, each value reused 8 times."},
                                           {"16×16", "256 threads, each value reused 16 times."},
                                           {"32×32", "1024 threads, each value reused 32 times."}};
    int index = choice.block_x >= 32 ? 2 : choice.block_x >= 16 ? 1 : 0;
    if (segments(context, "tile", index, tiles)) {
        choice.block_x = choice.block_y = 8 << index;
    }
}

/// Cells or, for many threads, one bar: what of the last block works.
void draw_last_block(const PanelContext& context, const GridCover& grid) {
    const int threads = grid.block_x * grid.block_y;
    const float width = ImGui::GetContentRegionAvail().x, height = context.px(24);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height});
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float each = width / static_cast<float>(threads);
    const float works = each * static_cast<float>(grid.last_block_works);
    const ImU32 idle = ImGui::GetColorU32(ImGuiCol_FrameBgActive);
    list->AddRectFilled(at, {at.x + width, at.y + height}, idle, context.px(4));
    list->AddRectFilled(at, {at.x + works, at.y + height}, Ink::kAccent, context.px(4));
    // Hatched as well as grey: never colour alone.
    list->PushClipRect({at.x + works, at.y}, {at.x + width, at.y + height}, true);
    for (float x = at.x + works - height; x < at.x + width; x += context.px(8)) {
        list->AddLine({x, at.y + height}, {x + height, at.y}, muted_ink(), context.px(1));
    }
    list->PopClipRect();
    const int step = threads <= 64 ? 1 : kWarp;  // threads apart, or warps
    for (int i = step; i < threads; i += step) {
        const float x = at.x + each * static_cast<float>(i);
        list->AddLine({x, at.y}, {x, at.y + height}, ImGui::GetColorU32(ImGuiCol_WindowBg),
                      context.px(1));
    }
    hover_note(context, at, {at.x + width, at.y + height},
               "The last block: " + std::to_string(grid.last_block_works) + " of its " +
                   std::to_string(threads) +
                   " threads have an element, the hatched ones are stopped by the guard. " +
                   (step == 1 ? "Each cell is a thread." : "Each cell is a warp of 32."));
}

/// The rung that the guard's picture is about: the selected one where it has a block to choose.
const LabRung* guarded_rung(const ComputeScene& scene) {
    const LabRung* first = nullptr;
    for (const LabRung& rung : scene.choice.rungs) {
        const bool one_per_element = rung.name == "cuda-plain" || rung.block == LabBlock::kSquare ||
                                     rung.block == LabBlock::kRectangle;
        if (!one_per_element) continue;
        if (rung.name == scene.choice.selected) return &rung;
        if (first == nullptr) first = &rung;
    }
    return first;
}

}  // namespace

void block_controls(PanelContext& context, ComputeScene& scene) {
    section(context, "Threads per block");
    for (const LabRung& rung : scene.choice.rungs) {
        if (rung.backend != "cuda") continue;
        RungChoice& choice = scene.choice.choices[rung.name];
        ImGui::PushID(rung.name.c_str());
        if (rung.block == LabBlock::kLinear) linear_block(context, rung, choice);
        if (rung.block == LabBlock::kRectangle) rectangle_block(context, rung, choice);
        if (rung.block == LabBlock::kSquare) square_block(context, rung, choice);
        if (rung.block == LabBlock::kFixed) {
            note(context, rung.title + ": fixed at " + std::to_string(rung.default_block_x) +
                              " by the kernel.");
        }
        clamp_block(rung, choice);
        ImGui::PopID();
    }
}

void guard_section(PanelContext& context, ComputeScene& scene) {
    const LabRung* rung = guarded_rung(scene);
    if (rung == nullptr) return;
    section(context, "What the guard stops");
    const RungChoice& choice = scene.choice.choices[rung->name];
    const GridCover grid = cover(scene.demo, scene.choice.n, choice.block_x, choice.block_y);
    const bool flat = scene.demo.rate == LabRate::kBandwidth;
    const std::string block =
        flat ? std::to_string(grid.block_x)
             : std::to_string(grid.block_x) + "×" + std::to_string(grid.block_y);
    value_row(context, "Blocks", format_count(grid.blocks()),
              "Enough blocks to cover every element: n divided by the block, rounded up.");
    value_row(context, "Threads launched", format_count(grid.threads),
              "Blocks times threads per block: there is no launching half a block.");
    value_row(context, "Stopped by the guard", format_count(grid.idle),
              "Threads past the end. if (i < n) sends them home; without it they would read and "
              "write memory that is not theirs.");
    draw_last_block(context, grid);
    if (grid.idle == 0) {
        note(context, "n is a multiple of " + block +
                          ": nobody is stopped. Choose the prime n to see the guard work.");
        return;
    }
    note(context, rung->title + ", blocks of " + block + ": the last block is drawn above. " +
                      format_count(grid.partial_blocks) +
                      (grid.partial_blocks == 1 ? " block is" : " blocks are") +
                      " cut by the end.");
}

}  // namespace warpscope
