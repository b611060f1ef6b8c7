// SPDX-License-Identifier: MIT
// Round numbers for axes.
#pragma once

#include <cmath>

namespace warpscope {

/// 1, 2 or 5 times a power of ten, the one that is nearest to `step` > 0.
template <class Real>
Real round_step(Real step) {
    const Real unit = std::pow(Real{10}, std::floor(std::log10(step)));
    const Real digit = step / unit;
    return digit < Real{1.5}   ? unit
           : digit < Real{3.5} ? 2 * unit
           : digit < Real{7.5} ? 5 * unit
                               : 10 * unit;
}

}  // namespace warpscope
