// SPDX-License-Identifier: MIT
#include "app/panels/heat_map.h"

#include <algorithm>
#include <cmath>

#include "app/overlay_colors.h"
#include "app/theme.h"

namespace warpscope {
namespace {

/// From high to low: few milliseconds shine.
ImU32 shade(float high_to_low) {
    static const OverlayColors colors = overlay_colors();
    const float at = std::clamp(high_to_low, 0.0f, 1.0f) * (kOverlayColors - 1);
    return colors.scale[static_cast<std::size_t>(at + 0.5f)];
}

/// Where everything is, in pixels.
struct Layout {
    ImVec2 at, size, top_left, cell;
    std::size_t columns, rows;

    Layout(const HeatMap& map, ImVec2 corner, ImVec2 box, float line)
        : at{corner},
          size{box},
          top_left{corner.x + 3.4f * line, corner.y + 3.2f * line},
          columns{map.columns.size()},
          rows{map.rows.size()} {
        cell = {(corner.x + box.x - 0.9f * line - top_left.x) / static_cast<float>(columns),
                (corner.y + box.y - 2.6f * line - top_left.y) / static_cast<float>(rows)};
    }
    float bottom() const { return top_left.y + cell.y * static_cast<float>(rows); }
    float right() const { return top_left.x + cell.x * static_cast<float>(columns); }
    /// The upper left corner of a cell, rows counted from the bottom.
    ImVec2 corner(std::size_t column, std::size_t row) const {
        return {top_left.x + cell.x * static_cast<float>(column),
                top_left.y + cell.y * static_cast<float>(rows - 1 - row)};
    }
    /// The middle of a place in columns and rows.
    ImVec2 middle(ImVec2 place) const {
        return {top_left.x + cell.x * (place.x + 0.5f), bottom() - cell.y * (place.y + 0.5f)};
    }
    std::optional<std::size_t> under(ImVec2 mouse) const {
        const float x = (mouse.x - top_left.x) / cell.x, y = (bottom() - mouse.y) / cell.y;
        if (x < 0 || y < 0 || x >= static_cast<float>(columns) || y >= static_cast<float>(rows)) {
            return std::nullopt;
        }
        return static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x);
    }
};

void draw_cells(ImDrawList* list, const HeatMap& map, const Layout& layout) {
    float low = 0, high = 0;
    for (const HeatCell& cell : map.cells) {
        if (!cell.value) continue;
        low = low > 0 ? std::min(low, *cell.value) : *cell.value;
        high = std::max(high, *cell.value);
    }
    const float range = high > low ? std::log(high / low) : 1;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const HeatCell& cell = map.cells[i];
        if (!cell.value) continue;
        const float light = std::log(high / *cell.value) / range;
        const ImVec2 from = layout.corner(i % layout.columns, i / layout.columns);
        list->AddRectFilled(from, {from.x + layout.cell.x - 1, from.y + layout.cell.y - 1},
                            shade(high > low ? light : 1));
        const ImVec2 text = ImGui::CalcTextSize(cell.text.c_str());
        list->AddText(
            {from.x + (layout.cell.x - text.x) / 2, from.y + (layout.cell.y - text.y) / 2},
            light > 0.55f ? IM_COL32(15, 15, 15, 255) : IM_COL32(240, 240, 240, 255),
            cell.text.c_str());
    }
}

void draw_levels(ImDrawList* list, const HeatMap& map, const Layout& layout, float line) {
    const auto parted = [&map](std::size_t a, std::size_t b) {
        return map.cells[a].value && map.cells[b].value && map.cells[a].level != map.cells[b].level;
    };
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    const float thick = std::max(1.5f, 0.13f * line);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const std::size_t column = i % layout.columns, row = i / layout.columns;
        const ImVec2 from = layout.corner(column, row);
        const ImVec2 to{from.x + layout.cell.x, from.y + layout.cell.y};
        if (column + 1 < layout.columns && parted(i, i + 1)) {
            list->AddLine({to.x, from.y}, to, ink, thick);
        }
        if (row + 1 < layout.rows && parted(i, i + layout.columns)) {
            list->AddLine(from, {to.x, from.y}, ink, thick);
        }
    }
}

/// Names along an axis: every n-th where they would run into each other.
std::size_t stride(const std::vector<std::string>& names, float room, bool across) {
    float most = 0;
    for (const std::string& name : names) {
        const ImVec2 text = ImGui::CalcTextSize(name.c_str());
        most = std::max(most, across ? text.x + 0.4f * text.y : text.y);
    }
    return static_cast<std::size_t>(std::max(1.0f, std::ceil(most / std::max(room, 1.0f))));
}

