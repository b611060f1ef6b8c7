// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

template <>
KernelSet<double> kernels_of<double>(Formula formula) {
    return find_kernels<double>(formula);
}

}  // namespace warpscope::kernels
