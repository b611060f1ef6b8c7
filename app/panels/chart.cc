// SPDX-License-Identifier: MIT
#include "app/panels/chart.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>

#include "app/format.h"
#include "app/panels/ticks.h"
#include "app/theme.h"

namespace warpscope {
namespace {

/// One axis laid along pixels.
class AxisMap {
  public:
    AxisMap(const ChartAxis& axis, float low, float high, float from_px, float to_px)
        : log_{axis.scale == Scale::kLog}, from_{from_px}, to_{to_px} {
        low = axis.min.value_or(low);
        high = axis.max.value_or(high);
        if (log_) {
            low = std::max(low, 1e-9f);
            high = std::max(high, low * 1.01f);
            low_ = std::log10(low);
            high_ = std::log10(high);
        } else {
            low_ = low;
            high_ = high > low ? high : low + 1;
        }
    }

    float pixel(float value) const {
        const float v = log_ ? std::log10(std::max(value, 1e-9f)) : value;
        return from_ + (to_ - from_) * (v - low_) / (high_ - low_);
    }

    /// Round values within the range, few enough to label.
    std::vector<float> ticks(int wanted) const {
        std::vector<float> values;
        if (log_) return powers(high_ - low_ < 2 ? 2.0f : 10.0f);
        const float raw = (high_ - low_) / static_cast<float>(wanted);
        const float step = round_step(raw);
        for (float v = std::ceil(low_ / step) * step; v <= high_ + 1e-3f * step; v += step) {
            values.push_back(std::abs(v) < 1e-6f * step ? 0 : v);
        }
        return values;
    }

  private:
    /// Whole powers of `base` within the range.
    std::vector<float> powers(float base) const {
        std::vector<float> values;
        const float unit = std::log10(base);
        for (float e = std::ceil(low_ / unit - 1e-3f); e * unit <= high_ + 1e-3f; e += 1) {
            values.push_back(std::pow(base, e));
        }
        return values;
    }

