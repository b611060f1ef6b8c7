// SPDX-License-Identifier: MIT
#include "app/panels/precision_axis.h"

#include <algorithm>
#include <array>

#include "app/format.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr double kUsualStart = -2;    // log2 of the zoom
constexpr double kBeyondShare = 0.3;  // of the axis, for zooms that no number type serves
constexpr ImU32 kDarkText = IM_COL32(0, 0, 0, 255);

struct StretchLook {
    const char* name;
    ImU32 color;
};

StretchLook look_of(const std::optional<Precision>& precision) {
    if (!precision) return {"perturbation", ImGui::GetColorU32(ImGuiCol_Separator)};
    switch (*precision) {
        case Precision::kFloat:
            return {"float", Ink::kAccent};
        case Precision::kDf64:
            return {"df64", Ink::kYellow};
        case Precision::kDouble:
            break;
    }
    return {"double", Ink::kOrange};
}

/// Text in the middle of `from` and `to`, where it fits.
void centred(ImDrawList* list, float from, float to, float y, ImU32 ink, const char* text) {
    const float width = ImGui::CalcTextSize(text).x;
    if (width <= to - from) list->AddText({(from + to - width) / 2, y}, ink, text);
}

}  // namespace

double axis_start(double present_log2) { return std::min(kUsualStart, present_log2); }

PrecisionAxis precision_axis(const std::vector<PrecisionStretch>& ladder, double present_log2) {
    const double start = axis_start(present_log2);
    const double served = ladder.empty() ? start + 1 : ladder.back().to;
    const double end = std::max(start + (served - start) / (1 - kBeyondShare),
                                std::min(present_log2 + 1, kMaxLog2Zoom));
    const auto share = [&](double log2) {
        return static_cast<float>(std::clamp((log2 - start) / (end - start), 0.0, 1.0));
    };
    PrecisionAxis axis;
    axis.present = share(present_log2);
    float from = 0;
    for (const PrecisionStretch& stretch : ladder) {
        const float to = share(stretch.to);
        axis.stretches.push_back({stretch.precision, from, to});
        axis.switches.push_back({to, format_zoom(stretch.to)});
        from = to;
    }
    axis.stretches.push_back({std::nullopt, from, 1});
    return axis;
}

void draw_precision_axis(const PanelContext& context, const PrecisionAxis& axis) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
    const float mark = context.px(7), gap = context.px(2);
    const float top = at.y + mark + gap, bottom = top + line + 2 * gap;
    const auto x = [&](float share) { return at.x + share * width; };
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const AxisStretch& stretch : axis.stretches) {
        const auto [name, color] = look_of(stretch.precision);
        const float from = x(stretch.from), to = x(stretch.to);
        list->AddRectFilled({from, top}, {to, bottom}, color);
        centred(list, from, to, top + gap,
                stretch.precision ? kDarkText : ImGui::GetColorU32(ImGuiCol_Text), name);
    }
    ImGui::PushFont(context.look.mono);
    float free = at.x;
    for (const AxisTick& tick : axis.switches) {
        const float text = ImGui::CalcTextSize(tick.text.c_str()).x;
        const float left = std::clamp(x(tick.at) - text / 2, at.x, at.x + width - text);
        list->AddLine({x(tick.at), bottom}, {x(tick.at), bottom + mark / 2}, muted_ink());
        if (left < free) continue;  // the one before is more important
        list->AddText({left, bottom + mark / 2}, muted_ink(), tick.text.c_str());
        free = left + text + context.px(4);
    }
    ImGui::PopFont();
    const float present = x(axis.present);
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    list->AddTriangleFilled({present - mark * 0.6f, at.y}, {present + mark * 0.6f, at.y},
                            {present, top}, ink);
    list->AddLine({present, top}, {present, bottom}, kDarkText, context.px(1.5f));
    ImGui::Dummy({width, bottom - at.y + mark / 2 + line});
}

}  // namespace warpscope
