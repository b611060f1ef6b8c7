// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
Kernel<Df64> kernel_of<Df64>(Formula formula, CudaLoop loop) {
    return find_kernel<Df64>(formula, loop);
}

}  // namespace warpscope::kernels