    bool log_;
    float from_, to_, low_ = 0, high_ = 1;
};

struct Bounds {
    float low = FLT_MAX, high = -FLT_MAX;
    void take(float value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
};

std::string tick_text(float value) {
    static constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    if (std::abs(value) >= 0.99999e5f) {
        for (; std::abs(value) >= 999.99f && prefix + 1 < kPrefixes.size(); ++prefix) value /= 1000;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g%s", static_cast<double>(value),
                  kPrefixes[prefix]);
    return text.data();
}

/// Places and texts along the horizontal axis.
std::vector<std::pair<float, std::string>> labels(const ChartAxis& axis, const AxisMap& map,
                                                  int wanted) {
    std::vector<std::pair<float, std::string>> all;
    for (std::size_t i = 0; i < axis.names.size(); ++i) {
        all.emplace_back(static_cast<float>(i + 1), axis.names[i]);
    }
    if (!all.empty()) return all;
    for (const float value : map.ticks(wanted)) all.emplace_back(value, tick_text(value));
    return all;
}

/// Everything one drawing needs.
struct Canvas {
    ImDrawList* list;
    ImVec2 top_left, bottom_right;  // of the plot inside the axes
    AxisMap x, y, right;
    const AxisMap& vertical(const ChartSeries& series) const {
        return series.right_axis ? right : y;
    }
    ImVec2 place(const ChartSeries& series, ImVec2 p) const {
        return {x.pixel(p.x), vertical(series).pixel(p.y)};
    }
};

void draw_axes(const Canvas& canvas, const Chart& chart) {
    const ImU32 ink = muted_ink();
    const ImU32 grid = ImGui::GetColorU32(ImGuiCol_Separator, 0.6f);
    const float line = ImGui::GetTextLineHeight();
    const auto width = canvas.bottom_right.x - canvas.top_left.x;
    const int wanted = std::max(2, static_cast<int>(width / (4 * line)));
    for (const auto& [value, text] : labels(chart.x, canvas.x, wanted)) {
        const float px = canvas.x.pixel(value);
        canvas.list->AddLine({px, canvas.top_left.y}, {px, canvas.bottom_right.y}, grid);
        canvas.list->AddText(
            {px - ImGui::CalcTextSize(text.c_str()).x / 2, canvas.bottom_right.y + 0.2f * line},
            ink, text.c_str());
    }
    for (const float v : canvas.y.ticks(4)) {
        const float py = canvas.y.pixel(v);
        const std::string text = tick_text(v);
        canvas.list->AddLine({canvas.top_left.x, py}, {canvas.bottom_right.x, py}, grid);
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        canvas.list->AddText({canvas.top_left.x - size.x - 0.3f * line, py - size.y / 2}, ink,
                             text.c_str());
    }
    if (chart.right) {
        for (const float v : canvas.right.ticks(4)) {
            const std::string text = tick_text(v);
            canvas.list->AddText({canvas.bottom_right.x + 0.3f * line,
                                  canvas.right.pixel(v) - ImGui::CalcTextSize(text.c_str()).y / 2},
                                 ink, text.c_str());
        }
    }
}

void draw_series(const Canvas& canvas, const ChartSeries& series) {
    const float line = ImGui::GetTextLineHeight();
    // Smoothed edges would show as seams between the pieces of an area.
    const ImDrawListFlags flags = canvas.list->Flags;
    if (series.mark == Mark::kArea) canvas.list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    ImVec2 before{};
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const ImVec2 p = canvas.place(series, series.points[i]);
        switch (series.mark) {
            case Mark::kPoints:
                canvas.list->AddCircleFilled(p, 0.2f * line, series.color, 12);
                break;
            case Mark::kBars: {
                const float half =
                    std::max(1.0f, 0.35f * (canvas.bottom_right.x - canvas.top_left.x) /
                                       static_cast<float>(series.points.size()));
                canvas.list->AddRectFilled({p.x - half, p.y}, {p.x + half, canvas.bottom_right.y},
                                           series.color);
                break;
            }
            case Mark::kArea:
                if (i > 0) {
                    canvas.list->AddQuadFilled(before, p, {p.x, canvas.bottom_right.y},
                                               {before.x, canvas.bottom_right.y}, series.color);
                }
                break;
            case Mark::kLine:
                if (i > 0) canvas.list->AddLine(before, p, series.color, 0.12f * line);
                break;
        }
        before = p;
    }
    canvas.list->Flags = flags;
}

struct Box {
    ImVec2 min, max;
    bool meets(const Box& other) const {
        return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y &&
               other.min.y < max.y;
    }
};

Box text_box(const Canvas& canvas, const ChartText& text) {
    const float gap = 0.4f * ImGui::GetTextLineHeight();
    const ImVec2 size = ImGui::CalcTextSize(text.text.c_str());
    const ImVec2 p{canvas.x.pixel(text.at.x), canvas.y.pixel(text.at.y)};
    ImVec2 anchor = text.anchor;
    if (anchor.x < 0.5f && p.x + gap + size.x > canvas.bottom_right.x) anchor.x = 1 - anchor.x;
    const ImVec2 at{p.x - size.x * anchor.x + gap * (1 - 2 * anchor.x),
                    p.y - size.y * anchor.y + gap * (0.5f - anchor.y)};
    return {at, {at.x + size.x, at.y + size.y}};
}

void draw_texts(const Canvas& canvas, const Chart& chart) {
    std::vector<Box> taken;
    for (const ChartText& text : chart.texts) {
        const Box box = text_box(canvas, text);
        if (std::ranges::any_of(taken, [&box](const Box& other) { return box.meets(other); })) {
            continue;
        }
        taken.push_back(box);
        canvas.list->AddText(box.min, ImGui::GetColorU32(ImGuiCol_Text), text.text.c_str());
    }
}

bool named(const Chart& chart) {
    return std::ranges::any_of(chart.series, [](const ChartSeries& series) {
        return !series.points.empty() && !series.name.empty();
    });
}

/// Names above the plot, each behind a swatch of its shape: never colour alone.
void draw_legend(const Canvas& canvas, const Chart& chart, ImVec2 at) {
    const float line = ImGui::GetTextLineHeight();
    for (const ChartSeries& series : chart.series) {
        if (series.points.empty() || series.name.empty()) continue;
        const ImVec2 middle{at.x + 0.45f * line, at.y + 0.5f * line};
        if (series.mark == Mark::kPoints) {
            canvas.list->AddCircleFilled(middle, 0.25f * line, series.color, 12);
        } else if (series.mark == Mark::kLine) {
            canvas.list->AddLine({middle.x - 0.4f * line, middle.y},
                                 {middle.x + 0.4f * line, middle.y}, series.color, 0.15f * line);
        } else {
            canvas.list->AddRectFilled({middle.x - 0.3f * line, middle.y - 0.3f * line},
                                       {middle.x + 0.3f * line, middle.y + 0.3f * line},
                                       series.color);
        }
        canvas.list->AddText({at.x + 1.1f * line, at.y}, ImGui::GetColorU32(ImGuiCol_Text),
                             series.name.c_str());
        at.x += 1.9f * line + ImGui::CalcTextSize(series.name.c_str()).x;
    }
}

std::optional<ChartHit> nearest(const Canvas& canvas, const Chart& chart) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float reach = 1.2f * ImGui::GetTextLineHeight();
    float best = FLT_MAX;
    std::optional<ChartHit> hit;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        const bool whole_column = series.mark != Mark::kPoints;
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const ImVec2 p = canvas.place(series, series.points[i]);
            const float dx = std::abs(p.x - mouse.x), dy = std::abs(p.y - mouse.y);
            // A point within reach comes before any line.
            const float distance = whole_column ? dx + 0.01f * dy : std::hypot(dx, dy) - reach;
            if (distance > (whole_column ? 4 * reach : 0) || distance >= best) continue;
            best = distance;
            hit = ChartHit{s, i, ImGui::IsMouseClicked(ImGuiMouseButton_Left)};
        }
    }
    return hit;
}

