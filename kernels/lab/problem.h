// SPDX-License-Identifier: MIT
// A demo's data and what it costs: the part that CPU and CUDA rungs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/lab/lab.h"

namespace warpscope::lab {

enum class Demo : std::uint8_t { kVectorAdd, kSaxpy, kMatmul };

/// Throws LabError naming the demos.
Demo demo_of(std::string_view name);

/// Borrowed data of one run, host or device. Vectors have n values; matrices n*n, row-major. Arrays
/// begin at a multiple of 64 bytes (HostBuffer, cudaMalloc).
struct Arrays {
    const float* a;
    const float* b;
    float* out;
    std::size_t n;
    float alpha;  ///< of saxpy
};

/// Values per array.
std::size_t elements(Demo demo, std::size_t n) noexcept;

/// Bytes of the three arrays: each crosses memory at least once.
double compulsory_bytes(Demo demo, std::size_t n) noexcept;

/// Floating-point operations, a fused multiply-add counted as two.
double flops(Demo demo, std::size_t n) noexcept;

/// Value `index` of the array `stream` (0 for a, 1 for b): uniform in [-1, 1), a multiple of 2^-23,
/// by a counter-based generator (splitmix64), so that threads may fill in any order.
float random_value(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) noexcept;

/// The saxpy factor that belongs to `seed`.
float random_alpha(std::uint64_t seed) noexcept;

/// NaN all over: an output that a kernel does not write stays visible.
void poison(std::span<float> values) noexcept;

/// Throws LabError naming needed and free bytes when the host has not `bytes` to give.
void require_host_memory(std::string_view demo, std::size_t n, double bytes);

/// Throws LabError: n, needed and free bytes of `where` ("host" or a GPU's name).
[[noreturn]] void throw_short_of_memory(std::string_view demo, std::size_t n, double needed,
                                        double available, std::string_view where);

/// Owns `count` floats, aligned to a cache line; contents undefined.
class HostBuffer {
  public:
    /// Throws std::bad_alloc.
    explicit HostBuffer(std::size_t count) : count_{count} {
        if (count == 0) return;
        const std::size_t bytes =
            (count * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
        data_ = static_cast<float*>(std::aligned_alloc(kAlignment, bytes));
        if (data_ == nullptr) throw std::bad_alloc{};
    }
    ~HostBuffer() { reset(); }
    HostBuffer(HostBuffer&& other) noexcept
        : data_{std::exchange(other.data_, nullptr)}, count_{std::exchange(other.count_, 0)} {}
    HostBuffer& operator=(HostBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }

    /// Frees the memory now.
    void reset() noexcept {
        std::free(data_);
        data_ = nullptr;
        count_ = 0;
    }
    float* data() const noexcept { return data_; }
    std::span<float> span() const noexcept { return {data_, count_}; }

  private:
    static constexpr std::size_t kAlignment = 64;

    float* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace warpscope::lab
