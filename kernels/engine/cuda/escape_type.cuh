// SPDX-License-Identifier: MIT
// What each escape_<type>.cu offers to escape_cuda.cu: the kernels of one number type. One file a
// type, so that they compile side by side.
#pragma once

#include "kernels/engine/cuda/escape_regroup.cuh"

namespace warpscope::kernels {

template <class T>
using Kernel = void (*)(Plane<T>, Band);

template <class T>
Kernel<T> kernel_of(Formula formula, CudaLoop loop);
template <>
Kernel<float> kernel_of<float>(Formula formula, CudaLoop loop);
template <>
Kernel<Df64> kernel_of<Df64>(Formula formula, CudaLoop loop);
template <>
Kernel<double> kernel_of<double>(Formula formula, CudaLoop loop);

/// What each of those specialisations is.
template <class T>
Kernel<T> find_kernel(Formula formula, CudaLoop loop) {
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom)                                 \
    case Formula::k##Name:                                                                    \
        if (loop == CudaLoop::kRegroup) return &escape_regroup<scalar::Name, T>;              \
        return loop == CudaLoop::kBlocks ? &escape_pixels<scalar::Name, CudaLoop::kBlocks, T> \
                                         : &escape_pixels<scalar::Name, CudaLoop::kEveryStep, T>;
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return nullptr;
}

}  // namespace warpscope::kernels
