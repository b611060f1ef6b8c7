// SPDX-License-Identifier: MIT
#include "app/session/clamp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "kernels/engine/occupancy.h"

namespace warpscope {
namespace {

/// A range, what to call it, and what stands in for NaN.
template <class T>
struct Range {
    std::string_view name;
    T low, high, fallback;
};

std::string sentence(std::string_view name, double low, double high, double now) {
    return std::string{name} + " goes from " + short_number(low) + " to " + short_number(high) +
           "; set to " + short_number(now) + ".";
}

template <class T>
std::string clamp_to(T& value, const Range<T>& range) {
    const T inside = value != value ? range.fallback : std::clamp(value, range.low, range.high);
    if (inside == value) return {};
    value = inside;
    return sentence(range.name, static_cast<double>(range.low), static_cast<double>(range.high),
                    static_cast<double>(inside));
}

/// Keeps the first message: one at a time can be read.
void note(std::string& message, std::string next) {
    if (message.empty()) message = std::move(next);
}

/// Colours repeat every turn, so an offset beyond it wraps round.
float wrapped(float turns) {
    if (!std::isfinite(turns)) return 0;
    if (turns >= 0 && turns <= 1) return turns;
    return turns - std::floor(turns);
}

std::string clamp_coordinate(BigFloat& value, std::string_view name) {
    const BigFloat bound{kMaxCoordinate};
    if (!(bound < value) && !(value < BigFloat{-kMaxCoordinate})) return {};
    value = value.sign() < 0 ? BigFloat{-kMaxCoordinate} : bound;
    return sentence(name, -kMaxCoordinate, kMaxCoordinate, value.to_double());
}

}  // namespace

std::string short_number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string clamp_limit(std::int64_t& limit) {
    return clamp_to<std::int64_t>(limit, {"The iteration limit", 1, kMaxLimit, 1000});
}

std::string clamp_bailout(double& bailout) {
    return clamp_to<double>(bailout, {"The bailout radius", kMinBailout, kMaxBailout, 256});
}

std::string clamp_block(BlockShape& block) {
    const BlockShape asked = block;
    block.x = std::clamp(block.x, 1, kMaxBlockThreads);
    block.y = std::clamp(block.y, 1, kMaxBlockThreads / block.x);
    if (block == asked) return {};
    return "A block has at least 1 x 1 and at most " + std::to_string(kMaxBlockThreads) +
           " threads; set to " + std::to_string(block.x) + " x " + std::to_string(block.y) + ".";
}

std::string clamp_method(Method& method) {
    const bool known = method.test <= Test::kBlocks && method.in_flight <= InFlight::kSeveral &&
                       method.schedule <= Schedule::kRefill;
    if (known) return {};
    method = {};
    return "There is no such way to run the loop; set to the default.";
}

std::string clamp_what_if(Tuning& tuning) {
    constexpr int kMostShared = 227 * 1024;  // of compute capability 9.0
    std::string message = clamp_to<int>(tuning.what_if.shared_bytes,
                                        {"Dynamic shared memory per block", 0, kMostShared, 0});
    RegisterUse& registers = tuning.what_if.registers;
    if (static_cast<std::size_t>(registers) >= kRegisterUses.size()) {
        registers = RegisterUse::kCompiled;
    }
    if (tuning.block.x * tuning.block.y > most_threads(registers)) {
        note(message, "A block of " + std::to_string(most_registers(registers)) +
                          " registers a thread has at most " +
                          std::to_string(most_threads(registers)) +
                          " threads; registers are as compiled again.");
        registers = RegisterUse::kCompiled;
    }
    return message;
}

std::string clamp_tuning(Tuning& tuning) {
    std::string message = clamp_method(tuning.method);
    note(message, clamp_block(tuning.block));
    note(message, clamp_to<int>(tuning.cpu_threads, {"CPU threads", 0, kMaxCpuThreads, 0}));
    note(message, clamp_to<int>(tuning.cpu_tile, {"The tile size", kMinCpuTile, kMaxCpuTile, 64}));
    note(message, clamp_what_if(tuning));
    return message;
}

std::string clamp_color(ColorSettings& color) {
    const ColorSettings defaults;
    std::string message =
        clamp_to<float>(color.density, {"Colour density", 1e-5f, 10, defaults.density});
    color.offset = wrapped(color.offset);
    note(message, clamp_to<int>(color.transfer, {"Colour transfer", 0, 2, 0}));
    note(message,
         clamp_to<float>(color.cycle_speed, {"Cycling speed", -2, 2, defaults.cycle_speed}));
    note(message, clamp_to<float>(color.shading, {"Shading", 0, 1, 0}));
    for (float& channel : color.interior) {
        note(message, clamp_to<float>(channel, {"A channel of the interior colour", 0, 1, 0}));
    }
    if (color.palette.empty()) color.palette = defaults.palette;
    return message;
}

std::string clamp_settings(Settings& settings) {
    std::string message =
        clamp_to<double>(settings.wheel_factor, {"The wheel's zoom factor", 1.01, 10, 1.25});
    if (settings.ui_scale != 0) {  // 0 follows the monitor
        note(message, clamp_to<double>(settings.ui_scale, {"The interface's scale", 0.5, 4, 0}));
    }
    return message;
}

std::string clamp_view(View& view) {
    std::string message;
    if (view.zoom.sign() <= 0) {
        view.zoom = BigFloat{1};
        message = "Zoom must be above 0; set to 1.";
    }
    const double log2_zoom = view.zoom.log2_abs();
    if (log2_zoom < kMinLog2Zoom || log2_zoom > kMaxLog2Zoom) {
        const bool wide = log2_zoom < kMinLog2Zoom;
        // Times 1 clamps to the range in view.cc, the one place that knows how.
        view = zoom_at(view, {}, 1);
        message = wide ? "That is as far out as the view goes." : "That is as deep as a view goes.";
    }
    note(message, clamp_coordinate(view.re, "The centre's real part"));
    note(message, clamp_coordinate(view.im, "The centre's imaginary part"));
    return message;
}

}  // namespace warpscope
