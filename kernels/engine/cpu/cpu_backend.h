// SPDX-License-Identifier: MIT
// The four CPU rungs: scalar or SIMD, on one thread or on all.
#pragma once

#include <memory>

#include "kernels/engine/backend.h"

namespace warpscope {

enum class CpuLoop : std::uint8_t { kScalar, kSimd };
enum class CpuThreads : std::uint8_t { kOne, kAll };

std::unique_ptr<Backend> make_cpu_backend(CpuLoop loop, CpuThreads threads);

}  // namespace warpscope
