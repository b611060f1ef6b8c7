// SPDX-License-Identifier: MIT
// What each escape_<type>.cu offers to escape_cuda.cu: the kernels of one number type. One file a
// type, so that nvcc compiles them side by side.
#pragma once

#include "kernels/engine/cuda/escape_refill.cuh"
#include "kernels/engine/cuda/escape_regroup.cuh"

namespace warpscope::kernels {

/// Kernels of a Band.
template <class T>
using PixelKernel = void (*)(Plane<T>, Band);
template <class T>
using RefillKernel = void (*)(Plane<T>, Queue);

template <class T>
PixelKernel<T> pixel_kernel(Formula formula, CudaLoop loop);
template <class T>
RefillKernel<T> refill_kernel(Formula formula);

#define WARPSCOPE_DECLARE_KERNELS_OF(T)                             \
    template <>                                                     \
    PixelKernel<T> pixel_kernel<T>(Formula formula, CudaLoop loop); \
    template <>                                                     \
    RefillKernel<T> refill_kernel<T>(Formula formula);
WARPSCOPE_DECLARE_KERNELS_OF(float)
WARPSCOPE_DECLARE_KERNELS_OF(Df64)
WARPSCOPE_DECLARE_KERNELS_OF(double)
#undef WARPSCOPE_DECLARE_KERNELS_OF

template <class F, class T>
PixelKernel<T> pixel_kernel_of(CudaLoop loop) {
    switch (loop) {
        case CudaLoop::kEveryStep:
            return &escape_pixels<F, CudaLoop::kEveryStep, T>;
        case CudaLoop::kBlocks:
            return &escape_pixels<F, CudaLoop::kBlocks, T>;
        case CudaLoop::kSeveral:
            return &escape_pixels<F, CudaLoop::kSeveral, T>;
        case CudaLoop::kRegroup:
            return &escape_regroup<F, T>;
        case CudaLoop::kRefill:
            break;
    }
    return nullptr;
}

/// Defines both for T; once per escape_<type>.cu.
#define WARPSCOPE_PIXEL_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                          \
        return pixel_kernel_of<scalar::Name, Number>(loop);
#define WARPSCOPE_REFILL_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                           \
        return &escape_refill<scalar::Name, Number>;
#define WARPSCOPE_KERNELS_OF(T)                                        \
    template <>                                                        \
    PixelKernel<T> pixel_kernel<T>(Formula formula, CudaLoop loop) {   \
        using Number = T;                                              \
        switch (formula) { WARPSCOPE_FORMULAS(WARPSCOPE_PIXEL_CASE) }  \
        return nullptr;                                                \
    }                                                                  \
    template <>                                                        \
    RefillKernel<T> refill_kernel<T>(Formula formula) {                \
        using Number = T;                                              \
        switch (formula) { WARPSCOPE_FORMULAS(WARPSCOPE_REFILL_CASE) } \
        return nullptr;                                                \
    }

}  // namespace warpscope::kernels
