// SPDX-License-Identifier: MIT
// What the blocks of a recorded frame leave, from the device into a trace. Include from CUDA-built
// files only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstring>
#include <optional>
#include <vector>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/cuda/escape_cuda.h"

namespace warpscope {

/// Of one frame at a time.
class BlockLog {
  public:
    /// Begins a frame of so many pixels.
    void open(Recording recording, std::size_t pixels) {
        grids_.clear();
        blocks_ = 0;
        full_ = false;
        pixels_ = recording == Recording::kPixels ? pixels : 0;
        if (records_.size() == 0) records_ = DeviceBuffer<BlockRecord>{kMostSpans};
        if (work_.size() < pixels_) work_ = DeviceBuffer<PixelWork>{pixels_};
    }

    /// Room on the device for the records of a launch, in the order of its blocks, or nullptr where
    /// the frame has too many: then it leaves no trace. `part` as in TraceGrid.
    BlockRecord* add(GridShape grid, BlockShape block, const std::optional<Part>& part) {
        const auto count = static_cast<std::size_t>(grid.blocks());
        full_ = full_ || count > kMostSpans - blocks_;
        if (full_) return nullptr;
        grids_.push_back({grid.x, grid.y, part, warp_use(block).warps});
        blocks_ += count;
        return records_.data() + (blocks_ - count);
    }

    /// One a pixel of the frame, or nullptr where that is not recorded.
    PixelWork* pixel_work() const { return pixels_ > 0 ? work_.data() : nullptr; }

    /// Moves grids and spans into `trace`, unordered, after all launches have ended; returns
    /// whether they are all there.
    bool close_into(Trace& trace, const Stream& stream) {
        if (full_) return false;
        if (host_.size() < blocks_) host_ = PinnedBuffer<BlockRecord>{kMostSpans};
        fetch(host_.data(), records_.data(), blocks_ * sizeof(BlockRecord), stream);
        trace.pixel_work.resize(pixels_);
        fetch(trace.pixel_work.data(), work_.data(), pixels_ * sizeof(PixelWork), stream);
        stream.synchronize();
        trace.grids = std::move(grids_);
        add_spans(trace);
        return true;
    }

  private:
    static void fetch(void* to, const void* from, std::size_t bytes, const Stream& stream) {
        if (bytes == 0) return;
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream.get()));
    }

    void add_spans(Trace& trace) const {
        const BlockRecord* record = host_.data();
        if (blocks_ == 0) return;
        const unsigned long long zero = record->start_ns;  // any will do: small numbers keep digits
        const auto us = [zero](unsigned long long ns) {
            return static_cast<double>(static_cast<long long>(ns - zero)) / 1e3;
        };
        trace.spans.clear();
        trace.spans.reserve(blocks_);
        for (std::uint32_t grid = 0; grid < trace.grids.size(); ++grid) {
            for (int y = 0; y < trace.grids[grid].y; ++y) {
                for (int x = 0; x < trace.grids[grid].x; ++x, ++record) {
                    Span span{grid,
                              x,
                              y,
                              static_cast<std::int32_t>(record->sm),
                              0,
                              us(record->start_ns),
                              us(std::max(record->end_ns, record->start_ns)),
                              record->executed,
                              record->lane_steps};
                    span.warp_us = static_cast<double>(record->warp_ns) / 1e3;
                    span.first_warp = static_cast<std::int32_t>(record->first_warp);
                    trace.spans.push_back(span);
                }
            }
        }
    }

    DeviceBuffer<BlockRecord> records_;
    DeviceBuffer<PixelWork> work_;
    PinnedBuffer<BlockRecord> host_;
    std::vector<TraceGrid> grids_;
    std::size_t blocks_ = 0, pixels_ = 0;
    bool full_ = false;
};

}  // namespace warpscope
