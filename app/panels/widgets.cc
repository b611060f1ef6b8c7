// SPDX-License-Identifier: MIT
#include "app/panels/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "app/format.h"
#include "app/shell.h"
#include "app/theme.h"

#if IMGUI_VERSION_NUM < 19110
#include <imgui_internal.h>  // SetItemUsingMouseWheel, later SetItemKeyOwner, public since
#endif

namespace warpscope {
namespace {

/// Draws `text` so that it ends at the content's right edge: on the current line, or wrapped on the
/// next ones where it does not fit.
void right_aligned(const std::string& text, ImU32 color) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SameLine();  // its own offset would count from the group's start
    if (ImGui::GetCursorPosX() + width > right) ImGui::NewLine();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - width));
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

/// Whether the window was scrolled a moment ago: then a slider that comes under the cursor must not
/// take the wheel.
bool just_scrolled() {
    constexpr float kMoment = 0.7f;  // seconds
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    float& place = *storage.GetFloatRef(1, ImGui::GetScrollY());
    const auto now = static_cast<float>(ImGui::GetTime());
    if (place != ImGui::GetScrollY()) {
        place = ImGui::GetScrollY();
        storage.SetFloat(2, now);
    }
    return now - storage.GetFloat(2, -kMoment) < kMoment;
}

/// Wheel and arrow-key steps on the hovered slider, ten at a time with Ctrl; the panel then does
/// not scroll and the view does not move.
float steps_on_slider(const PanelContext& context) {
    if (!ImGui::IsItemHovered()) return 0;
    context.ui.slider_hovered = true;
    const float factor = ImGui::GetIO().KeyCtrl ? 10.0f : 1.0f;
    const float arrows = factor * static_cast<float>(context.ui.arrow_steps);
    if (just_scrolled()) return arrows;
#if IMGUI_VERSION_NUM >= 18940
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
    ImGui::SetItemUsingMouseWheel();
#endif
    return arrows + factor * ImGui::GetIO().MouseWheel;
}

/// Whether a double click has turned this slider into a field for typing. `value` takes what was
/// typed when the field is left. Kept in ImGui's storage: 0 no, 1 opens now, then frames open.
template <class T>
bool typing_field(T& value, ImGuiDataType type, const char* format) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID frames = ImGui::GetID("##typing"), kept = ImGui::GetID("##typed");
    int* open = storage.GetIntRef(frames, 0);
    if (*open == 0) return false;
    T* typed = nullptr;
    if constexpr (std::is_same_v<T, float>) {
        typed = storage.GetFloatRef(kept, value);
    } else {
        typed = storage.GetIntRef(kept, value);
    }
    open = storage.GetIntRef(frames, 0);  // the line before may have moved it
    if (*open == 1) {
        *typed = value;
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::InputScalar("##field", type, typed, nullptr, nullptr, format,
                       ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivated();
    if (left) value = *typed;
    constexpr int kPatience = 3;  // frames until the focus must have come
    *open = left || (*open > kPatience && !ImGui::IsItemActive()) ? 0 : *open + 1;
    return true;
}

void open_typing_field() {
    const bool with_control = ImGui::IsItemClicked(ImGuiMouseButton_Left) && ImGui::GetIO().KeyCtrl;
    const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (with_control || twice) {
        ImGui::GetStateStorage()->SetInt(ImGui::GetID("##typing"), 1);
    }
}

/// `value` after so many wheel steps: each one more, or 5 % where the slider is logarithmic.
int stepped(int value, float wheel, IntRange range) {
    const double by = std::abs(static_cast<double>(wheel));
    const double step = range.logarithmic ? std::max(by, value * (std::pow(1.05, by) - 1)) : by;
    const double next = value + std::copysign(step, static_cast<double>(wheel));
    return static_cast<int>(std::clamp(next, static_cast<double>(range.min),
                                       static_cast<double>(std::max(range.max, value))));
}

/// Tells that a typed number was out of range, and what it became.
void say_clamped(const PanelContext& context, const char* label, const std::string& value,
                 const std::string& least, const std::string& most) {
    add_toast(
        context.ui,
        std::string{label} + ": set to " + value + "; " + least + " to " + most + " is accepted.",
        Urgency::kNote, context.now);
}

/// The label above, the control below it over the whole width.
void label_line(const PanelContext& context, const char* label, const char* about) {
    ImGui::TextUnformatted(label);
    tooltip(context, about);
    ImGui::SetNextItemWidth(-1);
}

/// The same for a slider, whose value stands beside its label: on the slider the grab would hide
/// it.
void label_line(const PanelContext& context, const char* label, const char* about,
                const std::string& value) {
    ImGui::TextUnformatted(label);
    tooltip(context, about);
    ImGui::PushFont(context.look.mono);
    right_aligned(value, ImGui::GetColorU32(ImGuiCol_Text));
    ImGui::PopFont();
    ImGui::SetNextItemWidth(-1);
}

/// A slider over the logarithm: ImGui's own takes everything below 0.001 for zero. `min` > 0; what
/// it sets has three significant digits.
bool logarithmic_slider(float& value, float min, float max) {
    float exponent = std::log10(std::max(value, min));
    if (!ImGui::SliderFloat("##slider", &exponent, std::log10(min), std::log10(max), "",
                            ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat)) {
        return false;
    }
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.3g",
                  std::pow(10.0, static_cast<double>(exponent)));
    value = std::clamp(std::strtof(digits.data(), nullptr), min, max);
    return true;
}

