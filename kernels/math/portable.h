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
