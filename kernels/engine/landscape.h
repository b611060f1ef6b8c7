// SPDX-License-Identifier: MIT
// Measured ways to spread a frame as a map of time, and why one is faster than another, as far as
// figures tell. Plain values and pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/engine/compare.h"
#include "kernels/engine/occupancy.h"

namespace warpscope {

/// A map whose columns are threads along x (CPU: worker threads) and whose rows are threads along y
/// (CPU: tile edges, pixels), both ascending.
struct TimeMap {
    std::vector<int> columns, rows;
    /// Index into the measured points, row by row; -1 where nothing was measured.
    std::vector<int> cells;
    std::size_t best = 0, slowest = 0;  ///< indices into the points

    int at(std::size_t column, std::size_t row) const {
        return cells[row * columns.size() + column];
    }
};

/// The map of autotune()'s result: the given tuning, which comes first there, makes no column or
/// row of its own. Throws std::invalid_argument without points.
TimeMap time_map(const std::vector<TunePoint>& points, bool gpu);

/// Where `value` lies among ascending `steps`, 0 at the first and 1 at the second, logarithmically
/// between two; held within them. `value` and steps at least 1; at least one step.
double place_among(const std::vector<int>& steps, int value);

/// A CUDA kernel on a GPU.
struct KernelOnGpu {
    const GpuArch* arch = nullptr;
    BlockNeeds needs;  ///< its threads do not matter: they are each tuning's own
    int sm_count = 1;
};

/// What is known of one measured point.
struct ShapeFacts {
    Tuning tuning;               ///< with the number of worker threads, never 0
    Distribution kernel;         ///< milliseconds
    double lane_efficiency = 0;  ///< 0 to 1, as in FrameStats
    double covered = 1;          ///< share of the threads that have a pixel, 0 to 1; 1 on a CPU
    /// Turns of all SMs, or of all worker threads, that the blocks or tiles need; absent where a
    /// frame is more than one launch.
    std::optional<Waves> waves;
    std::optional<Occupancy> occupancy;  ///< of CUDA kernels
};

/// Facts of a point that was measured on `job`: by a kernel on `gpu`, or without one by a CPU with
/// `threads` where the tuning leaves them open.
ShapeFacts facts_of(const TunePoint& point, const FrameJob& job,
                    const std::optional<KernelOnGpu>& gpu, int threads);

/// Everything that autotune() found out on `job`.
struct Landscape {
    FrameJob job;
    bool gpu = false;
    std::vector<ShapeFacts> points;  ///< as autotune() measured them
    TimeMap map;                     ///< its indices are those of `points`
};

/// The same arguments as for facts_of(). Throws std::invalid_argument without points.
Landscape landscape(const std::vector<TunePoint>& points, const FrameJob& job,
                    const std::optional<KernelOnGpu>& gpu, int threads);

/// "128×1", or "8 threads, tiles of 64".
std::string shape_name(const ShapeFacts& facts);

/// Whether the medians differ by more than 2 % and by more than either half spread (IQR / 2).
bool differ(const Distribution& a, const Distribution& b);

/// A sentence or two: by how much `fast` is faster than `slow` and what the figures say about why.
/// Says so where they differ by no more than their spread, and where no figure tells.
std::string why_faster(const ShapeFacts& fast, const ShapeFacts& slow);

}  // namespace warpscope
