// SPDX-License-Identifier: MIT
// What a processor's memory moves at best: arrays far larger than the caches, streamed through once
// a run. The sibling of fma_meter.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace warpscope {

/// What a stream consists of. Memory is not equally fast at all of them. [McCalpin: STREAM, 1995]
enum class Traffic : std::uint8_t {
    kRead,   ///< one array is summed up
    kWrite,  ///< one array is filled
    kCopy,   ///< one is read, one written
    kAdd,    ///< two are read, one written
};
inline constexpr std::array kTraffics{Traffic::kRead, Traffic::kWrite, Traffic::kCopy,
                                      Traffic::kAdd};

/// "read", "write", "copy", "add".
constexpr std::string_view traffic_name(Traffic traffic) noexcept {
    constexpr std::array<std::string_view, 4> kNames{"read", "write", "copy", "add"};
    return kNames[static_cast<std::size_t>(traffic)];
}

/// Arrays that the traffic goes through, each read or written once.
constexpr int traffic_arrays(Traffic traffic) noexcept {
    constexpr std::array kArrays{1, 1, 2, 3};
    return kArrays[static_cast<std::size_t>(traffic)];
}

/// One processor, or some threads of it. Used from one thread.
class BandwidthMeter {
  public:
    virtual ~BandwidthMeter() = default;
    BandwidthMeter(const BandwidthMeter&) = delete;
    BandwidthMeter& operator=(const BandwidthMeter&) = delete;

    /// Milliseconds of one run through traffic_arrays() arrays. Throws BackendError.
    virtual double run_ms(Traffic traffic) = 0;

    /// Bytes of one array, at least 1.
    virtual std::size_t array_bytes() const noexcept = 0;

    /// Bytes of the last-level cache, as the system tells; 0 where it does not. Arrays should have
    /// at least twice as many.
    virtual std::size_t cache_bytes() const noexcept = 0;

  protected:
    BandwidthMeter() = default;
};

/// Main memory with `threads` >= 1 threads at once, vectors, and stores that bypass the caches.
/// Throws std::bad_alloc.
std::unique_ptr<BandwidthMeter> make_cpu_bandwidth_meter(int threads);

/// The device memory of a GPU. Throws BackendError where CUDA does not work or memory is short.
std::unique_ptr<BandwidthMeter> make_cuda_bandwidth_meter(int device);

}  // namespace warpscope
