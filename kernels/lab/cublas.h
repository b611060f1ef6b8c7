// SPDX-License-Identifier: MIT
// NVIDIA's matrix product, loaded when it is asked for: the program starts without cuBLAS, which is
// half a gigabyte, and needs none of its headers.
#pragma once

#include <cstddef>

namespace warpscope::lab {

/// A cuBLAS handle of the current device.
class Cublas {
  public:
    /// Throws LabError when the library is not found or does not start.
    Cublas();
    ~Cublas();
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;

    /// out = a * b in plain float (no TF32), device pointers, (n, n) row-major, queued in `stream`
    /// (cudaStream_t). Throws LabError.
    void multiply(const float* a, const float* b, float* out, std::size_t n, void* stream);

  private:
    void* handle_ = nullptr;
};

}  // namespace warpscope::lab
