// SPDX-License-Identifier: MIT
// Device memory in which orbits wait between launches. Include from CUDA-built files only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_cuda.h"

namespace warpscope {

/// A place per pixel, or two queues in turn for CudaLoop::kCompact.
class WaitingRoom {
  public:
    /// Makes room for a band of so many pixels.
    void open(CudaLoop loop, std::size_t pixels, Precision precision, cudaStream_t stream) {
        number_bytes_ = precision == Precision::kFloat ? sizeof(float) : sizeof(double);
        constexpr std::size_t kAligned = 32;
        capacity_ = (pixels + kAligned - 1) / kAligned * kAligned;
        const bool queues = loop == CudaLoop::kCompact;
        const std::size_t bytes = queues ? 2 * queue_bytes() : capacity_ * 2 * number_bytes_;
        if (memory_.size() < bytes) memory_ = DeviceBuffer<std::byte>{bytes};
        if (!queues) return;
        if (counts_.size() != 0) return;
        counts_ = DeviceBuffer<std::uint32_t>{kSets * kQueueCounts};
        CUDA_CHECK(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream));
    }

    void* places() const { return memory_.data(); }

    /// Gives a band the queue that the launch before filled, the other one, which is empty, and the
    /// counts that the launch after it will need at 0. Three sets in turn do, whenever a band's
    /// first launch comes.
    void turn(Band& band) {
        band.queue = queue(launches_);
        band.rest = queue(launches_ + 1);
        band.clear = counts(launches_ + 2);
        ++launches_;
    }

  private:
    static constexpr std::size_t kSets = 3;

    std::size_t queue_bytes() const {
        return capacity_ * (2 * number_bytes_ + sizeof(std::uint32_t));
    }

    Queue queue(std::size_t launch) const {
        std::byte* const x = memory_.data() + launch % 2 * queue_bytes();
        std::byte* const y = x + capacity_ * number_bytes_;
        return {x, y, reinterpret_cast<std::uint32_t*>(y + capacity_ * number_bytes_),
                counts(launch)};
    }

    std::uint32_t* counts(std::size_t launch) const {
        return counts_.data() + launch % kSets * kQueueCounts;
    }

    DeviceBuffer<std::byte> memory_;
    DeviceBuffer<std::uint32_t> counts_;
    std::size_t number_bytes_ = 0, capacity_ = 0, launches_ = 0;
};

}  // namespace warpscope
