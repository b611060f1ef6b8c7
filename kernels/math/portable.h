// SPDX-License-Identifier: MIT
// The one place that asks which compiler reads a header: nvcc needs functions marked for host and
// device, every other compiler needs nothing.
#pragma once

#ifdef __CUDACC__
#define WARPSCOPE_HD __host__ __device__
#else
#define WARPSCOPE_HD
#endif
