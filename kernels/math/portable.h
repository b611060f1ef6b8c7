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
