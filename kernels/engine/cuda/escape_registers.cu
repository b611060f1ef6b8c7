// SPDX-License-Identifier: MIT
// The loop that tests in blocks, compiled for fewer registers than it wants and for more than it
// needs: to see what occupancy does with all else equal.
#include "kernels/engine/cuda/escape_type.cuh"

namespace warpscope::kernels {
namespace {

/// Code that is never run and has `kCount` values alive at once. A kernel gets all its registers
/// when it is launched, whatever its threads do with them.
template <int kCount>
__device__ void want_registers(const Band& band) {
    if (band.until > 0) return;
    volatile unsigned long long* slots = band.slots;
    volatile auto* words = reinterpret_cast<volatile std::uint32_t*>(slots);
    std::uint32_t kept[kCount];
#pragma unroll
    for (int i = 0; i < kCount; ++i) kept[i] = words[i];
#pragma unroll
    for (int i = 0; i < kCount; ++i) words[kCount - 1 - i] = kept[i];
}

#if CUDART_VERSION >= 12040

/// escape_pixels with no more than `kMost` registers: what does not fit goes to memory and back.
template <int kMost, bool kRecords, class T>
__global__ void __maxnreg__(kMost) escape_narrow(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                 const WARPSCOPE_GRID_CONSTANT Band band) {
    compute_own<scalar::Mandelbrot, Test::kBlocks, kRecords>(plane, band);
}

/// escape_pixels with `kMost` registers, most of them for nothing.
template <int kMost, bool kRecords, class T>
__global__ void __maxnreg__(kMost) escape_roomy(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                const WARPSCOPE_GRID_CONSTANT Band band) {
    constexpr int kOwn = 10;  // for addresses and the like
    compute_own<scalar::Mandelbrot, Test::kBlocks, kRecords>(plane, band);
    want_registers<kMost - kOwn>(band);
}

template <bool kRecords, class T>
Kernel<T> variant(RegisterUse registers) {
    switch (registers) {
        case RegisterUse::kCompiled:
            break;
        case RegisterUse::k24:
            return &escape_narrow<most_registers(RegisterUse::k24), kRecords, T>;
        case RegisterUse::k64:
            return &escape_roomy<most_registers(RegisterUse::k64), kRecords, T>;
        case RegisterUse::k96:
            return &escape_roomy<most_registers(RegisterUse::k96), kRecords, T>;
        case RegisterUse::k128:
            return &escape_roomy<most_registers(RegisterUse::k128), kRecords, T>;
        case RegisterUse::k168:
            return &escape_roomy<most_registers(RegisterUse::k168), kRecords, T>;
        case RegisterUse::k254:
            return &escape_roomy<most_registers(RegisterUse::k254), kRecords, T>;
    }
    return nullptr;
}

#else  // older compilers cannot be told

template <bool kRecords, class T>
Kernel<T> variant(RegisterUse) {
    return nullptr;
}

#endif

template <class T>
Kernel<T> pick(RegisterUse registers, Instance instance) {
    return instance == Instance::kRecording ? variant<true, T>(registers)
                                            : variant<false, T>(registers);
}

}  // namespace

template <>
Kernel<float> register_variant<float>(RegisterUse registers, Instance instance) {
    return pick<float>(registers, instance);
}

template <>
Kernel<double> register_variant<double>(RegisterUse registers, Instance instance) {
    return pick<double>(registers, instance);
}

}  // namespace warpscope::kernels
