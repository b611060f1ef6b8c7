// SPDX-License-Identifier: MIT
// The one place that asks which compiler reads a header: nvcc needs functions marked for host and
// device, every other compiler needs nothing.
#pragma once

#ifdef __CUDACC__
#define WARPSCOPE_HD __host__ __device__
#else
#define WARPSCOPE_HD
#endif

#if defined(__CUDA_ARCH__)
#define WARPSCOPE_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define WARPSCOPE_UNROLL  // nvcc's host pass: its g++ would warn of either spelling
#else
#define WARPSCOPE_UNROLL _Pragma("GCC unroll 16")
#endif

// A kernel's parameter that is only read: from compute capability 7.0 on no thread needs a copy.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WARPSCOPE_GRID_CONSTANT __grid_constant__
#else
#define WARPSCOPE_GRID_CONSTANT
#endif

// log2 of a float for colours. On a GPU one instruction, exact to 2^-21 near 1 and to 2 ulp
// elsewhere.
#ifdef __CUDA_ARCH__
#define WARPSCOPE_QUICK_LOG2(value) __log2f(value)
#else
#define WARPSCOPE_QUICK_LOG2(value) ::log2f(value)
#endif

// Whether a warp has instructions that add up its lanes: from compute capability 8.0 on.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WARPSCOPE_WARP_REDUCES 1
#else
#define WARPSCOPE_WARP_REDUCES 0
#endif
