// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace warpscope {

/// Seconds of a steady clock; only differences mean anything.
inline double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Measures milliseconds from its making.
class Stopwatch {
  public:
    double ms() const { return (seconds_now() - start_) * 1e3; }

  private:
    double start_ = seconds_now();
};

}  // namespace warpscope
