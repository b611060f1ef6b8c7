// SPDX-License-Identifier: MIT
#include "app/theme.h"

#include <fontconfig/fontconfig.h>

#include <cmath>
#include <memory>
#include <string>

namespace warpscope {
namespace {

constexpr float kTextSize = 15, kMonoSize = 15, kBigSize = 26;

void set_colors(Theme theme) {
    ImGuiStyle& style = ImGui::GetStyle();
    const bool dark = theme == Theme::kDark;
    if (dark) {
        ImGui::StyleColorsDark(&style);
    } else {
        ImGui::StyleColorsLight(&style);
    }
    const auto gray = [dark](float in_dark, float in_light, float alpha) {
        const float v = dark ? in_dark : in_light;
        return ImVec4{v, v, v, alpha};
    };
    const ImVec4 accent = ImGui::ColorConvertU32ToFloat4(dark ? Ink::kAccent : Ink::kBlue);
    const auto tint = [accent](float alpha) { return ImVec4{accent.x, accent.y, accent.z, alpha}; };
    ImVec4* colors = style.Colors;
    colors[ImGuiCol_WindowBg] = gray(0.09f, 0.96f, 0.92f);
    colors[ImGuiCol_PopupBg] = gray(0.12f, 0.99f, 0.98f);
    colors[ImGuiCol_Text] = gray(0.93f, 0.10f, 1);
    colors[ImGuiCol_TextDisabled] = gray(0.60f, 0.42f, 1);
    colors[ImGuiCol_FrameBg] = gray(0.18f, 0.88f, 1);
    colors[ImGuiCol_FrameBgHovered] = gray(0.24f, 0.83f, 1);
    colors[ImGuiCol_FrameBgActive] = gray(0.28f, 0.79f, 1);
    colors[ImGuiCol_Button] = gray(0.20f, 0.86f, 1);
    colors[ImGuiCol_ButtonHovered] = gray(0.27f, 0.80f, 1);
    colors[ImGuiCol_ButtonActive] = tint(0.55f);
    colors[ImGuiCol_Header] = gray(0.20f, 0.87f, 1);
    colors[ImGuiCol_HeaderHovered] = gray(0.26f, 0.82f, 1);
    colors[ImGuiCol_HeaderActive] = tint(0.45f);
    colors[ImGuiCol_SliderGrab] = tint(0.9f);
    colors[ImGuiCol_SliderGrabActive] = tint(1);
    colors[ImGuiCol_CheckMark] = tint(1);
    colors[ImGuiCol_PlotHistogram] = tint(0.9f);
    colors[ImGuiCol_Separator] = gray(0.24f, 0.80f, 1);
    colors[ImGuiCol_ResizeGrip] = gray(0.3f, 0.7f, 0.4f);
    colors[ImGuiCol_ScrollbarBg] = gray(0.09f, 0.96f, 0);
    colors[ImGuiCol_ScrollbarGrab] = gray(0.32f, 0.72f, 1);
    colors[ImGuiCol_TextSelectedBg] = tint(0.35f);
    colors[ImGuiCol_NavHighlight] = tint(0.8f);
}

void set_sizes(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = {16, 12};
    style.FramePadding = {8, 5};
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {8, 6};
    style.ScrollbarSize = 12;
    style.GrabMinSize = 12;
    style.WindowBorderSize = 0;
    style.FrameBorderSize = 0;
    style.PopupBorderSize = 0;
    style.ChildBorderSize = 0;
    style.WindowRounding = 0;
    style.ChildRounding = 6;
    style.FrameRounding = 6;
    style.PopupRounding = 6;
    style.GrabRounding = 6;
    style.ScrollbarRounding = 6;
    style.ScaleAllSizes(scale);
}

ImFont* load_font(const std::filesystem::path& path, float pixels) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (!path.empty()) {
        // Latin, the punctuation and arrows of our own texts, and the Greek of mathematics.
        static constexpr ImWchar kRanges[] = {0x0020, 0x00ff, 0x0370, 0x03ff, 0x2010,
                                              0x2027, 0x2070, 0x209f, 0x2190, 0x21ff,
                                              0x2200, 0x22ff, 0};
        ImFontConfig config;
        config.OversampleH = 2;
        config.OversampleV = 1;
        if (ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), pixels, &config, kRanges)) {
            return font;
        }
    }
    ImFontConfig config;
    config.SizePixels = std::floor(pixels);
    return atlas.AddFontDefault(&config);
}

}  // namespace

ImU32 muted_ink() { return ImGui::GetColorU32(ImGuiCol_TextDisabled); }

std::filesystem::path find_font(const char* family, const char* style) {
    const std::unique_ptr<FcConfig, decltype(&FcConfigDestroy)> config{FcInitLoadConfigAndFonts(),
                                                                       &FcConfigDestroy};
    if (!config) return {};
    const std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> wanted{
        FcNameParse(
            reinterpret_cast<const FcChar8*>((std::string{family} + ":style=" + style).c_str())),
        &FcPatternDestroy};
    if (!wanted) return {};
    FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    const std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> match{
        FcFontMatch(config.get(), wanted.get(), &result), &FcPatternDestroy};
    FcChar8* file = nullptr;
    if (!match || FcPatternGetString(match.get(), FC_FILE, 0, &file) != FcResultMatch) return {};
    const std::filesystem::path path = reinterpret_cast<const char*>(file);
    // Bitmap and collection formats are not for ImGui's loader.
    const std::string ending = path.extension().string();
    return ending == ".ttf" || ending == ".otf" ? path : std::filesystem::path{};
}

Look apply_look(Theme theme, float scale, float density) {
    ImGui::GetStyle() = ImGuiStyle{};
    set_sizes(scale);
    set_colors(theme);
    // Glyphs are drawn as fine as the screen is, and shown at their size in units.
    ImGui::GetIO().FontGlobalScale = 1 / density;
    ImGui::GetIO().Fonts->Clear();
    const float pixels = scale * density;
    Look look;
    look.scale = scale;
    look.text = load_font(find_font("Inter,Noto Sans,DejaVu Sans,sans-serif", "Regular"),
                          std::round(kTextSize * pixels));
    look.mono = load_font(find_font("JetBrains Mono,DejaVu Sans Mono,monospace", "Regular"),
                          std::round(kMonoSize * pixels));
    look.big = load_font(find_font("Inter,Noto Sans,DejaVu Sans,sans-serif", "Semi Bold,Bold"),
                         std::round(kBigSize * pixels));
    return look;
}

}  // namespace warpscope
