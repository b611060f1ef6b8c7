// SPDX-License-Identifier: MIT
// How long the GPU takes between two points of a frame, from OpenGL's timestamps, without waiting.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "render/objects.h"

namespace warpscope {

/// Measures once a frame; results arrive a few frames later. Several may be nested.
class GpuTimer {
  public:
    /// Marks the beginning. Skips this measurement while the last four have no result yet.
    void begin();
    /// Marks the end; nothing where begin() skipped.
    void end();
    /// The newest result in milliseconds; nothing before the first. Never waits for the GPU.
    std::optional<double> latest_ms();

  private:
    struct Span {
        GlTimestamp begin, end;
    };
    static constexpr std::size_t kSpans = 4;

    std::array<Span, kSpans> spans_;
    std::size_t first_ = 0;    ///< oldest span without a result
    std::size_t pending_ = 0;  ///< spans that ended and have no result yet
    bool open_ = false;
    std::optional<double> latest_;
};

}  // namespace warpscope
