// SPDX-License-Identifier: MIT
// The formulas for float and double, on host and device, and their table.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "kernels/math/number.h"
#include "kernels/math/portable.h"

namespace warpscope {

namespace scalar {

#include "kernels/math/scalar.inc"

}  // namespace scalar

/// Which formula is iterated: kMandelbrot, kBurningShip, … one per row of formula.inc.
enum class Formula : std::uint8_t {
#define WARPSCOPE_ENUMERATOR(Name, key, power, title, re, im, zoom) k##Name,
    WARPSCOPE_FORMULAS(WARPSCOPE_ENUMERATOR)
#undef WARPSCOPE_ENUMERATOR
};

/// What is known of a formula without running it.
struct FormulaInfo {
    Formula formula;
    std::string_view key;                ///< as on the command line; shared by the multibrots
    int power;                           ///< degree of z, 2 to 8
    std::string_view title;              ///< as people read it
    double home_re, home_im, home_zoom;  ///< view of the whole set; half-height 2/home_zoom
};

/// All formulas in the order of `Formula`.
inline constexpr auto kFormulas = std::to_array<FormulaInfo>({
#define WARPSCOPE_ROW(Name, key, power, title, re, im, zoom) \
    {Formula::k##Name, key, power, title, re, im, zoom},
    WARPSCOPE_FORMULAS(WARPSCOPE_ROW)
#undef WARPSCOPE_ROW
});

/// The row of `formula`.
constexpr const FormulaInfo& info(Formula formula) noexcept {
    return kFormulas[static_cast<std::size_t>(formula)];
}

}  // namespace warpscope
