// SPDX-License-Identifier: MIT
// What a GPU frame costs on either way to the screen, so that the two can be set against each
// other: the buffer shared with OpenGL, and the copy through host memory.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/frame_log.h"
#include "kernels/math/sample.h"
#include "render/sample_buffer.h"

namespace warpscope {

/// Medians over the newest frames of one way, in milliseconds.
struct PathFigures {
    FrameJob job;
    std::size_t frames = 0;
    double kernel = 0;    ///< CUDA events
    double handover = 0;  ///< shared: map and unmap; host copy: copy to the host and upload
    double draw = 0;      ///< colouring, GL timestamps
    double total = 0;     ///< frame to frame; waits for the display where vsync is on
    double delivery() const noexcept { return kernel + handover + draw; }
};

/// How much sharing gains over the host copy for the same job.
struct PathGain {
    double ratio = 0;     ///< delivery with the host copy : with sharing
    double saved_ms = 0;  ///< per frame
};

class PathLog {
  public:
    /// Frames that are kept of each way, and how many after a change do not count: figures of the
    /// GPU come a frame or two late.
    static constexpr std::size_t kFrames = 120, kSettle = 4;

    void add(SamplePath path, const FrameJob& job, const FrameCost& cost);

    /// Absent before enough frames of one job went this way.
    std::optional<PathFigures> figures(SamplePath path) const;

    /// Absent until both ways have figures for the same job.
    std::optional<PathGain> gain() const;

  private:
    struct Series {
        FrameJob job;
        std::vector<FrameCost> frames;
        std::size_t next = 0;
        void clear(const FrameJob& fresh);
        void add(const FrameCost& cost);
    };

    std::array<Series, 2> series_;
    std::optional<SamplePath> last_path_;
    std::size_t settling_ = 0;
};

/// Measures both ways in one go, then goes back to what was chosen. In turns, because a GPU's clock
/// rises while it works: the way that came first would look slow.
class PathTrial {
  public:
    static constexpr int kFramesATurn = 30, kTurns = 4;

    /// `restore` is chosen again at the end.
    void start(InteropChoice restore) noexcept {
        restore_ = restore;
        left_ = kTurns * kFramesATurn + 1;
    }
    bool running() const noexcept { return left_ > 0; }

    /// Call once a frame: what interop has to be probed with before this frame, if anything.
    std::optional<InteropChoice> next_frame() noexcept {
        if (left_ == 0) return std::nullopt;
        --left_;
        if (left_ == 0) return restore_;
        if (left_ % kFramesATurn != 0) return std::nullopt;
        const bool copied = left_ / kFramesATurn % 2 == 0;
        return copied ? InteropChoice::kOff : InteropChoice::kAuto;
    }

  private:
    int left_ = 0;
    InteropChoice restore_ = InteropChoice::kAuto;
};

}  // namespace warpscope
