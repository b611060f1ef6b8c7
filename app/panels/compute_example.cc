// SPDX-License-Identifier: MIT
// The six-element example, drawn: threads of blocks take elements, step by step.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/panels/compute_parts.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "kernels/lab/element_map.h"

namespace warpscope {
namespace {

constexpr int kMostBlock = 8, kColumns = 10;  // blocks of 5 launch ten threads, no other more
constexpr double kStepSeconds = 2.4, kLastStepSeconds = 3.6, kMoveSeconds = 0.9;
constexpr float kBox = 32, kThread = 40;  // heights, unscaled pixels

/// Lengths and colours of one drawing.
struct Drawing {
    const PanelContext& context;
    ImDrawList* list;
    ImVec2 at;    // of the first column
    float pitch;  // from column to column
    ExampleStep step;
    float moved;  // how far this step's motion is, 0 to 1
    float row_a, row_b, row_threads, row_out;

    float left(int column) const { return at.x + pitch * static_cast<float>(column); }
    float middle(int column) const { return left(column) + pitch / 2; }
};

std::string number(float value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.0f", static_cast<double>(value));
    return text.data();
}

void centered(const Drawing& drawing, ImVec2 middle, ImU32 color, const std::string& text) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    drawing.list->AddText({middle.x - size.x / 2, middle.y - size.y / 2}, color, text.c_str());
}

/// An element of an array; faint where it has no value yet.
void draw_box(const Drawing& drawing, int column, float top, ImU32 color, const std::string& text) {
    const float inset = drawing.context.px(3), height = drawing.context.px(kBox);
    const ImVec2 min{drawing.left(column) + inset, top};
    const ImVec2 max{drawing.left(column + 1) - inset, top + height};
    const float rounding = drawing.context.px(4);
    if (text.empty()) {
        drawing.list->AddRect(min, max, faded(color, 0.5f), rounding, 0, drawing.context.px(1));
        return;
    }
    drawing.list->AddRectFilled(min, max, faded(color, 0.22f), rounding);
    drawing.list->AddRect(min, max, color, rounding, 0, drawing.context.px(1.5f));
    centered(drawing, {(min.x + max.x) / 2, (min.y + max.y) / 2}, ImGui::GetColorU32(ImGuiCol_Text),
             text);
}

/// A value on its way from one row to another.
void draw_moving(const Drawing& drawing, int column, float from, float to, ImU32 color,
                 const std::string& text) {
    const float p = drawing.moved * drawing.moved * (3 - 2 * drawing.moved);
    const ImVec2 middle{drawing.middle(column), from + (to - from) * p};
    drawing.list->AddCircleFilled(middle, drawing.context.px(11), color, 24);
    centered(drawing, middle, IM_COL32(12, 12, 12, 255), text);
}

std::string thread_text(const Drawing& drawing, const ThreadElement& thread) {
    const auto i = static_cast<std::size_t>(thread.element);
    if (drawing.step == ExampleStep::kLaunch) return "t" + std::to_string(thread.thread);
    if (!thread.works || drawing.step < ExampleStep::kLoad) return "i=" + std::to_string(i);
    if (drawing.step == ExampleStep::kLoad && drawing.moved < 1) return "i=" + std::to_string(i);
    if (drawing.step == ExampleStep::kLoad)
        return number(kExampleA[i]) + "+" + number(kExampleB[i]);
    return number(kExampleA[i] + kExampleB[i]);
}

void draw_thread(const Drawing& drawing, const ThreadElement& thread) {
    const float inset = drawing.context.px(6), height = drawing.context.px(kThread);
    const int column = thread.element;
    const ImVec2 min{drawing.left(column) + inset, drawing.row_threads + inset};
    const ImVec2 max{drawing.left(column + 1) - inset, drawing.row_threads + height - inset};
    const bool stopped = !thread.works && drawing.step >= ExampleStep::kGuard;
    const float appear = drawing.step == ExampleStep::kLaunch ? drawing.moved : 1;
    const float rounding = drawing.context.px(6);
    const ImU32 fill = stopped ? ImGui::GetColorU32(ImGuiCol_FrameBgActive) : Ink::kAccent;
    drawing.list->AddRectFilled(min, max, faded(fill, appear), rounding);
    if (stopped) {
        drawing.list->AddLine(min, max, muted_ink(), drawing.context.px(1.5f));
        drawing.list->AddLine({min.x, max.y}, {max.x, min.y}, muted_ink(),
                              drawing.context.px(1.5f));
        return;
    }
    centered(drawing, {(min.x + max.x) / 2, (min.y + max.y) / 2},
             faded(IM_COL32(12, 12, 12, 255), appear), thread_text(drawing, thread));
}

void draw_block(const Drawing& drawing, int block, int threads) {
    const float inset = drawing.context.px(1);
    const ImVec2 min{drawing.left(block * threads) + inset, drawing.row_threads};
    const ImVec2 max{drawing.left((block + 1) * threads) - inset,
                     drawing.row_threads + drawing.context.px(kThread)};
    const float rounding = drawing.context.px(8);
    drawing.list->AddRectFilled(min, max, faded(Ink::kAccent, 0.12f), rounding);
    drawing.list->AddRect(min, max, faded(Ink::kAccent, 0.7f), rounding, 0,
                          drawing.context.px(1.5f));
    // One-thread blocks have no room for the word.
    const std::string label = (threads > 1 ? "block " : "") + std::to_string(block);
    centered(drawing, {(min.x + max.x) / 2, max.y + drawing.context.px(9)}, muted_ink(), label);
}

void draw_values(const Drawing& drawing, const ThreadElement& thread) {
    const auto i = static_cast<std::size_t>(thread.element);
    const int column = thread.element;
    const float half = drawing.context.px(kBox) / 2;
    const float middle = drawing.row_threads + drawing.context.px(kThread) / 2;
    const bool stored = drawing.step == ExampleStep::kStore && drawing.moved >= 1;
    const std::string a = number(kExampleA[i]), b = number(kExampleB[i]),
                      sum = number(kExampleA[i] + kExampleB[i]);
    draw_box(drawing, column, drawing.row_a, Ink::kOrange, a);
    draw_box(drawing, column, drawing.row_b, Ink::kYellow, b);
    draw_box(drawing, column, drawing.row_out, Ink::kGreen, stored ? sum : "");
    if (drawing.moved >= 1) return;
    if (drawing.step == ExampleStep::kLoad) {
        draw_moving(drawing, column, drawing.row_a + half, middle, Ink::kOrange, a);
        draw_moving(drawing, column, drawing.row_b + half, middle, Ink::kYellow, b);
    }
    if (drawing.step == ExampleStep::kStore) {
        draw_moving(drawing, column, middle, drawing.row_out + half, Ink::kGreen, sum);
    }
}

void draw_labels(const Drawing& drawing, float left) {
    const auto label = [&](float row, float height, const char* text) {
        const float y = row + (drawing.context.px(height) - ImGui::GetTextLineHeight()) / 2;
        drawing.list->AddText({left, y}, muted_ink(), text);
    };
    label(drawing.row_a, kBox, "a");
    label(drawing.row_b, kBox, "b");
    label(drawing.row_threads, kThread, "threads");
    label(drawing.row_out, kBox, "out");
}

/// Moves on by itself while playing; returns how far the step's motion is.
float advance(const PanelContext& context, ExampleUi& ui) {
    if (ui.since == 0) ui.since = context.now;
    const double lasts = ui.step + 1 == kExampleSteps ? kLastStepSeconds : kStepSeconds;
    if (ui.playing && context.now - ui.since > lasts) {
        ui.step = (ui.step + 1) % kExampleSteps;
        ui.since = context.now;
    }
    return static_cast<float>(std::clamp((context.now - ui.since) / kMoveSeconds, 0.0, 1.0));
}

void draw_all(const PanelContext& context, const ExampleUi& ui, ImVec2 at, float width,
              float moved) {
    const float label_width = context.px(64);
    const float top = at.y;
    const Drawing drawing{context,
                          ImGui::GetWindowDrawList(),
                          {at.x + label_width, top},
                          (width - label_width) / kColumns,
                          static_cast<ExampleStep>(ui.step),
                          moved,
                          top,
                          top + context.px(kBox + 4),
                          top + context.px(2 * kBox + 24),
                          top + context.px(2 * kBox + kThread + 52)};
    ImGui::PushFont(context.look.mono);
    draw_labels(drawing, at.x);
    const std::vector<ThreadElement> map =
        element_map(static_cast<int>(kExampleA.size()), ui.block);
    for (int block = 0; block <= map.back().block; ++block) draw_block(drawing, block, ui.block);
    for (const ThreadElement& thread : map) draw_thread(drawing, thread);
    for (const ThreadElement& thread : map) {
        if (thread.works) draw_values(drawing, thread);
    }
    if (!map.back().works && drawing.step >= ExampleStep::kGuard) {
        const ImVec2 corner{drawing.left(static_cast<int>(kExampleA.size())) + context.px(8),
                            drawing.row_b + context.px(4)};
        drawing.list->AddText(corner, ImGui::GetColorU32(ImGuiCol_Text), "if (i < n)");
        const ImVec2 below{corner.x + context.px(10), corner.y + ImGui::GetTextLineHeight()};
        drawing.list->AddLine(below, {below.x, drawing.row_threads + context.px(2)}, muted_ink(),
                              context.px(1.5f));
    }
    ImGui::PopFont();
}

void go_to(const PanelContext& context, ExampleUi& ui, int step) {
    ui.step = (step + kExampleSteps) % kExampleSteps;
    ui.since = context.now;
}

void draw_controls(PanelContext& context, ExampleUi& ui) {
    const ExampleText text = example_text(static_cast<ExampleStep>(ui.step), ui.block);
    ImGui::TextUnformatted(text.title.c_str());
    const float top = ImGui::GetCursorPosY();
    note(context, text.text);
    // Texts differ in length; what stands below does not move.
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + context.px(76)));
    if (ImGui::ArrowButton("##back", ImGuiDir_Left)) {
        ui.playing = false;
        go_to(context, ui, ui.step - 1);
    }
    tooltip(context, "One step back.");
    ImGui::SameLine(0, context.px(4));
    if (ImGui::Button(ui.playing ? "Pause###play" : "Play###play", {context.px(72), 0})) {
        ui.playing = !ui.playing;
    }
    tooltip(context, "Let the steps follow one another, or look at one.");
    ImGui::SameLine(0, context.px(4));
    if (ImGui::ArrowButton("##on", ImGuiDir_Right)) {
        ui.playing = false;
        go_to(context, ui, ui.step + 1);
    }
    tooltip(context, "One step on.");
    if (slider(context, "Threads per block", ui.block, {1, kMostBlock, 4},
               "Small here, so that they can be drawn; a real block has 32 to 1024 threads. Try 4 "
               "and 6: six elements are a multiple of one of them only.")) {
        go_to(context, ui, 0);
    }
    mark(context, Control::kExampleBlock);
}

}  // namespace

void example_part(PanelContext& context) {
    ExampleUi& ui = context.ui.compute.example;
    const float moved = advance(context, ui);
    const float width = ImGui::GetContentRegionAvail().x, gap = context.px(24);
    const float controls = std::min(context.px(300), 0.4f * width);
    const float height = context.px(3 * kBox + kThread + 52);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_all(context, ui, at, width - controls - gap, moved);
    ImGui::Dummy({width - controls - gap, height});
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("##example", {controls, height + context.px(8)}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    draw_controls(context, ui);
    ImGui::EndChild();
}

}  // namespace warpscope
