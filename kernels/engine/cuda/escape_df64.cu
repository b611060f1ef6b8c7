// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
KernelSet<Df64> kernels_of<Df64>(Formula formula, Instance instance) {
    return find_kernels<Df64>(formula, instance);
}

}  // namespace warpscope::kernels
