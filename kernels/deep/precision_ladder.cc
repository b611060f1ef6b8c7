// SPDX-License-Identifier: MIT
#include "kernels/deep/precision_ladder.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

/// 2^log2, also where that is beyond double.
BigFloat power_of_two(double log2) {
    constexpr double kStep = 512;
    BigFloat power{1};
    for (; log2 > kStep; log2 -= kStep) power = power * BigFloat{std::exp2(kStep)};
    return power * BigFloat{std::exp2(log2)};
}

}  // namespace

std::vector<PrecisionStretch> precision_ladder(const View& view, int height, Df64Speed df64,
                                               double from_log2) {
    constexpr double kFine = 0x1p-20;
    const auto chosen = [&](double log2) {
        return choose_precision({view.re, view.im, power_of_two(log2)}, height, df64);
    };
    std::vector<PrecisionStretch> ladder;
    double from = from_log2;
    while (const std::optional<Precision> precision = chosen(from)) {
        double low = from, high = kMaxLog2Zoom;
        if (chosen(high) == precision) {
            ladder.push_back({*precision, from, high});
            break;
        }
        while (high - low > kFine) {
            const double middle = (low + high) / 2;
            (chosen(middle) == precision ? low : high) = middle;
        }
        ladder.push_back({*precision, from, low});
        from = high;
    }
    return ladder;
}

}  // namespace warpscope