void draw_axes(ImDrawList* list, const HeatMap& map, const Layout& layout, float line) {
    const ImU32 ink = muted_ink();
    const std::size_t every_column = stride(map.columns, layout.cell.x, true);
    for (std::size_t i = 0; i < layout.columns; i += every_column) {
        const float width = ImGui::CalcTextSize(map.columns[i].c_str()).x;
        const float x = layout.middle({static_cast<float>(i), 0}).x;
        list->AddText({x - width / 2, layout.bottom() + 0.2f * line}, ink, map.columns[i].c_str());
    }
    const std::size_t every_row = stride(map.rows, layout.cell.y, false);
    for (std::size_t i = 0; i < layout.rows; i += every_row) {
        const float width = ImGui::CalcTextSize(map.rows[i].c_str()).x;
        const float y = layout.middle({0, static_cast<float>(i)}).y;
        list->AddText({layout.top_left.x - width - 0.3f * line, y - line / 2}, ink,
                      map.rows[i].c_str());
    }
    list->AddText({layout.at.x + 0.6f * line, layout.at.y + 1.9f * line}, ink, map.y_label.c_str());
    const float width = ImGui::CalcTextSize(map.x_label.c_str()).x;
    list->AddText({(layout.top_left.x + layout.right() - width) / 2, layout.bottom() + 1.3f * line},
                  ink, map.x_label.c_str());
}

void mark_best(ImDrawList* list, ImVec2 p, float line) {
    list->AddCircle(p, 0.42f * line, IM_COL32(15, 15, 15, 255), 20, 0.26f * line);
    list->AddCircle(p, 0.42f * line, IM_COL32(255, 255, 255, 255), 20, 0.13f * line);
}

void mark_current(ImDrawList* list, ImVec2 p, float line) {
    list->AddNgonFilled(p, 0.5f * line, IM_COL32(15, 15, 15, 255), 4);
    list->AddNgonFilled(p, 0.38f * line, Ink::kVermilion, 4);
}

/// The scale of colours with its ends, then what marks and lines mean.
void draw_legend(ImDrawList* list, const HeatMap& map, const Layout& layout, float line) {
    constexpr int kSteps = 24;
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    ImVec2 at{layout.at.x + 0.6f * line, layout.at.y + 0.5f * line};
    list->AddText(at, ink, map.low.c_str());
    at.x += ImGui::CalcTextSize(map.low.c_str()).x + 0.4f * line;
    const float step = 4.0f * line / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const float x = at.x + step * static_cast<float>(i);
        list->AddRectFilled({x, at.y + 0.15f * line}, {x + step, at.y + 0.85f * line},
                            shade(1 - static_cast<float>(i) / (kSteps - 1)));
    }
    at.x += 4.4f * line;
    list->AddText(at, ink, map.high.c_str());
    at.x = layout.right();
    const auto entry = [&](const char* name, const auto& mark) {
        at.x -= ImGui::CalcTextSize(name).x;
        list->AddText(at, ink, name);
        at.x -= 0.8f * line;
        mark(ImVec2{at.x, at.y + line / 2});
        at.x -= line;
    };
    if (map.current) entry("now", [&](ImVec2 p) { mark_current(list, p, line); });
    if (map.best) entry("fastest", [&](ImVec2 p) { mark_best(list, p, line); });
    if (map.level_name.empty()) return;
    at = {layout.right(), layout.at.y + 1.9f * line};
    entry(map.level_name.c_str(), [&](ImVec2 p) {
        list->AddLine({p.x - 0.4f * line, p.y}, {p.x + 0.4f * line, p.y}, ink, 0.13f * line);
    });
}

}  // namespace

std::optional<std::size_t> draw_heat_map(const HeatMap& map, ImVec2 size) {
    const float line = ImGui::GetTextLineHeight();
    const Layout layout{map, ImGui::GetCursorScreenPos(), size, line};
    ImGui::InvisibleButton(map.id, size);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(layout.at, {layout.at.x + size.x, layout.at.y + size.y},
                        ImGui::GetColorU32(ImGuiCol_FrameBg, 0.5f),
                        ImGui::GetStyle().FrameRounding);
    draw_cells(list, map, layout);
    if (!map.level_name.empty()) draw_levels(list, map, layout, line);
    draw_axes(list, map, layout, line);
    draw_legend(list, map, layout, line);
    if (map.best) mark_best(list, layout.middle(*map.best), line);
    if (map.current) mark_current(list, layout.middle(*map.current), line);
    if (!ImGui::IsItemHovered()) return std::nullopt;
    const std::optional<std::size_t> under = layout.under(ImGui::GetIO().MousePos);
    if (!under || !map.cells[*under].value) return std::nullopt;
    const ImVec2 from = layout.corner(*under % layout.columns, *under / layout.columns);
    list->AddRect(from, {from.x + layout.cell.x, from.y + layout.cell.y},
                  ImGui::GetColorU32(ImGuiCol_Text), 0, 0, 0.1f * line);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(map.hover(*under).c_str());
    ImGui::EndTooltip();
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return std::nullopt;
    return under;
}

}  // namespace warpscope
