// SPDX-License-Identifier: MIT
// How long the main loop computes in a frame, in milliseconds.
#pragma once

namespace warpscope {

inline constexpr double kCpuBudgetMs = 4;   ///< how long a frame waits for CPU workers
inline constexpr double kGpuBudgetMs = 10;  ///< most work that a frame gives a GPU

}  // namespace warpscope
