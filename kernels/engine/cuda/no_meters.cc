// SPDX-License-Identifier: MIT
// Linked instead of fma_cuda.cu and bandwidth_cuda.cu where no toolkit was found.
#include "kernels/engine/backend.h"
#include "kernels/engine/bandwidth_meter.h"
#include "kernels/engine/fma_meter.h"

namespace warpscope {
namespace {

constexpr const char* kReason = "this program was built without CUDA";

}  // namespace

std::unique_ptr<FmaMeter> make_cuda_fma_meter(int) { throw BackendError{kReason}; }

std::unique_ptr<BandwidthMeter> make_cuda_bandwidth_meter(int) { throw BackendError{kReason}; }

}  // namespace warpscope
