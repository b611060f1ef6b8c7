// SPDX-License-Identifier: MIT
// What programs that try random things have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace warpscope {

/// The same throws for the same seed, on any machine.
class Dice {
  public:
    explicit Dice(unsigned seed) : random_{seed} {}
    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    double between(double from, double to) {
        return from + (to - from) * static_cast<double>(random_()) / 4294967295.0;
    }
    bool one_in(int count) { return below(count) == 0; }

  private:
    std::mt19937 random_;
};

/// The value that `share` (0 to 1) of all are below; 0 where there are none.
inline double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace warpscope
