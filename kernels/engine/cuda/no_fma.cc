// SPDX-License-Identifier: MIT
// Linked instead of fma_cuda.cu where no toolkit was found.
#include "kernels/engine/backend.h"
#include "kernels/engine/fma_meter.h"

namespace warpscope {

std::unique_ptr<FmaMeter> make_cuda_fma_meter(int) {
    throw BackendError{"this program was built without CUDA"};
}

}  // namespace warpscope
