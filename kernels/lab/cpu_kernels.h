// SPDX-License-Identifier: MIT
// CPU rungs as independent tasks: one thread runs them in order, many share them out. Also the copy
// that bandwidth is compared with.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/lab/problem.h"
#include "kernels/lab/team.h"

namespace warpscope::lab {

/// A CPU kernel, split so that each task takes milliseconds: a stop is answered between tasks.
struct CpuKernel {
    std::size_t (*tasks)(std::size_t n) noexcept;
    void (*run)(const Arrays& arrays, std::size_t task) noexcept;
    Schedule schedule;
};

/// Elements per task of the vector demos; a multiple of every vector width and cache line.
inline constexpr std::size_t kVectorTask = 1 << 16;

/// Rows and columns of the product per task of the SIMD matmul: milliseconds at n = 16,384.
inline constexpr std::size_t kTaskRows = 96, kTaskColumns = 256;

/// Tasks of kVectorTask elements, the last one shorter.
std::size_t vector_tasks(std::size_t n) noexcept;

/// Plain loops; compiled without auto-vectorisation, or they would not be scalar.
CpuKernel scalar_kernel(Demo demo) noexcept;

/// Highway, for the best instruction set of this processor.
CpuKernel simd_kernel(Demo demo) noexcept;

/// That instruction set as Highway calls it: "AVX3", "AVX2", "NEON", …
std::string simd_name();

/// Copies a to out by vectors of this processor, task for task as the SIMD rungs do. [STREAM copy]
CpuKernel copy_kernel() noexcept;

}  // namespace warpscope::lab
