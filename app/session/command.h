// SPDX-License-Identifier: MIT
// Everything that input, panels and scripts may ask for, as plain values, and the one function that
// turns a state and a command into the next state. Whatever is typed is clamped here.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "app/session/state.h"

namespace warpscope {

/// Height in pixels that the end of double is judged by where no window is known.
inline constexpr int kUsualHeight = 1080;

/// Zooms by `factor` (> 1 is in) and keeps the point under the cursor.
struct ZoomAt {
    PixelPoint cursor;
    double factor = 1;
};
/// Moves the picture by (dx, dy) pixels of a window `height` pixels high.
struct Pan {
    double dx = 0, dy = 0;
    int height = kUsualHeight;
};
/// Centres the point under the cursor, then zooms by `factor`.
struct CenterAt {
    PixelPoint cursor;
    double factor = 1;
};
/// The view that shows the whole set (or the whole Julia set).
struct GoHome {};
struct SetView {
    View view;
    int height = kUsualHeight;
};
/// A place, or an entry of the history: everything that is computed.
struct SetScene {
    Scene scene;
    int height = kUsualHeight;
};
/// The window is `height` pixels high now: the zoom must still be one that double serves.
struct SetWindowHeight {
    int height = kUsualHeight;
};
/// Another formula, at its home view. A Julia set stays one, and its view stays.
struct SetFormula {
    Formula formula = Formula::kMandelbrot;
};
/// Shows the Julia set of c = re + i im: at its home view when it was off before, else in place.
struct SetJulia {
    BigFloat re, im;
};
/// Back from the Julia set to the formula's own set, at its home view.
struct LeaveJulia {};
struct SetLimit {
    std::int64_t limit = 1000;  ///< iterations
};
struct SetBailout {
    double bailout = 256;
};
struct SetPrecision {
    PrecisionChoice precision = PrecisionChoice::kAuto;
};
struct SetColor {
    ColorSettings color;
};
struct SetSettings {
    Settings settings;
};
/// A name from backend_choices(), or auto.
struct SetBackend {
    std::string name;
};
/// From cuda to the best CPU rung and back. `running` is the backend at work, which "auto" hides;
/// empty takes the state's word, and auto for cuda.
struct ToggleBackend {
    std::string running;
};
struct SetDevice {
    int device = 0;  ///< CUDA device index
};
struct SetBlock {
    BlockShape block;
};
struct SetTuning {
    Tuning tuning;
};
/// How escape loops run; any combination.
struct SetMethod {
    Method method;
};
/// What was measured of a GPU, see Settings::df64.
struct LearnDf64 {
    std::string device;
    Df64Speed speed = Df64Speed::kSlower;
};
struct TogglePause {};
/// From live to economy and back.
struct TogglePace {};
struct ToggleAntialias {};
struct ToggleTimeline {};

using Command =
    std::variant<ZoomAt, Pan, CenterAt, GoHome, SetView, SetScene, SetWindowHeight, SetFormula,
                 SetJulia, LeaveJulia, SetLimit, SetBailout, SetPrecision, SetColor, SetSettings,
                 SetBackend, ToggleBackend, SetDevice, SetBlock, SetTuning, SetMethod, LearnDf64,
                 TogglePause, TogglePace, ToggleAntialias, ToggleTimeline>;

/// The next state, and a sentence for the user where a limit was hit (else empty).
struct Applied {
    State state;
    std::string message;
};

/// Carries `command` out. Never throws on any value of a command: what is outside its range is
/// clamped, what is unknown changes nothing, and the message says so.
Applied apply(State state, const Command& command);

/// The view that shows all of `scene`'s set: the formula's home, or for Julia the disc around 0.
View home_of(const Scene& scene);

}  // namespace warpscope
