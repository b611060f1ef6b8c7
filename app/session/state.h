// SPDX-License-Identifier: MIT
// The one state of the program. Commands make a new one; everything shown follows from it.
#pragma once

#include <map>
#include <string>

#include "kernels/deep/precision.h"
#include "kernels/engine/backend.h"

namespace warpscope {

/// How counts become colours. None of it is part of the compute key: edits recompute nothing.
struct ColorSettings {
    std::string palette = "Ember";  ///< name of one of palettes()
    float density = 0.03f;  ///< palette cycles per unit of the transferred count, 1e-5 to 10
    float offset = 0;       ///< turns, 0 to 1
    int transfer = 0;       ///< 0 linear, 1 square root, 2 logarithm
    bool smooth = true;
    bool cycling = false;
    float cycle_speed = 0.1f;       ///< turns per second, -2 to 2
    float interior[3] = {0, 0, 0};  ///< sRGB, 0 to 1
    float shading = 0.6f;           ///< distance-estimate shading, 0 to 1
    bool operator==(const ColorSettings&) const = default;
};

/// kLive fills the buffer every frame; kEconomy only when something changed.
enum class Pace : std::uint8_t { kLive, kEconomy };

enum class Theme : std::uint8_t { kDark, kLight };

/// What persists from start to start.
struct Settings {
    double wheel_factor = 1.25;  ///< zoom per wheel notch, 1.01 to 10
    bool animate_zoom = true;
    Pace pace = Pace::kLive;
    bool antialias = true;  ///< more samples a pixel while the view rests
    bool vsync = true;
    Theme theme = Theme::kDark;
    double ui_scale = 0;    ///< 0 follows the monitor's content scale; else 0.5 to 4
    bool timeline = false;  ///< who computes which block when is recorded and shown
    /// Whether a GPU, by its name, iterates df64 faster than double: measured when it is first
    /// used.
    std::map<std::string, Df64Speed, std::less<>> df64 = {};
    bool operator==(const Settings&) const = default;
};

struct State {
    Scene scene;
    ColorSettings color;
    Settings settings;
    std::string backend = "auto";  ///< a name from backend_choices(), or auto
    int device = 0;                ///< CUDA device index
    Tuning tuning;
    bool paused = false;
    bool operator==(const State&) const = default;
};

}  // namespace warpscope
