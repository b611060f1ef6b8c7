// SPDX-License-Identifier: MIT
// What the last frames cost, part by part.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace warpscope {

/// Milliseconds of one frame. An absent part did not happen or is not known yet.
struct FrameCost {
    double total = 0;              ///< from this frame's begin to the next one's, host clock
    double cpu = 0;                ///< of it, the main thread was at work (not in swap or sleep)
    std::optional<double> map;     ///< cudaGraphicsMapResources, host clock
    std::optional<double> kernel;  ///< CUDA events; CPU: wall time of the workers
    std::optional<double> copy;    ///< device to host, CUDA events; absent with interop
    std::optional<double> unmap;   ///< cudaGraphicsUnmapResources, host clock
    std::optional<double> upload;  ///< host to OpenGL, host clock; absent with interop
    std::optional<double> draw;    ///< colouring and copy to the window, GL timestamps
    std::optional<double> ui;      ///< panels, GL timestamps
};

/// The one in the middle; absent where there is none.
std::optional<double> middle(std::vector<double> values);

/// The last kCapacity frames, oldest first.
class FrameLog {
  public:
    static constexpr std::size_t kCapacity = 240;

    void add(const FrameCost& cost);
    std::size_t size() const noexcept { return size_; }
    /// 0 is the oldest.
    const FrameCost& operator[](std::size_t i) const noexcept {
        return ring_[(next_ + kCapacity - size_ + i) % kCapacity];
    }

    /// Median over the last `frames` frames that have the part; absent where none has.
    std::optional<double> median(std::optional<double> FrameCost::*part, std::size_t frames) const;
    std::optional<double> median(double FrameCost::*part, std::size_t frames) const;

  private:
    std::array<FrameCost, kCapacity> ring_{};
    std::size_t next_ = 0, size_ = 0;
};

}  // namespace warpscope
