// SPDX-License-Identifier: MIT
#include "app/session/command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/session/clamp.h"

namespace warpscope {
namespace {

constexpr std::array<std::string_view, 6> kBackendNames = {"auto",        "cpu-scalar", "cpu-simd",
                                                           "cpu-threads", "cpu",        "cuda"};

/// Stops a hair before the end, so that rounding of the zoom never falls beyond it.
constexpr double kMarginLog2 = 1e-6;

constexpr std::string_view kDoubleEnds =
    "Double precision ends here: zooming in stops, zooming out works.";

int usable(int height) { return height > 0 ? height : kUsualHeight; }

double max_zoom(const View& view, int height) {
    return max_log2_zoom(view, usable(height)) - kMarginLog2;
}

bool is_usable(const PixelPoint& p) {
    return p.width > 0 && p.height > 0 && std::isfinite(p.x) && std::isfinite(p.y);
}

/// `factor` shortened so that `view` stays within double; 1 where it is there already.
double allowed_factor(const View& view, int height, double factor) {
    if (factor <= 1) return factor;
    const double room = max_zoom(view, height) - view.zoom.log2_abs();
    if (std::log2(factor) <= room) return factor;
    return room > 0 ? std::exp2(room) : 1;
}

/// Takes a view that lies deeper than double reaches back to where double ends.
std::string fit(View& view, int height) {
    std::string message = clamp_view(view);
    double excess = view.zoom.log2_abs() - max_zoom(view, height);
    if (excess <= 0) return message;
    const std::string asked = view.zoom.to_string(3);
    constexpr PixelPoint kMiddle{0.5, 0.5, 1, 1};
    constexpr double kStep = 1000;  // 2^-1074 is the least that a factor can be
    for (; excess > 0; excess -= kStep) {
        view = zoom_at(view, kMiddle, std::exp2(-std::min(excess, kStep)));
    }
    return "Zoom " + asked + " is deeper than double precision reaches; the view stops at " +
           view.zoom.to_string(3) + ".";
}

/// One function a command; each changes `state` and returns the message.
struct Applier {
    State& state;

    std::string operator()(const ZoomAt& c) const {
        if (!(c.factor > 0) || !std::isfinite(c.factor) || !is_usable(c.cursor)) return {};
        View& view = state.scene.view;
        const double factor = allowed_factor(view, c.cursor.height, c.factor);
        if (factor != 1) view = zoom_at(view, c.cursor, factor);
        const std::string message = clamp_view(view);
        if (factor != c.factor) return std::string{kDoubleEnds};
        if (factor < 1 && view.zoom.log2_abs() <= kMinLog2Zoom) {
            return "That is as far out as the view goes.";
        }
        return message;
    }

    std::string operator()(const Pan& c) const {
        if (!std::isfinite(c.dx) || !std::isfinite(c.dy) || c.height <= 0) return {};
        state.scene.view = pan(state.scene.view, c.dx, c.dy, c.height);
        return clamp_view(state.scene.view);
    }

    std::string operator()(const CenterAt& c) const {
        if (!is_usable(c.cursor)) return {};
        state.scene.view = center_at(state.scene.view, c.cursor);
        const PixelPoint middle{0.5 * c.cursor.width, 0.5 * c.cursor.height, c.cursor.width,
                                c.cursor.height};
        return (*this)(ZoomAt{middle, c.factor});
    }

    std::string operator()(const GoHome&) const {
        state.scene.view = home_of(state.scene);
        return {};
    }

    std::string operator()(const SetView& c) const {
        state.scene.view = c.view;
        return fit(state.scene.view, c.height);
    }

    std::string operator()(const SetScene& c) const {
        state.scene = c.scene;
        std::string message = fit(state.scene.view, c.height);
        std::string other = (*this)(SetLimit{c.scene.limit});
        if (message.empty()) message = std::move(other);
        other = (*this)(SetBailout{c.scene.bailout});
        if (message.empty()) message = std::move(other);
        return message;
    }

    std::string operator()(const SetWindowHeight& c) const {
        return fit(state.scene.view, c.height);
    }

