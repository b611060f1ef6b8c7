// SPDX-License-Identifier: MIT
// What of a frame has been computed, and what to compute next: from coarse to fine, always on the
// frame's own grid, so that no sample is computed twice and none is thrown away by a pan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

/// Steps are powers of two up to this.
inline constexpr int kCoarsestStep = 32;

/// Most regions that a Coverage has.
inline constexpr std::size_t kMaxRegions = 8;

/// Pixels with x0 <= x < x1, y0 <= y < y1. Those at multiples of `step` of the lattice are there;
/// none where it is 0.
struct Region {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int step = 0;
    std::int64_t area() const noexcept { return std::int64_t{x1 - x0} * (y1 - y0); }
    bool operator==(const Region&) const = default;
};

/// The next piece of work on a frame, and what is there when it is done.
struct Pass {
    /// None where every pixel lies between those of a coarse lattice; finish() such a pass at once.
    std::vector<Part> parts;
    std::vector<Region> after;
    int step = 0;
    std::int64_t pixels = 0;
};

/// Regions that share no pixel and together are the frame. Pixel (x, y) stands at (x + origin_x,
/// y + origin_y) of a lattice that stays where it is when the frame moves by whole pixels.
class Coverage {
  public:
    /// Of no frame at all.
    Coverage() = default;
    /// Of `job`, of which nothing is there yet.
    explicit Coverage(const FrameJob& job);

    /// What is there of `job` when samples that it shares with `before`, the frame of this
    /// coverage, are carried over; absent where it shares none. See uncovered().
    std::optional<Coverage> moved(const FrameJob& before, const FrameJob& job) const;

    /// What to compute next: the coarsest first, and of what is not there at all every
    /// `first_step`-th pixel. Absent where nothing is missing.
    std::optional<Pass> next(int first_step) const;

    /// The pass was computed. Finer passes that would compute nothing count as computed too: when
    /// no pixel is missing, it is complete.
    void finish(const Pass& pass);

    bool complete() const noexcept;         ///< every pixel is there
    bool visible() const noexcept;          ///< no region is empty
    std::int64_t missing() const noexcept;  ///< pixels still to be computed
    /// Pixels of regions that are empty.
    std::int64_t empty() const noexcept;

    const std::vector<Region>& regions() const noexcept { return regions_; }
    int origin_x() const noexcept { return origin_x_; }
    int origin_y() const noexcept { return origin_y_; }
    bool operator==(const Coverage&) const = default;

  private:
    void keep_only(Region kept);
    void take(const Pass& pass);

    int width_ = 0, height_ = 0;
    int origin_x_ = 0, origin_y_ = 0;
    std::vector<Region> regions_;
};

}  // namespace warpscope
