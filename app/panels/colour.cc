// SPDX-License-Identifier: MIT
// The Colour panel: how counts become colours. Nothing here iterates.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/format.h"
#include "app/panels.h"
#include "app/panels/fields.h"
#include "app/session/coloring.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr int kColumns = 2;
constexpr int kLegendColors = 158;

/// Tables cost a fraction of a millisecond each: one a frame until all are there.
void fill_swatches(PanelContext& context) {
    std::vector<PaletteSwatch>& swatches = context.ui.colour.swatches;
    const std::vector<Palette>& palettes = context.loop.palettes();
    if (swatches.size() >= palettes.size()) return;
    const PaletteTable table = tabulate(palettes[swatches.size()]);
    PaletteSwatch swatch;
    for (std::size_t i = 0; i < PaletteSwatch::kColors; ++i) {
        swatch.colors[i] = table[i * kPaletteSize / (PaletteSwatch::kColors - 1) % kPaletteSize];
    }
    swatches.push_back(swatch);
}

/// Colours side by side, each blending into the next, with rounded ends.
template <class Colors>
void draw_ramp(ImVec2 from, ImVec2 to, const Colors& colors, float rounding) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = from.x + rounding, right = to.x - rounding;
    list->AddRectFilled(from, {left, to.y}, colors.front(), rounding, ImDrawFlags_RoundCornersLeft);
    list->AddRectFilled({right, from.y}, to, colors.back(), rounding,
                        ImDrawFlags_RoundCornersRight);
    const auto last = static_cast<float>(colors.size() - 1);
    for (std::size_t i = 0; i + 1 < colors.size(); ++i) {
        const float x0 = left + (right - left) * static_cast<float>(i) / last;
        const float x1 = left + (right - left) * static_cast<float>(i + 1) / last;
        list->AddRectFilledMultiColor({x0, from.y}, {x1, to.y}, colors[i], colors[i + 1],
                                      colors[i + 1], colors[i]);
    }
}

/// The count at a share of the legend's length: logarithmic, from 1 to the limit.
double legend_count(double share, double limit) { return std::pow(limit, share); }

/// The colours of counts from 1 to the limit, through the very code that colours the picture.
std::array<ImU32, kLegendColors> legend_colors(PanelContext& context) {
    const State& state = context.state;
    std::array<Sample, kLegendColors> samples{};
    const double limit = std::max(2.0, static_cast<double>(state.scene.limit));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double count = legend_count(static_cast<double>(i) / (kLegendColors - 1), limit);
        const double whole = std::floor(count);
        samples[i] = {static_cast<std::uint32_t>(whole), static_cast<float>(count - whole)};
    }
    ColoringParams params =
        coloring_params(state.color, context.cycle_phase, state.scene.formula, kLegendColors, 1);
    params.shading = 0;  // no neighbours here
    std::array<ImU32, kLegendColors> colors{};
    colorize(samples, params, context.loop.palette_table(state.color.palette), colors);
    return colors;
}

void legend(PanelContext& context) {
    const auto colors = legend_colors(context);
    const float width = ImGui::GetContentRegionAvail().x, height = context.px(32);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 to{from.x + width, from.y + height};
    draw_ramp(from, to, colors, context.px(6));
    const double limit = std::max(2.0, static_cast<double>(context.state.scene.limit));
    ImDrawList* list = ImGui::GetWindowDrawList();
    float free_from = from.x;
    for (double power = 1; power <= limit; power *= 10) {
        const std::string text = format_count(static_cast<std::uint64_t>(power));
        const float text_width = ImGui::CalcTextSize(text.c_str()).x;
        const auto share = static_cast<float>(std::log(power) / std::log(limit));
        const float x =
            std::clamp(from.x + share * width - text_width / 2, from.x, to.x - text_width);
        if (x < free_from) continue;
        list->AddText({x, to.y + context.px(4)}, muted_ink(), text.c_str());
        free_from = x + text_width + context.px(8);
    }
    ImGui::Dummy({width, height + context.px(4) + ImGui::GetTextLineHeight()});
    if (!ImGui::IsItemHovered()) return;
    const float share = std::clamp((ImGui::GetIO().MousePos.x - from.x) / width, 0.0f, 1.0f);
    const auto count = static_cast<std::uint64_t>(legend_count(static_cast<double>(share), limit));
    tooltip(context, ("The colour of a pixel that escapes after " + format_count(count) +
                      " iterations. The axis is logarithmic and ends at the limit; computed by the "
                      "code that colours the picture.")
                         .c_str());
}