std::string printed(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

}  // namespace

void begin_strip(const char* id, ImVec2 at, ImVec2 size) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(id, nullptr, kFixedWindow | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
}

void section(const PanelContext& context, const char* title) {
    ImGui::Dummy({0, context.px(8)});
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(title);
    ImGui::PopStyleColor();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y - context.px(4)},
                                        {at.x + width, at.y - context.px(4)},
                                        ImGui::GetColorU32(ImGuiCol_Separator));
}

void big_number(const PanelContext& context, const std::string& value, const char* caption,
                const char* about) {
    ImGui::BeginGroup();
    ImGui::PushFont(context.look.big);
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopFont();
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(caption);
    ImGui::PopStyleColor();
    ImGui::EndGroup();
    tooltip(context, about);
}

void value_row(const PanelContext& context, const char* name, const std::string& value,
               const char* about) {
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
    ImGui::PushFont(context.look.mono);
    right_aligned(value, ImGui::GetColorU32(ImGuiCol_Text));
    ImGui::PopFont();
    ImGui::EndGroup();
    tooltip(context, about);
}

void tooltip(const PanelContext& context, const char* text) {
    if (text == nullptr || *text == '\0') return;
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(context.px(340));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void note(const PanelContext&, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

bool slider(const PanelContext& context, const char* label, int& value, IntRange range,
            const char* about) {
    const int before = value;
    ImGui::PushID(label);
    label_line(context, label, about,
               value < 0 ? std::to_string(value) : format_count(static_cast<std::uint64_t>(value)));
    const bool typing = typing_field(value, ImGuiDataType_S32, "%d");
    if (!typing) {
        auto real = static_cast<float>(value);
        if (!range.logarithmic) {
            ImGui::SliderInt("##slider", &value, range.min, range.max, "",
                             ImGuiSliderFlags_NoInput);
        } else if (logarithmic_slider(real, static_cast<float>(range.min),
                                      static_cast<float>(range.max))) {
            value = static_cast<int>(std::lround(real));
        }
        open_typing_field();
        const float wheel = steps_on_slider(context);
        if (wheel != 0) value = stepped(value, wheel, range);
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) value = range.normal;
    }
    ImGui::PopID();
    const int typed = value, most = std::max(range.max, range.typed_max);
    value = std::clamp(value, range.min, most);
    if (typing && value != typed) {
        say_clamped(context, label, std::to_string(value), std::to_string(range.min),
                    std::to_string(most));
    }
    return value != before;
}

bool slider(const PanelContext& context, const char* label, float& value, FloatRange range,
            const char* about) {
    const float before = value;
    ImGui::PushID(label);
    label_line(context, label, about, printed(range.format, static_cast<double>(value)));
    const bool typing = typing_field(value, ImGuiDataType_Float, "%g");
    if (!typing) {
        if (range.logarithmic) {
            logarithmic_slider(value, range.min, range.max);
        } else {
            ImGui::SliderFloat("##slider", &value, range.min, range.max, "",
                               ImGuiSliderFlags_NoInput);
        }
        open_typing_field();
        const float wheel = steps_on_slider(context);
        if (wheel != 0) {
            value = range.logarithmic ? value * std::pow(1.02f, wheel)
                                      : value + wheel * (range.max - range.min) / 200;
        }
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) value = range.normal;
    }
    ImGui::PopID();
    const float typed = value;
    value = std::clamp(value, range.min, range.max);
    if (typing && value != typed) {
        say_clamped(context, label, printed(range.format, static_cast<double>(value)),
                    printed("%g", static_cast<double>(range.min)),
                    printed("%g", static_cast<double>(range.max)));
    }
    return value != before;
}

