// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
KernelSet<double> kernels_of<double>(Formula formula, Instance instance) {
    return find_kernels<double>(formula, instance);
}

}  // namespace warpscope::kernels
