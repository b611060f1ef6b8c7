// SPDX-License-Identifier: MIT
#include "app/panels/places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/format.h"
#include "app/panels/fields.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr std::size_t kFirstShown = 4;  // cards before the list is unfolded
constexpr int kColumns = 2;

/// ImGui's texture handle was void* up to 1.91.3 and is a 64-bit integer since.
ImTextureID texture_id(GLuint name) { return (ImTextureID)(std::uintptr_t)name; }

std::string subtitle(const Place& place) {
    const Scene& scene = place.location.scene;
    return std::string{info(scene.formula).title} + (scene.julia ? " Julia" : "") + " · " +
           format_zoom(scene.view.zoom.log2_abs()) + "×";
}

std::string description(const Place& place) {
    const Location& location = place.location;
    std::string text =
        location.title + "\n" + subtitle(place) + ", limit " + format_count(location.scene.limit);
    if (!location.credit.empty()) text += "\nAfter " + location.credit;
    if (place.saved) text += "\nSaved by you: " + place.id;
    return text;
}

void open_place(PanelContext& context, const Place& place) {
    context.commands.emplace_back(
        SetScene{place.location.scene, std::max(context.framebuffer.height, 1)});
    if (place.location.color) context.commands.emplace_back(SetColor{*place.location.color});
    context.ui.moved = true;
}

/// The picture, or a quiet box until there is one.
void draw_picture(const PanelContext& context, const Place& place, ImVec2 from, ImVec2 to) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float rounding = context.px(6);
    const GLuint texture = context.thumbnails.texture(place);
    if (texture != 0) {
        list->AddImageRounded(texture_id(texture), from, to, {0, 0}, {1, 1}, IM_COL32_WHITE,
                              rounding);
    } else {
        list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
    }
}

/// "Delete" needs a second click: nothing modal, nothing lost by one slip.
void delete_button(PanelContext& context, const Place& place, float width) {
    std::string& asked = context.ui.explore.delete_asked;
    const bool sure = asked == place.id;
    if (sure) ImGui::PushStyleColor(ImGuiCol_Text, Ink::kOrange);
    const bool pressed = ImGui::Button(sure ? "Really delete?" : "Delete", {width, 0});
    if (sure) ImGui::PopStyleColor();
    tooltip(context, "Removes the file of this saved place. Asks once.");
    if (!pressed) return;
    if (sure) context.requests.emplace_back(DeletePlace{place.id});
    asked = sure ? "" : place.id;
}

void place_card(PanelContext& context, const Place& place, float width) {
    ImGui::PushID(place.id.c_str());
    ImGui::BeginGroup();
    const float picture = std::floor(width * 9 / 16), line = ImGui::GetTextLineHeight();
    const float gap = context.px(4);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("card", {width, picture + gap + 2 * line});
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemVisible()) {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 to{from.x + width, from.y + picture};
        draw_picture(context, place, from, to);
        const bool here = context.state.scene == place.location.scene;
        if (here || hovered) {
            list->AddRect(from, to,
                          ImGui::GetColorU32(here ? ImGuiCol_SliderGrab : ImGuiCol_TextDisabled),
                          context.px(6), 0, context.px(2));
        }
        list->AddText({from.x, to.y + gap}, ImGui::GetColorU32(ImGuiCol_Text),
                      elided(place.location.title, width).c_str());
        list->AddText({from.x, to.y + gap + line}, muted_ink(),
                      elided(subtitle(place), width).c_str());
    }
    if (hovered) tooltip(context, description(place).c_str());
    if (pressed) open_place(context, place);
    if (place.saved && context.ui.explore.all_places) delete_button(context, place, width);
    ImGui::EndGroup();
    ImGui::PopID();
}

void place_grid(PanelContext& context) {
    // The user's own places come first: they were saved to be found again.
    std::vector<const Place*> order;
    for (const Place& place : context.places.places) order.push_back(&place);
    std::stable_partition(order.begin(), order.end(), [](const Place* p) { return p->saved; });
    ExploreFields& fields = context.ui.explore;
    const std::size_t shown =
        fields.all_places ? order.size() : std::min(kFirstShown, order.size());
    const float width = std::floor(share_of_width(kColumns));
    for (std::size_t i = 0; i < shown; ++i) {
        if (i % kColumns != 0) ImGui::SameLine();
        place_card(context, *order[i], width);
    }
    const std::string more =
        fields.all_places ? "Show fewer places" : "All " + std::to_string(order.size()) + " places";
    if (button(context, (more + "###more").c_str(), "", "Unfolds or folds the list of places.")) {
        fields.all_places = !fields.all_places;
    }
}

void save_and_open(PanelContext& context) {
    ExploreFields& fields = context.ui.explore;
    const bool save =
        text_field(context, "Save this view as", "title, or nothing for the time", fields.title,
                   "A place is a small TOML file with the centre in full length, the "
                   "formula, limits and colours: it comes back exactly.");
    if (button(context, "Save place", "", "Keeps this view and its colours in the list above.") ||
        save) {
        context.requests.emplace_back(SavePlace{fields.title});
        fields.title.clear();
    }
    const bool open =
        text_field(context, "Open a place", "path of a .toml or .png file", fields.path,
                   "A place file, or a picture that Warpscope saved: it carries its "
                   "place. Files can also be dragged onto the window.");
    const std::string why_not = fields.path.empty() ? "Type the path of a file first, or drag a "
                                                      "file onto the window."
                                                    : "";
    if (button(context, "Open place", why_not, "Goes to the place in this file.") ||
        (open && why_not.empty())) {
        context.requests.emplace_back(OpenPlace{fields.path});
    }
}

}  // namespace

void places_section(PanelContext& context) {
    section(context, "Places");
    ImGui::Dummy({0, 0});
    place_grid(context);
    if (details(context, "Save and open")) save_and_open(context);
}

}  // namespace warpscope
