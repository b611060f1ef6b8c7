// SPDX-License-Identifier: MIT
#include "app/panels/fields.h"

#include "app/theme.h"

namespace warpscope {
namespace {

/// Lets ImGui's buffer grow with the string it belongs to.
int resize(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

}  // namespace

bool text_field(const PanelContext& context, const char* label, const char* hint, std::string& text,
                const char* about) {
    ImGui::PushID(label);
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    tooltip(context, about);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.look.mono);
    const bool entered = ImGui::InputTextWithHint(
        "##text", hint, text.data(), text.capacity() + 1,
        ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue, resize, &text);
    ImGui::PopFont();
    ImGui::PopID();
    return entered;
}

bool segments(const PanelContext& context, const char* id, int& index,
              const std::vector<SegmentChoice>& choices, float width) {
    const int before = index;
    const float gap = context.px(2);
    const auto count = static_cast<float>(choices.size());
    const float whole = width > 0 ? width : ImGui::GetContentRegionAvail().x;
    const float each = (whole - (count - 1) * gap) / count;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{context.px(2), ImGui::GetStyle().FramePadding.y});
    ImGui::PushID(id);
    for (int i = 0; i < static_cast<int>(choices.size()); ++i) {
        const SegmentChoice& choice = choices[static_cast<std::size_t>(i)];
        const bool chosen = i == before;
        if (i > 0) ImGui::SameLine(0, gap);
        ImGui::PushID(i);
        ImGui::BeginDisabled(!choice.why_not.empty());
        ImGui::PushStyleColor(ImGuiCol_Button,
                              ImGui::GetColorU32(chosen ? ImGuiCol_SliderGrab : ImGuiCol_FrameBg));
        ImGui::PushStyleColor(
            ImGuiCol_ButtonHovered,
            ImGui::GetColorU32(chosen ? ImGuiCol_SliderGrabActive : ImGuiCol_ButtonHovered));
        ImGui::PushStyleColor(ImGuiCol_Text,
                              chosen ? ImGui::GetColorU32(ImGuiCol_WindowBg, 1.08f) : muted_ink());
        if (ImGui::Button(choice.name, {each, 0})) index = i;
        ImGui::PopStyleColor(3);
        ImGui::EndDisabled();
        tooltip(context, choice.why_not.empty() ? choice.tooltip : choice.why_not.c_str());
        ImGui::PopID();
    }
    ImGui::PopID();
    ImGui::PopStyleVar();
    return index != before;
}

void problem(const PanelContext& context, const std::string& text) {
    if (text.empty()) return;
    const bool dark = context.state.settings.theme == Theme::kDark;
    ImGui::PushStyleColor(ImGuiCol_Text, dark ? Ink::kOrange : Ink::kVermilion);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(("! " + text).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

float share_of_width(int count) {
    const float gaps = static_cast<float>(count - 1) * ImGui::GetStyle().ItemSpacing.x;
    return (ImGui::GetContentRegionAvail().x - gaps) / static_cast<float>(count);
}

std::string elided(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    const float room = width - ImGui::CalcTextSize("…").x;
    std::size_t end = text.size();
    while (end > 0) {
        // Back to the start of a character: UTF-8's later bytes begin with 10.
        do {
            --end;
        } while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u);
        if (ImGui::CalcTextSize(text.c_str(), text.c_str() + end).x <= room) break;
    }
    return text.substr(0, end) + "…";
}

}  // namespace warpscope
