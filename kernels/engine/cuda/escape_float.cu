// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
Kernel<float> kernel_of<float>(Formula formula, CudaLoop loop) {
    return find_kernel<float>(formula, loop);
}

}  // namespace warpscope::kernels