void show_hit(const Canvas& canvas, const Chart& chart, const ChartHit& hit) {
    const ChartSeries& series = chart.series[hit.series];
    const ImVec2 value = series.points[hit.point];
    const float line = ImGui::GetTextLineHeight();
    canvas.list->AddCircle(canvas.place(series, value), 0.4f * line,
                           ImGui::GetColorU32(ImGuiCol_Text), 16, 0.1f * line);
    std::string text;
    if (chart.hover) {
        text = chart.hover(hit.series, hit.point);
    } else {
        const ChartAxis& vertical = series.right_axis && chart.right ? *chart.right : chart.y;
        text = series.name + "\n" + chart.x.label + ": " + tick_text(value.x) + "\n" +
               vertical.label + ": " + tick_text(value.y);
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(20 * ImGui::GetTextLineHeight());
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

Bounds bounds_of(const Chart& chart, bool right, bool horizontal) {
    Bounds bounds;
    for (const ChartSeries& series : chart.series) {
        if (!horizontal && series.right_axis != right) continue;
        for (const ImVec2 p : series.points) bounds.take(horizontal ? p.x : p.y);
    }
    if (chart.current && !right) bounds.take(horizontal ? chart.current->x : chart.current->y);
    return bounds;
}

}  // namespace

std::optional<ChartHit> draw_chart(const Chart& chart, ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::InvisibleButton(chart.id, size);
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                        ImGui::GetColorU32(ImGuiCol_FrameBg, 0.5f),
                        ImGui::GetStyle().FrameRounding);
    const Bounds x = bounds_of(chart, false, true);
    if (x.empty()) {
        const char* text = "nothing measured yet";
        const ImVec2 box = ImGui::CalcTextSize(text);
        list->AddText({at.x + (size.x - box.x) / 2, at.y + (size.y - box.y) / 2}, muted_ink(),
                      text);
        return std::nullopt;
    }
    const Bounds y = bounds_of(chart, false, false), right = bounds_of(chart, true, false);
    const float legend = named(chart) ? 1.2f * line : 0;  // its height
    const ImVec2 top_left{at.x + 3.4f * line, at.y + legend + 1.8f * line};
    const ImVec2 bottom_right{at.x + size.x - (chart.right ? 3.2f : 0.9f) * line,
                              at.y + size.y - 2.6f * line};
    const auto headroom = [](const Bounds& b, const ChartAxis& axis) {
        return axis.scale == Scale::kLog ? b.high * 1.2f : b.high + 0.08f * std::abs(b.high);
    };
    const ChartAxis right_axis = chart.right.value_or(ChartAxis{});
    const float floor_y = chart.y.scale == Scale::kLog ? y.low / 1.2f : std::min(0.0f, y.low);
    const Canvas canvas{list,
                        top_left,
                        bottom_right,
                        AxisMap{chart.x, x.low, x.high, top_left.x, bottom_right.x},
                        AxisMap{chart.y, floor_y, headroom(y, chart.y), bottom_right.y, top_left.y},
                        AxisMap{right_axis, 0, right.empty() ? 1 : headroom(right, right_axis),
                                bottom_right.y, top_left.y}};
    draw_axes(canvas, chart);
    list->PushClipRect({top_left.x - line, top_left.y - line},
                       {bottom_right.x + line, bottom_right.y + 1}, true);
    for (const ChartSeries& series : chart.series) draw_series(canvas, series);
    list->PopClipRect();
    const ImU32 ink = muted_ink();
    draw_legend(canvas, chart, {at.x + 0.6f * line, at.y + 0.4f * line});
    list->AddText({at.x + 0.6f * line, at.y + legend + 0.4f * line}, ink, chart.y.label.c_str());
    if (chart.right) {
        const float width = ImGui::CalcTextSize(chart.right->label.c_str()).x;
        list->AddText({at.x + size.x - width - 0.6f * line, at.y + legend + 0.4f * line}, ink,
                      chart.right->label.c_str());
    }
    const float label_width = ImGui::CalcTextSize(chart.x.label.c_str()).x;
    list->AddText({(top_left.x + bottom_right.x - label_width) / 2, bottom_right.y + 1.3f * line},
                  ink, chart.x.label.c_str());
    if (chart.current) {
        const ImVec2 p{canvas.x.pixel(chart.current->x), canvas.y.pixel(chart.current->y)};
        list->AddLine({p.x, top_left.y}, {p.x, bottom_right.y}, Ink::kVermilion, 0.1f * line);
        list->AddNgonFilled(p, 0.4f * line, Ink::kVermilion, 4);
    }
    draw_texts(canvas, chart);
    if (!ImGui::IsItemHovered()) return std::nullopt;
    const std::optional<ChartHit> hit = nearest(canvas, chart);
    if (hit) show_hit(canvas, chart, *hit);
    return hit;
}