void swatch_card(PanelContext& context, std::size_t index, float width, ColorSettings& color) {
    const Palette& palette = context.loop.palettes()[index];
    const bool chosen = palette.name == color.palette;
    const float strip = context.px(24), line = ImGui::GetTextLineHeight(), gap = context.px(2);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    if (ImGui::InvisibleButton("swatch", {width, strip + gap + line})) color.palette = palette.name;
    if (ImGui::IsItemVisible()) {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 to{from.x + width, from.y + strip};
        if (index < context.ui.colour.swatches.size()) {
            draw_ramp(from, to, context.ui.colour.swatches[index].colors, context.px(6));
        } else {
            list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg), context.px(6));
        }
        if (chosen || ImGui::IsItemHovered()) {
            const float out = context.px(2);
            list->AddRect({from.x - out, from.y - out}, {to.x + out, to.y + out},
                          chosen ? ImGui::GetColorU32(ImGuiCol_SliderGrab) : muted_ink(),
                          context.px(8), 0, context.px(2));
        }
        list->AddText({from.x, to.y + gap},
                      chosen ? ImGui::GetColorU32(ImGuiCol_Text) : muted_ink(),
                      elided((chosen ? "• " : "") + palette.name, width).c_str());
    }
    tooltip(context, chosen ? "The palette in use." : "Click to colour the picture with this.");
    ImGui::PopID();
}

void palette_section(PanelContext& context, ColorSettings& color) {
    section(context, "Palette");
    ImGui::Dummy({0, 0});
    const float width = std::floor(share_of_width(kColumns));
    for (std::size_t i = 0; i < context.loop.palettes().size(); ++i) {
        if (i % kColumns != 0) ImGui::SameLine();
        swatch_card(context, i, width, color);
    }
}

void mapping_section(PanelContext& context, ColorSettings& color) {
    const ColorSettings normal;
    section(context, "From count to colour");
    segments(
        context, "transfer", color.transfer,
        {{"Linear", "Colours run evenly with the count: fine far from the set, noise near it."},
         {"Root", "The square root of the count: slower where counts grow."},
         {"Log", "The logarithm of the count: even steps across magnitudes, calm near the set."}});
    slider(context, "Density", color.density, {1e-5f, 10, normal.density, true, "%.3g turns"},
           "How many turns of the palette one step of the count above takes. Low for slow "
           "gradients, high for many rings.");
    slider(context, "Offset", color.offset, {0, 1, normal.offset, false, "%.3f turns"},
           "Where in the palette counting begins.");
    toggle(context, "Smooth", color.smooth,
           "Uses the fraction beside the count, from how far the point overshot the bailout "
           "radius. Off shows the bands of equal whole counts.");
    slider(context, "Edge shading", color.shading, {0, 1, normal.shading, false, "%.2f"},
           "Darkens pixels near the set by their estimated distance to it: filaments thinner than "
           "a pixel become visible. Taken from neighbouring counts while drawing.");
    ImGui::TextUnformatted("Inside");
    tooltip(context, "The colour of pixels that never escaped within the limit.");
    ImGui::SetNextItemWidth(-1);
    ImGui::ColorEdit3("##inside", color.interior, ImGuiColorEditFlags_DisplayHex);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
        std::copy_n(normal.interior, 3, color.interior);
    }
}

void cycling_section(PanelContext& context, ColorSettings& color) {
    section(context, "Cycling");
    toggle(context, "Cycle the palette", color.cycling,
           "Moves the offset with time: the picture flows, and still not one iteration is "
           "computed for it.");
    ImGui::BeginDisabled(!color.cycling);
    slider(context, "Speed", color.cycle_speed,
           {-2, 2, ColorSettings{}.cycle_speed, false, "%.2f turns/s"},
           "Turns of the palette per second; negative runs backwards.");
    ImGui::EndDisabled();
}

/// The proof that colours are free: a counter that stands still.
void proof_section(PanelContext& context) {
    section(context, "What it costs");
    note(context,
         "No edit here computes an iteration: counts stay in the buffer, and the shader colours "
         "them anew in every frame that is drawn.");
    value_row(context, "Frames computed", format_count(context.loop.frames_computed()),
              "Frames that the backend iterated since the start. In Live it runs on by itself; "
              "paused or in Economy it stands still while you change colours: that is the proof.");
    const std::optional<double> draw = context.loop.log().median(&FrameCost::draw, 60);
    value_row(context, "Colouring a frame", draw ? format_ms(*draw) : "—",
              "Median time of the colouring shader over the last 60 frames, from OpenGL's "
              "timestamps. This is all that a change of colour costs.");
    bool paused = context.state.paused;
    if (toggle(context, "Pause computing", paused,
               "Stops the iterations (P). The counter stands; the colours go on changing.")) {
        context.commands.emplace_back(TogglePause{});
    }
}

}  // namespace

void colour_panel(PanelContext& context) {
    fill_swatches(context);
    ColorSettings color = context.state.color;
    big_number(context, color.palette, "palette, over the count of iterations",
               "Each pixel holds the number of iterations after which it escaped. Everything in "
               "this panel says how that number becomes a colour.");
    legend(context);
    palette_section(context, color);
    mapping_section(context, color);
    cycling_section(context, color);
    ImGui::Dummy({0, context.px(4)});
    const std::string why_not = color == ColorSettings{} ? "These are the defaults already." : "";
    if (button(context, "Back to the defaults", why_not, "Resets every control of this panel.")) {
        color = {};
    }
    proof_section(context);
    if (!(color == context.state.color)) context.commands.emplace_back(SetColor{color});
}

}  // namespace warpscope
