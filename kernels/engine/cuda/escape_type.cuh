// SPDX-License-Identifier: MIT
// What each escape_<type>.cu offers to escape_cuda.cu: the kernels of one number type. One file a
// type, so that they compile side by side.
#pragma once

#include "kernels/engine/cuda/escape_compact.cuh"

namespace warpscope::kernels {

template <class T>
using Kernel = void (*)(Plane<T>, Band);
template <class T>
using RowKernel = void (*)(Plane<T>, Band, RowTable<T>);

/// Of one formula and number type.
template <class T>
struct KernelSet {
    Kernel<T> every_step, blocks, first, next;
    RowKernel<T> rows;  ///< nullptr for df64, whose steps have registers enough to wait for
};

template <class T>
KernelSet<T> kernels_of(Formula formula);
template <>
KernelSet<float> kernels_of<float>(Formula formula);
template <>
KernelSet<Df64> kernels_of<Df64>(Formula formula);
template <>
KernelSet<double> kernels_of<double>(Formula formula);

template <class F, class T>
KernelSet<T> kernel_set() {
    KernelSet<T> set{&escape_pixels<F, Test::kEveryStep, T>, &escape_pixels<F, Test::kBlocks, T>,
                     &escape_first<F, T>, &escape_next<F, T>, nullptr};
    if constexpr (!std::is_same_v<T, Df64>) set.rows = &escape_rows<F, T>;
    return set;
}

/// What each of those specialisations is.
template <class T>
KernelSet<T> find_kernels(Formula formula) {
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return kernel_set<scalar::Name, T>();
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return {};
}

}  // namespace warpscope::kernels
