// SPDX-License-Identifier: MIT
// Which number type the program would choose at every zoom: the answers of choose_precision(),
// asked for, never repeated.
#pragma once

#include <vector>

#include "kernels/deep/precision.h"

namespace warpscope {

/// Zooms that one number type serves, as log2.
struct PrecisionStretch {
    Precision precision;
    double from = 0, to = 0;
};

/// The stretches from `from_log2` on as choose_precision() answers for the centre of `view`, each
/// end found by bisection to 2^-20 of an octave; nothing where no type serves. The last one ends
/// where double does, or at kMaxLog2Zoom. Needs answers that never come back to a type once left,
/// as those do.
std::vector<PrecisionStretch> precision_ladder(const View& view, int height, Df64Speed df64,
                                               double from_log2 = 0);

}  // namespace warpscope