void draw_stacked_bar(const char* id, const std::vector<BarPart>& parts, ImVec2 size,
                      double full_scale_ms) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, size);
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float rounding = ImGui::GetStyle().FrameRounding;
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                        rounding);
    double sum = 0;
    for (const BarPart& part : parts) sum += part.ms;
    const double scale = size.x / std::max({full_scale_ms, sum, 1e-9});
    float left = at.x;
    for (const BarPart& part : parts) {
        const float right = left + static_cast<float>(part.ms * scale);
        list->AddRectFilled({left, at.y}, {right, at.y + size.y}, part.color);
        const ImVec2 text = ImGui::CalcTextSize(part.name.c_str());
        if (text.x + 8 < right - left) {
            list->AddText({left + (right - left - text.x) / 2, at.y + (size.y - text.y) / 2},
                          IM_COL32(15, 15, 15, 255), part.name.c_str());
        }
        const float mouse = ImGui::GetIO().MousePos.x;
        if (hovered && mouse >= left && mouse < right) {
            ImGui::BeginTooltip();
            ImGui::Text("%s  %s", part.name.c_str(), format_ms(part.ms).c_str());
            ImGui::PushTextWrapPos(20 * ImGui::GetTextLineHeight());
            ImGui::TextUnformatted(part.tooltip.c_str());
            ImGui::PopTextWrapPos();
            ImGui::EndTooltip();
        }
        left = right;
    }
}

}  // namespace warpscope
