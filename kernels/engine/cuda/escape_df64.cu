// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
KernelSet<Df64> kernels_of<Df64>(Formula formula) {
    return find_kernels<Df64>(formula);
}

}  // namespace warpscope::kernels
