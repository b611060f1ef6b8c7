// SPDX-License-Identifier: MIT
// Small pieces that every panel is made of.
#pragma once

#include <imgui.h>

#include <string>

#include "app/panels.h"

namespace warpscope {

/// A window that stays where it is put and has no decoration.
inline constexpr ImGuiWindowFlags kFixedWindow =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavInputs;

/// Begins such a window, which does not scroll; end it with ImGui::End().
void begin_strip(const char* id, ImVec2 at, ImVec2 size);

/// A heading with air above it.
void section(const PanelContext& context, const char* title);

/// A big number with what it is under it, and a tooltip over both.
void big_number(const PanelContext& context, const std::string& value, const char* caption,
                const char* tooltip);

/// "name        value" on one line, the value in the monospaced font at the right edge.
void value_row(const PanelContext& context, const char* name, const std::string& value,
               const char* tooltip);

/// A tooltip for the item before: one sentence what it is, one why it matters. Wraps.
void tooltip(const PanelContext& context, const char* text);

/// Wrapped small text in the muted ink.
void note(const PanelContext& context, const std::string& text);

/// Sliders: typing by double click or Ctrl-click, the mouse wheel (Ctrl for ten steps), right click
/// for the default. Return whether the value changed; it is always within the range.
struct IntRange {
    int min, max, normal;
    bool logarithmic = false;
    int typed_max = 0;  ///< typing may go beyond the slider's end, up to here; 0: up to max
};
bool slider(const PanelContext& context, const char* label, int& value, IntRange range,
            const char* tooltip);
struct FloatRange {
    float min, max, normal;
    bool logarithmic = false;
    const char* format = "%.3g";
};
bool slider(const PanelContext& context, const char* label, float& value, FloatRange range,
            const char* tooltip);

/// A switch. Returns whether it was flipped.
bool toggle(const PanelContext& context, const char* label, bool& value, const char* tooltip);

/// A drop-down over names; returns whether the choice changed.
bool choose(const PanelContext& context, const char* label, int& index,
            const std::vector<std::string>& names, const char* tooltip);

/// A button as wide as the panel, or `width` pixels. Greyed out with `why_not` as tooltip unless
/// that is empty.
bool button(const PanelContext& context, const char* label, const std::string& why_not,
            const char* tooltip, float width = -1);

/// A bar with how much is done and the time left, its label below, and Stop; returns whether Stop
/// was pressed.
bool progress_with_stop(const PanelContext& context, const WorkProgress& progress);

/// A round badge with a tick or a cross.
enum class Verdict : std::uint8_t { kPassed, kFailed };
void draw_verdict(const PanelContext& context, ImVec2 middle, Verdict verdict);
/// Its radius, unscaled pixels.
inline constexpr float kVerdictRadius = 7;

/// A folded part of a panel; draw its content only when this returns true.
bool details(const PanelContext& context, const char* title);

}  // namespace warpscope
