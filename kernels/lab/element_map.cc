// SPDX-License-Identifier: MIT
#include "kernels/lab/element_map.h"

#include <stdexcept>
#include <string>

namespace warpscope {

std::vector<ThreadElement> element_map(int n, int block_threads) {
    if (n < 1 || n > 65536 || block_threads < 1 || block_threads > 1024) {
        throw std::invalid_argument{
            "an element map needs 1 to 65536 elements and 1 to 1024 threads per block, got " +
            std::to_string(n) + " and " + std::to_string(block_threads)};
    }
    const int blocks = (n + block_threads - 1) / block_threads;
    std::vector<ThreadElement> map;
    map.reserve(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(block_threads));
    for (int block = 0; block < blocks; ++block) {
        for (int thread = 0; thread < block_threads; ++thread) {
            const int element = block * block_threads + thread;
            map.push_back({block, thread, element, element < n});
        }
    }
    return map;
}

}  // namespace warpscope
