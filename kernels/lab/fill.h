// SPDX-License-Identifier: MIT
// Fills host arrays on a team, each thread the part that the kernels will give it: memory then lies
// near the thread that uses it (first touch).
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "kernels/lab/team.h"

namespace warpscope::lab {

/// random_value(seed, stream, i) everywhere, or less after a stop.
void fill_random(Team& team, std::span<float> values, std::uint64_t seed, std::uint64_t stream,
                 const std::stop_token& stop);

/// `value` everywhere, or less after a stop.
void fill_constant(Team& team, std::span<float> values, float value, const std::stop_token& stop);

}  // namespace warpscope::lab
