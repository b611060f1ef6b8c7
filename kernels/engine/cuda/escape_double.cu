// SPDX-License-Identifier: MIT
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {

WARPSCOPE_KERNELS_OF(double)

}  // namespace warpscope::kernels
