// SPDX-License-Identifier: MIT
#include "app/panels/tour.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/fields.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr float kWidth = 400, kMargin = 16, kPadding = 14;

bool overlap(const TourRing& ring, ImVec2 min, ImVec2 max) {
    return ring.min.x < max.x && ring.max.x > min.x && ring.min.y < max.y && ring.max.y > min.y;
}

/// Upper right, lower right, upper left, lower left of the room.
ImVec2 corner_of(std::size_t corner, ImVec2 min, ImVec2 max, ImVec2 size) {
    return {corner < 2 ? max.x - size.x : min.x, corner % 2 == 0 ? min.y : max.y - size.y};
}

/// Where the card stands: where it stood, unless it would cover what is pointed at.
ImVec2 place_card(PanelContext& context, ImVec2 min, ImVec2 max, ImVec2 size) {
    TourUi& tour = context.ui.tour;
    const auto covers = [&](std::size_t corner) {
        const ImVec2 at = corner_of(corner, min, max, size);
        return tour.ring && overlap(*tour.ring, at, {at.x + size.x, at.y + size.y});
    };
    for (std::size_t corner = 0; covers(tour.corner) && corner < 4; ++corner) {
        if (!covers(corner)) tour.corner = corner;
    }
    return corner_of(tour.corner, min, max, size);
}

/// Points at the fractal where the card leaves it free: at its left or at its right.
void mark_fractal(PanelContext& context, const TourRing& room, const TourRing& card) {
    const float inset = context.px(8);
    TourRing free{{room.min.x + inset, room.min.y + inset},
                  {room.max.x - inset, room.max.y - inset}};
    const bool left = card.min.x - room.min.x > room.max.x - card.max.x;
    (left ? free.max.x : free.min.x) = left ? card.min.x - inset : card.max.x + inset;
    mark(context, Control::kFractal, free.min, free.max);
}

void wrapped(const std::string& text) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

/// A dot a step: filled when done, ringed where one is.
void dots(const PanelContext& context, const TourProgress& progress) {
    const float pitch = context.px(14), radius = context.px(4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float y = at.y + ImGui::GetTextLineHeight() / 2;
    for (std::size_t i = 0; i < progress.steps(); ++i) {
        const ImVec2 middle{at.x + radius + pitch * static_cast<float>(i), y};
        if (progress.done(i)) {
            list->AddCircleFilled(middle, radius, Ink::kGreen, 16);
        } else {
            list->AddCircle(middle, radius, muted_ink(), 16, context.px(1.5f));
        }
        if (i != progress.current()) continue;
        list->AddCircle(middle, radius + context.px(2.5f), ImGui::GetColorU32(ImGuiCol_Text), 20,
                        context.px(1.5f));
    }
    ImGui::Dummy({pitch * static_cast<float>(progress.steps()), ImGui::GetTextLineHeight()});
}

void heading(const PanelContext& context, const TourProgress& progress, const std::string& title) {
    const std::string count =
        std::to_string(progress.current() + 1) + " of " + std::to_string(progress.steps());
    dots(context, progress);
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SameLine(right - ImGui::CalcTextSize(count.c_str()).x);
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(count.c_str());
    ImGui::PopStyleColor();
    ImGui::Dummy({0, context.px(2)});
    ImGui::PushFont(context.look.big);
    wrapped(title);
    ImGui::PopFont();
}

/// Text beside a coloured bar, with a tick before it when it was done.
void task_part(const PanelContext& context, const std::string& task, bool done) {
    ImGui::Dummy({0, context.px(4)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = context.px(26), middle = ImGui::GetTextLineHeight() / 2;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (done) {
        draw_verdict(context, {at.x + context.px(10), at.y + middle}, Verdict::kPassed);
    } else {
        const float r = context.px(5);
        list->AddTriangleFilled({at.x + context.px(6), at.y + middle - r},
                                {at.x + context.px(6), at.y + middle + r},
                                {at.x + context.px(14), at.y + middle}, Ink::kYellow);
    }
    ImGui::Indent(indent);
    wrapped(task);
    ImGui::Unindent(indent);
    ImGui::Dummy({0, context.px(4)});
}

void turn_to(PanelContext& context, TourTurn turn) {
    context.requests.emplace_back(TurnTour{turn});
}

void buttons(PanelContext& context, const TourProgress& progress) {
    const bool first = progress.current() == 0, last = progress.current() + 1 == progress.steps();
    const bool done = progress.done(progress.current());
    const float width = share_of_width(3);
    if (button(context, "Back", first ? "This is the first step." : "",
               "The step before (Backspace).", width)) {
        turn_to(context, TourTurn::kBack);
    }
    ImGui::SameLine();
    if (button(context, "Show me where", done ? "This step is done." : "",
               "Opens the tab and scrolls to the control that is ringed.", width)) {
        turn_to(context, TourTurn::kShow);
    }
    ImGui::SameLine();
    if (done) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetColorU32(ImGuiCol_SliderGrab));
        ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(12, 12, 12, 255));
    }
    if (button(context, last ? "Finish###next" : "Next###next", "",
               "The next step, whether this one was done or not (Enter).", width)) {
        turn_to(context, TourTurn::kNext);
    }
    if (done) ImGui::PopStyleColor(2);
}

void way_out(PanelContext& context) {
    ImGui::Dummy({0, context.px(2)});
    const float width = share_of_width(2);
    if (button(context, "Leave", "",
               "Ends the tour (G, Escape) and brings back the view, backend and panels from before "
               "it. G goes on where you left.",
               width)) {
        turn_to(context, TourTurn::kLeave);
    }
    ImGui::SameLine();
    if (button(context, "Leave and keep this", "",
               "Ends the tour; everything stays as it is on the screen now.", width)) {
        turn_to(context, TourTurn::kKeep);
    }
    note(context, "Leaving brings back what you had before the tour.");
}

}  // namespace

void tour_card(PanelContext& context, ImVec2 min, ImVec2 max) {
    const TourUi& tour = context.ui.tour;
    if (!tour.running) return;
    const float margin = context.px(kMargin);
    const ImVec2 from{min.x + margin, min.y + margin}, to{max.x - margin, max.y - margin};
    const ImVec2 most{std::max(std::min(context.px(kWidth), to.x - from.x), 1.0f),
                      std::max(to.y - from.y, 1.0f)};
    const ImVec2 size{most.x, std::min(tour.height, most.y)};
    const ImVec2 at = place_card(context, from, to, size);
    mark_fractal(context, {min, max}, {at, {at.x + size.x, at.y + size.y}});
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSizeConstraints({most.x, 0}, most);
    ImGui::SetNextWindowBgAlpha(0.97f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, context.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(kPadding), context.px(kPadding)});
    ImGui::Begin("##tour", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNavInputs);
    const TourForm& form = tour.form();
    const bool done = tour.progress->done(tour.progress->current());
    heading(context, *tour.progress, form.title);
    wrapped(form.text);
    if (!tour.gpu && tour.steps[tour.progress->current()].without_gpu) {
        note(context, "Without a GPU this step takes what is here instead.");
    }
    task_part(context, form.task, done);
    if (done) {
        wrapped(form.done);
        ImGui::Dummy({0, context.px(4)});
    }
    buttons(context, *tour.progress);
    way_out(context);
    context.ui.tour.height = ImGui::GetWindowHeight();
    ImGui::End();
    ImGui::PopStyleVar(2);
}

}  // namespace warpscope
