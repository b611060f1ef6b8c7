// SPDX-License-Identifier: MIT
#include "app/session/time_left.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

/// Whether work that took so many seconds foretells the rest: a hundredth of it, or a little that
/// took some seconds.
bool tells_enough(double seconds, double share) noexcept {
    constexpr double kShare = 0.01, kSeconds = 2;
    return share >= kShare || (share > 0 && seconds >= kSeconds);
}

}  // namespace

void TimeLeft::begin(double now) noexcept {
    *this = {};
    began_ = updated_ = now;
}

void TimeLeft::pass_done(double now, double share) noexcept {
    passes_seconds_ = now - began_;
    passes_share_ = share;
    update(now, share);
}

std::optional<double> TimeLeft::foretold_end(double now, double share) const noexcept {
    if (!tells_enough(now - began_, share)) return std::nullopt;
    const double by_share = began_ + (now - began_) / share;
    if (!tells_enough(passes_seconds_, passes_share_) || passes_share_ >= 1) return by_share;
    const double by_passes = began_ + passes_seconds_ / passes_share_;
    // The further the pass is, the more its own share is worth.
    const double weight = std::clamp((share - passes_share_) / (1 - passes_share_), 0.0, 1.0);
    return std::max(now, by_passes + (by_share - by_passes) * weight);
}

void TimeLeft::update(double now, double share) noexcept {
    constexpr double kSmoothSeconds = 1, kFarSeconds = 10;
    const std::optional<double> end = foretold_end(now, share);
    if (end) {
        const double seconds = std::max(now - updated_, 0.0);
        // What is far off is told at once: of days it would take minutes to come down.
        const bool near = end_ && (std::abs(*end - *end_) < kFarSeconds ||
                                   std::max(*end, *end_) - now < 2 * (std::min(*end, *end_) - now));
        const double weight = 1 - std::exp(-seconds / kSmoothSeconds);
        end_ = near ? *end_ + (*end - *end_) * weight : *end;
    }
    updated_ = now;
}

std::optional<double> TimeLeft::seconds_left(double now) const noexcept {
    if (!end_) return std::nullopt;
    return std::max(0.0, *end_ - now);
}

}  // namespace warpscope
