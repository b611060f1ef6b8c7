// SPDX-License-Identifier: MIT
// Fonts, colours and sizes.
#pragma once

#include <imgui.h>

#include <filesystem>

#include "app/panels.h"

namespace warpscope {

/// Colours that the style does not know. Okabe and Ito's set keeps apart for the colour-blind.
/// [Okabe & Ito, Color Universal Design, 2008]
struct Ink {
    static constexpr ImU32 kAccent = IM_COL32(86, 180, 233, 255);  // sky blue
    static constexpr ImU32 kOrange = IM_COL32(230, 159, 0, 255);
    static constexpr ImU32 kGreen = IM_COL32(0, 158, 115, 255);
    static constexpr ImU32 kYellow = IM_COL32(240, 228, 66, 255);
    static constexpr ImU32 kBlue = IM_COL32(0, 114, 178, 255);
    static constexpr ImU32 kVermilion = IM_COL32(213, 94, 0, 255);
    static constexpr ImU32 kPurple = IM_COL32(204, 121, 167, 255);
};

/// Muted text of the current theme.
ImU32 muted_ink();

/// Finds a system font by family and weight through fontconfig; an empty path where there is none.
std::filesystem::path find_font(const char* family, const char* style);

/// Loads the fonts for lengths scaled by `scale` on a screen with `density` pixels per unit, and
/// sets the style. Call again (between frames) when one of them changes.
Look apply_look(Theme theme, float scale, float density);

}  // namespace warpscope
