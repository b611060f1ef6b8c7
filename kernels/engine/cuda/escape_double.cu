// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
Kernel<double> kernel_of<double>(Formula formula, CudaLoop loop) {
    return find_kernel<double>(formula, loop);
}

}  // namespace warpscope::kernels