    std::string operator()(const SetFormula& c) const {
        if (static_cast<std::size_t>(c.formula) >= kFormulas.size()) return {};
        if (state.scene.formula == c.formula) return {};
        state.scene.formula = c.formula;
        // Julia sets of all formulas lie around 0, so the view still serves; own sets differ.
        if (!state.scene.julia) state.scene.view = home_of(state.scene);
        return {};
    }

    std::string operator()(const SetJulia& c) const {
        View point{c.re, c.im};
        std::string message = clamp_view(point);
        state.scene.julia_re = point.re;
        state.scene.julia_im = point.im;
        if (!std::exchange(state.scene.julia, true)) state.scene.view = home_of(state.scene);
        return message;
    }

    std::string operator()(const LeaveJulia&) const {
        if (std::exchange(state.scene.julia, false)) state.scene.view = home_of(state.scene);
        return {};
    }

    std::string operator()(const SetLimit& c) const {
        std::int64_t limit = c.limit;
        std::string message = clamp_limit(limit);
        state.scene.limit = static_cast<std::uint32_t>(limit);
        return message;
    }

    std::string operator()(const SetBailout& c) const {
        state.scene.bailout = c.bailout;
        return clamp_bailout(state.scene.bailout);
    }

    std::string operator()(const SetPrecision& c) const {
        state.scene.precision = c.precision;
        return {};
    }

    std::string operator()(const SetColor& c) const {
        state.color = c.color;
        return clamp_color(state.color);
    }

    std::string operator()(const SetSettings& c) const {
        state.settings = c.settings;
        return clamp_settings(state.settings);
    }

    std::string operator()(const SetBackend& c) const {
        if (std::find(kBackendNames.begin(), kBackendNames.end(), c.name) == kBackendNames.end()) {
            return "There is no backend '" + c.name +
                   "'; there are auto, cpu-scalar, cpu-simd, cpu-threads, cpu and cuda.";
        }
        state.backend = c.name;
        return {};
    }

    std::string operator()(const ToggleBackend& c) const {
        const std::string& now = c.running.empty() ? state.backend : c.running;
        state.backend = now == "cuda" || now == "auto" ? "cpu" : "cuda";
        return {};
    }

    std::string operator()(const SetDevice& c) const {
        state.device = std::clamp(c.device, 0, kMaxCudaDevice);
        state.tuning.what_if = {};  // another device may not have so much
        if (state.device == c.device) return {};
        return "CUDA devices count from 0; set to " + std::to_string(state.device) + ".";
    }

    std::string operator()(const SetBlock& c) const {
        state.tuning.block = c.block;
        const std::string message = clamp_block(state.tuning.block);
        const std::string other = clamp_what_if(state.tuning);
        return message.empty() ? other : message;
    }

    std::string operator()(const SetTuning& c) const {
        state.tuning = c.tuning;
        return clamp_tuning(state.tuning);
    }

    std::string operator()(const SetMethod& c) const {
        state.tuning.method = c.method;
        return clamp_method(state.tuning.method);
    }

    std::string operator()(const LearnDf64& c) const {
        state.settings.df64[c.device] = c.speed;
        return {};
    }

    std::string operator()(const TogglePause&) const {
        state.paused = !state.paused;
        return {};
    }

    std::string operator()(const TogglePace&) const {
        Pace& pace = state.settings.pace;
        pace = pace == Pace::kLive ? Pace::kEconomy : Pace::kLive;
        return {};
    }

    std::string operator()(const ToggleAntialias&) const {
        state.settings.antialias = !state.settings.antialias;
        return {};
    }

    std::string operator()(const ToggleTimeline&) const {
        state.settings.timeline = !state.settings.timeline;
        return {};
    }
};

}  // namespace

View home_of(const Scene& scene) {
    if (!scene.julia) return home_view(scene.formula);
    // Connected Julia sets lie within |z| <= 2, most of each within 1.6 of the axis.
    return {BigFloat{0}, BigFloat{0}, BigFloat{1.25}};
}

Applied apply(State state, const Command& command) {
    Applied result{std::move(state), {}};
    result.message = std::visit(Applier{result.state}, command);
    return result;
}

}  // namespace warpscope
