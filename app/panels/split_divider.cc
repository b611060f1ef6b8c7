// SPDX-License-Identifier: MIT
#include "app/panels/split_divider.h"

#include <algorithm>
#include <string>

#include "app/format.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr float kGrip = 12, kMargin = 32;  // unscaled pixels

/// "cpu-simd  12.4 ms".
std::string side_text(const PanelContext& context, const std::string& name) {
    const auto& rates = context.loop.rates();
    const auto rate = rates.find(name);
    if (rate == rates.end()) return name;
    return name + "  " + format_ms(rate->second.kernel_ms);
}

void label(const PanelContext& context, const std::string& text, float x, float y, float align) {
    if (text.empty()) return;
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float pad = context.px(8);
    const ImVec2 at{x - align * size.x, y};
    list->AddRectFilled({at.x - pad, at.y - pad / 2},
                        {at.x + size.x + pad, at.y + size.y + pad / 2}, IM_COL32(0, 0, 0, 190),
                        context.px(6));
    list->AddText(at, IM_COL32_WHITE, text.c_str());
}

void draw_line(const PanelContext& context, float x, float top, float bottom, bool held) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    list->AddLine({x, top}, {x, bottom}, IM_COL32(0, 0, 0, 200), context.px(held ? 5 : 4));
    list->AddLine({x, top}, {x, bottom}, IM_COL32_WHITE, context.px(held ? 3 : 2));
    const float middle = (top + bottom) / 2, radius = context.px(held ? 11 : 9);
    list->AddCircleFilled({x, middle}, radius + context.px(1), IM_COL32(0, 0, 0, 200), 24);
    list->AddCircleFilled({x, middle}, radius, IM_COL32_WHITE, 24);
    const float near = context.px(2), far = context.px(6), half = context.px(4);
    for (const float way : {-1.0f, 1.0f}) {
        list->AddTriangleFilled({x + way * near, middle - half}, {x + way * near, middle + half},
                                {x + way * far, middle}, IM_COL32(0, 0, 0, 255));
    }
}

}  // namespace

float split_at(std::optional<float> share, float left, float right, float width, float margin) {
    const float middle = (left + right) / 2;
    if (right - left < 2 * margin) return middle;
    return share ? std::clamp(*share * width, left + margin, right - margin) : middle;
}

void split_divider(PanelContext& context, ImVec2 top_left, ImVec2 bottom_right) {
    OverlayChoice& choice = context.ui.overlay;
    if (choice.kind != OverlayKind::kSplit) return;
    const float width = ImGui::GetIO().DisplaySize.x, grip = context.px(kGrip);
    const float left = top_left.x, right = bottom_right.x, margin = context.px(kMargin);
    float x = split_at(choice.split, left, right, width, margin);
    ImGui::SetNextWindowBgAlpha(0);
    // Dear ImGui cuts half of the padding off what can be hovered: all of a window so narrow.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_strip("##split", {x - grip / 2, top_left.y}, {grip, bottom_right.y - top_left.y});
    ImGui::PopStyleVar();
    ImGui::InvisibleButton("line", {grip, std::max(bottom_right.y - top_left.y, 1.0f)});
    const bool held = ImGui::IsItemActive();
    if (held || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (held) {
        x = split_at(ImGui::GetIO().MousePos.x / width, left, right, width, margin);
    }
    ImGui::End();
    choice.split = x / width;
    draw_line(context, x, top_left.y, bottom_right.y, held);
    const auto& [first, second] = context.overlays.sides();
    const float gap = context.px(20), y = top_left.y + context.px(14);
    label(context, side_text(context, first.name), x - gap, y, 1);
    label(context, side_text(context, second.name), x + gap, y, 0);
}

}  // namespace warpscope
