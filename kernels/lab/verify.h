// SPDX-License-Identifier: MIT
// Compares a rung's output with a reference in double precision. A figure of a wrong kernel is
// worth nothing, and wrong kernels are often fast: NaN and infinity always fail.
#pragma once

#include <cstdint>

#include "kernels/lab/problem.h"

namespace warpscope::lab {

/// Matrices up to this edge are checked entry by entry.
inline constexpr std::size_t kVerifyAllEdge = 512;
/// Of larger ones as many random rows times as many random columns: 4096 entries.
inline constexpr std::size_t kVerifyEdge = 64;

/// `arrays` lie on the host. `seed` chooses the rows and columns of a large matrix. All entries are
/// searched for NaN and infinity.
LabVerification verify(Demo demo, const Arrays& arrays, std::uint64_t seed);

}  // namespace warpscope::lab
