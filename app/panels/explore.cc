// SPDX-License-Identifier: MIT
// The Explore panel: where the view is, where it can go, what is iterated and how.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/format.h"
#include "app/panels.h"
#include "app/panels/coordinates.h"
#include "app/panels/fields.h"
#include "app/panels/places.h"
#include "app/session/clamp.h"
#include "app/session/location.h"
#include "app/theme.h"

namespace warpscope {
namespace {

int height_of(const PanelContext& context) { return std::max(context.framebuffer.height, 1); }

std::string centre_line(const BigFloat& part, const char* unit, int digits) {
    const std::string text = part.to_string(digits);
    return (text.starts_with('-') ? "" : " ") + text + unit;
}

/// The centre in digits that matter here, wrapped where they are many.
void draw_centre(PanelContext& context) {
    const View& view = context.state.scene.view;
    const int digits = center_digits(view, context.framebuffer.height);
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted("centre");
    ImGui::PopStyleColor();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {context.px(8), context.px(2)});
    ImGui::PushFont(context.look.mono);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(centre_line(view.re, "", digits).c_str());
    ImGui::TextUnformatted(centre_line(view.im, " i", digits).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    tooltip(context,
            "The point in the middle of the window, in as many digits as a hundredth of a pixel "
            "needs. It is kept as an arbitrary-precision number, so nothing is lost on the way in "
            "or out.");
}

void paste_place(PanelContext& context) {
    ExploreFields& fields = context.ui.explore;
    fields.go_problem.clear();
    const char* text = ImGui::GetClipboardText();
    try {
        const Location location = parse_location(text != nullptr ? text : "");
        context.commands.emplace_back(SetScene{location.scene, height_of(context)});
        if (location.color) context.commands.emplace_back(SetColor{*location.color});
    } catch (const std::exception& error) {
        fields.go_problem = std::string{"The clipboard holds no place: "} + error.what();
    }
}

void view_buttons(PanelContext& context) {
    const float width = share_of_width(3);
    if (button(context, "Home", "", "The whole set of this formula (Home key).", width)) {
        context.commands.emplace_back(GoHome{});
    }
    ImGui::SameLine();
    if (button(context, "Copy", "",
               "Copies this place as text: the full centre, zoom, formula, limits and colours. "
               "Saved as a .toml file it is what `warpscope FILE.toml` opens.",
               width)) {
        Location place;
        place.scene = context.state.scene;
        place.color = context.state.color;
        ImGui::SetClipboardText(to_toml(place).c_str());
    }
    ImGui::SameLine();
    if (button(context, "Paste", "",
               "Goes to a place that was copied here or written by hand; re, im and zoom are "
               "enough.",
               width)) {
        paste_place(context);
    }
}

void go_to(PanelContext& context) {
    ExploreFields& fields = context.ui.explore;
    const View& view = context.state.scene.view;
    const int digits = std::min(center_digits(view, context.framebuffer.height), 24);
    const char* about =
        "A decimal number of any length, such as -0.743643887037151 or 1.2e-9. An empty field "
        "keeps what is there now. Enter goes.";
    bool go = text_field(context, "Real part", view.re.to_string(digits).c_str(), fields.re, about);
    go |=
        text_field(context, "Imaginary part", view.im.to_string(digits).c_str(), fields.im, about);
    go |= text_field(context, "Zoom", format_zoom(view.zoom.log2_abs()).c_str(), fields.zoom,
                     "A decimal number above 0, such as 1.5 or 3e12. The half-height of the view "
                     "is 2/zoom.");
    go |= button(context, "Go there", "", "Takes the view to these coordinates (Enter).");
    if (!go) return;
    try {
        const View target = typed_view(view, fields.re, fields.im, fields.zoom);
        context.commands.emplace_back(SetView{target, height_of(context)});
        fields.go_problem.clear();
    } catch (const NumberError& error) {
        fields.go_problem = error.what();
    }
}

void view_section(PanelContext& context) {
    const View& view = context.state.scene.view;
    std::array<char, 64> caption{};
    std::snprintf(caption.data(), caption.size(), "zoom, the view is %.3g high",
                  (BigFloat{4} / view.zoom).to_double());
    big_number(context, format_zoom(view.zoom.log2_abs()) + "×", caption.data(),
               "The view is 4/zoom units of the complex plane high. The deeper, the more digits "
               "the numbers need, and the more iterations the picture.");
    draw_centre(context);
    view_buttons(context);
    if (details(context, "Go to coordinates")) go_to(context);
    problem(context, context.ui.explore.go_problem);
}

void formula_choice(PanelContext& context) {
    std::vector<std::string> titles;
    for (const FormulaInfo& row : kFormulas) titles.emplace_back(row.title);
    int index = static_cast<int>(context.state.scene.formula);
    if (choose(context, "Set", index, titles,
               "What is repeated for every pixel: z becomes this function of z and c. Each has its "
               "own set; on the GPU each is a kernel of its own.")) {
        context.commands.emplace_back(SetFormula{static_cast<Formula>(index)});
    }
}

/// c on two sliders: the set changes shape as they move.
void julia_sliders(PanelContext& context) {
    const Scene& scene = context.state.scene;
    const char* about =
        "The constant c of the Julia set: the same for all pixels, which now are the starting "
        "point z. Move it slowly near the edge of the Mandelbrot set and watch the set break.";
    auto re = static_cast<float>(scene.julia_re.to_double());
    auto im = static_cast<float>(scene.julia_im.to_double());
    const bool moved_re = slider(context, "c, real part", re, {-2, 2, -0.8f, false, "%.6f"}, about);
    const bool moved_im =
        slider(context, "c, imaginary part", im, {-2, 2, 0.156f, false, "%.6f"}, about);
    if (!moved_re && !moved_im) return;
    // Through short decimals: what is shown is what is computed.
    const auto exact = [](float value) { return BigFloat::parse(std::to_string(value)); };
    context.commands.emplace_back(
        SetJulia{moved_re ? exact(re) : scene.julia_re, moved_im ? exact(im) : scene.julia_im});
}

void julia_fields(PanelContext& context) {
    ExploreFields& fields = context.ui.explore;
    const Scene& scene = context.state.scene;
    const char* about = "A decimal number of any length; an empty field keeps what is there now.";
    bool go = text_field(context, "c, real part", scene.julia_re.to_string(20).c_str(),
                         fields.julia_re, about);
    go |= text_field(context, "c, imaginary part", scene.julia_im.to_string(20).c_str(),
                     fields.julia_im, about);
    go |= button(context, "Set c", "", "Shows the Julia set of this c (Enter).");
    problem(context, fields.julia_problem);
    if (!go) return;
    try {
        View now;
        now.re = scene.julia_re;
        now.im = scene.julia_im;
        const View c = typed_view(now, fields.julia_re, fields.julia_im, "");
        context.commands.emplace_back(SetJulia{c.re, c.im});
        fields.julia_problem.clear();
    } catch (const NumberError& error) {
        fields.julia_problem = error.what();
    }
}

void julia_part(PanelContext& context) {
    const Scene& scene = context.state.scene;
    bool julia = scene.julia;
    if (toggle(context, "Julia set", julia,
               "A Julia set keeps c and starts z at the pixel; the formula's own set keeps z = 0 "
               "and takes c from the pixel. Every point of the one has a picture in the other.")) {
        if (julia) {
            context.commands.emplace_back(SetJulia{scene.julia_re, scene.julia_im});
        } else {
            context.commands.emplace_back(LeaveJulia{});
        }
    }
    if (!scene.julia) {
        if (button(context, "Julia set of the point in the middle", "",
                   "Takes c from the centre of this view. Points on the edge of the set give the "
                   "richest Julia sets.")) {
            context.commands.emplace_back(SetJulia{scene.view.re, scene.view.im});
        }
        return;
    }
    julia_sliders(context);
    if (details(context, "c in full length")) julia_fields(context);
}

/// The slider ends at a million; what is typed may go to the limit of the limit.
void limit_control(PanelContext& context) {
    constexpr int kSliderEnd = 1'000'000;
    int limit = static_cast<int>(context.state.scene.limit);
    if (slider(context, "Iteration limit", limit,
               {1, kSliderEnd, 1000, true, static_cast<int>(kMaxLimit)},
               "The most iterations a pixel gets before it counts as inside. Too low and the "
               "set looks fat; too high and inside pixels cost time: every one runs to the "
               "limit. Double click to type up to 1,000,000,000.")) {
        context.commands.emplace_back(SetLimit{limit});
    }
}

void iteration_section(PanelContext& context) {
    section(context, "Iteration");
    limit_control(context);
    auto bailout = static_cast<float>(context.state.scene.bailout);
    if (slider(
            context, "Bailout radius", bailout,
            {static_cast<float>(kMinBailout), static_cast<float>(kMaxBailout), 256, true, "%.4g"},
            "A pixel has escaped when |z| exceeds this. 2 is enough for the set itself; larger "
            "costs a few iterations more and makes colours and distances smooth.")) {
        context.commands.emplace_back(SetBailout{static_cast<double>(bailout)});
    }
    ImGui::TextUnformatted("Number type");
    tooltip(context,
            "Float has 24 significant bits, double 53. A GPU does float far faster, most by 2 to "
            "64 times; a pixel must stay a number of its own, or the picture turns to blocks.");
    int precision = static_cast<int>(context.state.scene.precision);
    if (segments(context, "precision", precision,
                 {{"Auto", "The cheapest type whose pixels are still distinct numbers."},
                  {"Float", "32 bits, always. Fast, and blocky when the zoom is too deep."},
                  {"df64", "Two floats as one number, 48 bits. Pays where double is slow."},
                  {"Double", "64 bits, always. Compare its time with Float's on this view."}})) {
        context.commands.emplace_back(SetPrecision{static_cast<PrecisionChoice>(precision)});
    }
    note(context, precision_sentence(context.state.scene, height_of(context),
                                     context.loop.explorer().df64_speed()));
}

void pace_section(PanelContext& context) {
    section(context, "Pace");
    Settings settings = context.state.settings;
    int pace = static_cast<int>(settings.pace);
    if (segments(context, "pace", pace,
                 {{"Live", "Computes every frame anew, so that times move as you watch (L)."},
                  {"Economy",
                   "Computes only when something changes (L). Live turns to it by itself "
                   "while the window is not in front."}})) {
        settings.pace = static_cast<Pace>(pace);
    }
    bool paused = context.state.paused;
    if (toggle(context, "Pause computing", paused,
               "Keeps the samples that are there (P). Colours and reprojection go on: they need no "
               "iteration.")) {
        context.commands.emplace_back(TogglePause{});
    }
    toggle(context, "Anti-aliasing at rest", settings.antialias,
           "While the view rests, each frame adds one more sample to every pixel, up to 64, at "
           "another place within it (A). The picture is their mean, taken in linear light. Off "
           "while colours cycle and where a frame takes longer than half a second.");
    toggle(context, "Wait for the display (vsync)", settings.vsync,
           "One frame per refresh of the monitor, without tearing. Off, frames come as fast as "
           "they are made, and the frame time shows what they really take.");
    section(context, "Movement");
    auto factor = static_cast<float>(settings.wheel_factor);
    if (slider(context, "Zoom per wheel notch", factor, {1.01f, 10, 1.25f, true, "%.2f×"},
               "How much one notch of the wheel zooms, about the point under the cursor.")) {
        settings.wheel_factor = static_cast<double>(factor);
    }
    toggle(context, "Glide", settings.animate_zoom,
           "Spreads a notch over a few frames. The last frame is reprojected until the new one is "
           "there, so the picture answers at once either way.");
    if (!(settings == context.state.settings)) context.commands.emplace_back(SetSettings{settings});
}

}  // namespace

void explore_panel(PanelContext& context) {
    view_section(context);
    places_section(context);
    section(context, "Formula");
    formula_choice(context);
    julia_part(context);
    iteration_section(context);
    pace_section(context);
}

}  // namespace warpscope
