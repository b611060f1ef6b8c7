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

/// `blocks` of Mandelbrot's formula compiled for other registers; nullptr where it is not.
template <class T>
Kernel<T> register_variant(RegisterUse registers, Instance instance);
template <>
Kernel<float> register_variant<float>(RegisterUse registers, Instance instance);
template <>
Kernel<double> register_variant<double>(RegisterUse registers, Instance instance);

template <class T>
KernelSet<T> kernels_of(Formula formula, Instance instance);
template <>
KernelSet<float> kernels_of<float>(Formula formula, Instance instance);
template <>
KernelSet<Df64> kernels_of<Df64>(Formula formula, Instance instance);
template <>
KernelSet<double> kernels_of<double>(Formula formula, Instance instance);

template <class F, bool kRecords, class T>
KernelSet<T> kernel_set() {
    KernelSet<T> set{&escape_pixels<F, Test::kEveryStep, kRecords, T>,
                     &escape_pixels<F, Test::kBlocks, kRecords, T>, &escape_first<F, kRecords, T>,
                     &escape_next<F, kRecords, T>, nullptr};
    if constexpr (!std::is_same_v<T, Df64>) set.rows = &escape_rows<F, kRecords, T>;
    return set;
}

/// What each of those specialisations is.
template <class T>
KernelSet<T> find_kernels(Formula formula, Instance instance) {
    const bool records = instance == Instance::kRecording;
    switch (formula) {
#define WARPSCOPE_CASE(Name, key, power, title, re, im, zoom) \
    case Formula::k##Name:                                    \
        return records ? kernel_set<scalar::Name, true, T>() : kernel_set<scalar::Name, false, T>();
        WARPSCOPE_FORMULAS(WARPSCOPE_CASE)
#undef WARPSCOPE_CASE
    }
    return {};
}

}  // namespace warpscope::kernels
