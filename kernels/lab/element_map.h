// SPDX-License-Identifier: MIT
// Which thread takes which element: the six-element example, for drawing.
#pragma once

#include <array>
#include <vector>

namespace warpscope {

inline constexpr std::array<float, 6> kExampleA{1, 2, 3, 4, 5, 6};
inline constexpr std::array<float, 6> kExampleB{7, 8, 9, 10, 11, 12};

/// One launched thread of a one-dimensional grid.
struct ThreadElement {
    int block;    ///< blockIdx.x
    int thread;   ///< threadIdx.x
    int element;  ///< block * block size + thread
    bool works;   ///< false: past the end, stopped by the guard
};

/// Every thread that is launched for `n` elements in blocks of `block_threads`, in order. Throws
/// std::invalid_argument unless n is 1 to 65536 and block_threads 1 to 1024.
std::vector<ThreadElement> element_map(int n, int block_threads);

}  // namespace warpscope
