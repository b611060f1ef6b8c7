// SPDX-License-Identifier: MIT
// A view over the picture: what pixels took, or which block computed them, when and how well. It
// moves with the picture, for it is laid into the window by the same reprojection. While no overlay
// is painted it costs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/engine/trace.h"
#include "render/cells.h"
#include "render/objects.h"
#include "render/placement.h"
#include "render/sample_grid.h"

namespace warpscope {

/// Entries of an overlay's colour tables.
inline constexpr int kOverlayColors = 256;

/// RGBA, 8 bits each, sRGB-encoded, R in the lowest byte.
struct OverlayColors {
    std::array<std::uint32_t, kOverlayColors> scale;       ///< from low to high
    std::array<std::uint32_t, kOverlayColors> categories;  ///< of 0, 1, 2, …, and round again
    std::uint32_t interior;                                ///< Iterations: points that never escape
    std::uint32_t missing;    ///< no value; with a clock also: not started yet
    std::uint32_t running;    ///< with a clock: mixed in while a block runs
    std::uint32_t differing;  ///< kDifferences: pixels whose counts are not equal
};

/// Where an overlay's values come from.
enum class OverlaySource : std::uint8_t {
    kCounts,       ///< the samples of the picture itself: their counts
    kCells,        ///< set_cells(): one value a block
    kPixels,       ///< set_levels(): one value a pixel
    kDifferences,  ///< two frames: marks over the picture that `missing` covers
};

/// How values become colours. kCategories takes them modulo kOverlayColors.
enum class OverlayScale : std::uint8_t { kLinear, kLog, kCategories };

/// What to paint.
struct OverlayView {
    OverlaySource source = OverlaySource::kCounts;
    OverlayScale scale = OverlayScale::kLinear;
    float low = 0, high = 1;  ///< values of the first and the last colour; above 0 for kLog
    float opacity = 1;        ///< 0 to 1
    /// Cells show themselves as they start, shine while they run and settle when they end, as far
    /// as this moment of the trace; absent: all at once.
    std::optional<float> clock_us = {};
    /// kDifferences: what to compare, two grids of one size, borrowed until the next set_view().
    SampleGrid first = {}, second = {};
    int reach = 0;  ///< kDifferences: grid pixels around a difference that are marked too, 0 to 8
    /// From the window to the frame of cells, levels or grids; counts lie where the picture does.
    Reprojection reprojection = {};
};

/// A level that stands for no value, and the one of a value in [0, 1], to 1/254.
inline constexpr std::uint8_t kNoLevel = 0;
constexpr std::uint8_t level_of(float value) noexcept {
    return static_cast<std::uint8_t>(1.5f + 254 * value);
}

/// The context must be current in every call.
class Overlay {
  public:
    /// Throws GlError.
    explicit Overlay(const OverlayColors& colors);

    /// The blocks of `trace`, one cell each in the order of first_cells(). Uploads them.
    void set_cells(const Trace& trace, std::span<const Cell> cells);

    /// Values of a frame of width * height pixels, row 0 on top, as level_of() makes them of what
    /// is in [0, 1], or kNoLevel. Uploads them.
    void set_levels(std::span<const std::uint8_t> levels, int width, int height);

    /// What paint() paints from now on.
    void set_view(const OverlayView& view) noexcept { view_ = view; }

    /// Paints over the RGBA8 texture `image` of the window's size, whose picture is that of the
    /// buffer `samples`, lying as `picture` says. Later calls of OpenGL that read the image need a
    /// barrier of their kind. Shaders are compiled when they are first used. Throws GlError.
    void paint(GLuint image, GLuint samples, const Placement& picture);

  private:
    const GlProgram& program();
    Placement placement_over(const Placement& picture) const;

    OverlayView view_;
    std::array<std::optional<GlProgram>, 4> programs_;  // one a source
    GlBuffer colors_, uniforms_, place_, grids_, cells_, levels_;
    int grid_count_ = 0;
    BlockShape shape_;
    int cells_width_ = 0, cells_height_ = 0, levels_width_ = 0, levels_height_ = 0;
};

}  // namespace warpscope