bool toggle(const PanelContext& context, const char* label, bool& value, const char* about) {
    const bool flipped = ImGui::Checkbox(label, &value);
    tooltip(context, about);
    return flipped;
}

bool choose(const PanelContext& context, const char* label, int& index,
            const std::vector<std::string>& names, const char* about) {
    const int before = index;
    const bool known = index >= 0 && index < static_cast<int>(names.size());
    const char* shown = known ? names[static_cast<std::size_t>(index)].c_str() : "—";
    ImGui::PushID(label);
    label_line(context, label, about);
    if (ImGui::BeginCombo("##combo", shown)) {
        for (int i = 0; i < static_cast<int>(names.size()); ++i) {
            ImGui::PushID(i);
            if (ImGui::Selectable(names[static_cast<std::size_t>(i)].c_str(), i == index)) {
                index = i;
            }
            if (i == index) ImGui::SetItemDefaultFocus();
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return index != before;
}

bool button(const PanelContext& context, const char* label, const std::string& why_not,
            const char* about, float width) {
    ImGui::BeginDisabled(!why_not.empty());
    const bool pressed = ImGui::Button(label, {width, 0});
    ImGui::EndDisabled();
    tooltip(context, why_not.empty() ? about : why_not.c_str());
    return pressed;
}

bool progress_with_stop(const PanelContext& context, const WorkProgress& progress) {
    const float stop_width = context.px(64);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x - stop_width - spacing;
    const std::optional<double> left = progress.seconds_left();
    const std::string time =
        left ? std::to_string(std::lround(std::ceil(*left))) + " s left" : "estimating time";
    ImGui::ProgressBar(static_cast<float>(progress.fraction()), {width, 0}, time.c_str());
    ImGui::SameLine();
    const bool stop = ImGui::Button("Stop", {stop_width, 0});
    note(context, progress.label());
    return stop;
}

void draw_verdict(const PanelContext& context, ImVec2 middle, Verdict verdict) {
    const bool passed = verdict == Verdict::kPassed;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 ink = IM_COL32(12, 12, 12, 255);
    const float w = context.px(1.6f), s = context.px(3);
    list->AddCircleFilled(middle, context.px(kVerdictRadius),
                          passed ? Ink::kGreen : Ink::kVermilion, 20);
    if (passed) {
        list->AddLine({middle.x - s, middle.y}, {middle.x - s / 4, middle.y + s * 0.8f}, ink, w);
        list->AddLine({middle.x - s / 4, middle.y + s * 0.8f}, {middle.x + s, middle.y - s * 0.8f},
                      ink, w);
        return;
    }
    list->AddLine({middle.x - s, middle.y - s}, {middle.x + s, middle.y + s}, ink, w);
    list->AddLine({middle.x - s, middle.y + s}, {middle.x + s, middle.y - s}, ink, w);
}

bool details(const PanelContext&, const char* title) {
    ImGui::PushStyleColor(ImGuiCol_Header, 0);
    const bool open = ImGui::CollapsingHeader(title);
    ImGui::PopStyleColor();
    return open;
}

}  // namespace warpscope
