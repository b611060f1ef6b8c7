// SPDX-License-Identifier: MIT
#include "app/motion.h"

#include <cmath>

namespace warpscope {
namespace {

constexpr double kTimeConstant = 0.07;  // seconds in which a glide covers 63 % of its way
constexpr double kSmallZoom = 1e-3;

}  // namespace

void Motion::zoom(PixelPoint cursor, double factor) {
    cursor_ = cursor;
    log_zoom_ += std::log(factor);
}

void Motion::zoom_to(PixelPoint cursor, double factor) {
    // The fixed point q of the zoom that carries p to the middle m: q + factor (p - q) = m.
    const auto fixed = [factor](double p, double m) { return (factor * p - m) / (factor - 1); };
    cursor_ = cursor;
    cursor_.x = fixed(cursor.x, 0.5 * cursor.width);
    cursor_.y = fixed(cursor.y, 0.5 * cursor.height);
    log_zoom_ = std::log(factor);
}

void Motion::pan(double dx, double dy) {
    dx_ += std::round(dx);
    dy_ += std::round(dy);
}

Pan Motion::drag(double dx, double dy, int height) {
    const auto whole = [](double& rest, double more) {
        rest += more;
        const double pixels = std::round(rest);
        rest -= pixels;
        return pixels;
    };
    const double x = whole(drag_x_, dx), y = whole(drag_y_, dy);
    return {x, y, height};
}

void Motion::stop() noexcept { log_zoom_ = dx_ = dy_ = 0; }

bool Motion::moving() const noexcept { return log_zoom_ != 0 || dx_ != 0 || dy_ != 0; }

std::vector<Command> Motion::advance(double seconds, Glide glide, int height) {
    std::vector<Command> commands;
    const double part =
        glide == Glide::kAtOnce ? 1 : 1 - std::exp(-std::max(seconds, 0.0) / kTimeConstant);
    const auto take = [part](double& rest, double small) {
        const double now = std::abs(rest) < small ? rest : rest * part;
        rest -= now;
        return now;
    };
    const auto take_pixels = [part](double& rest) {
        double now = std::round(rest * part);
        if (now == 0 && rest != 0) now = std::copysign(1.0, rest);
        rest -= now;
        return now;
    };
    if (log_zoom_ != 0) {
        commands.push_back(ZoomAt{cursor_, std::exp(take(log_zoom_, kSmallZoom))});
    }
    if (dx_ != 0 || dy_ != 0) {
        const double dx = take_pixels(dx_), dy = take_pixels(dy_);
        commands.push_back(Pan{dx, dy, height});
    }
    return commands;
}

}  // namespace warpscope
