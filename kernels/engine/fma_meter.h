// SPDX-License-Identifier: MIT
// What a processor can do at best: fused multiply-adds in independent chains that stay in
// registers. A step of the Mandelbrot loop takes four such instructions, so a quarter of this is
// the limit of iterations per second.
#pragma once

#include <memory>

#include "kernels/math/sample.h"

namespace warpscope {

/// Dependent floating-point instructions of one step of the Mandelbrot loop.
inline constexpr double kStepInstructions = 4;

/// The type whose instructions `type` is computed with: df64 is made of floats.
constexpr Precision made_of(Precision type) noexcept {
    return type == Precision::kDf64 ? Precision::kFloat : type;
}

/// One processor, or some threads of it. Used from one thread.
class FmaMeter {
  public:
    virtual ~FmaMeter() = default;
    FmaMeter(const FmaMeter&) = delete;
    FmaMeter& operator=(const FmaMeter&) = delete;

    /// Fused multiply-adds per second, lane by lane, over one run of about `ms` milliseconds. Of
    /// df64 it is the one of float, which it is made of. Throws BackendError.
    virtual double per_second(Precision precision, double ms) = 0;

  protected:
    FmaMeter() = default;
};

/// `threads` >= 1 threads at once, with the widest vectors of this processor.
std::unique_ptr<FmaMeter> make_cpu_fma_meter(int threads);

/// All multiprocessors of a CUDA device. Throws BackendError where CUDA does not work.
std::unique_ptr<FmaMeter> make_cuda_fma_meter(int device);

}  // namespace warpscope
