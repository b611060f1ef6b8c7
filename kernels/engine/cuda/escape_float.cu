// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
KernelSet<float> kernels_of<float>(Formula formula, Instance instance) {
    return find_kernels<float>(formula, instance);
}

}  // namespace warpscope::kernels
