// SPDX-License-Identifier: MIT
// How often which count occurs in a frame: counted by a compute shader where the samples lie, read
// back without waiting.
//
// Counts below kExactCounts have a bin each. Above, every octave has kBinsPerOctave bins of equal
// width, so that a bin is at most 1/128 (0.8 %) of its counts wide. [The idea of HdrHistogram]
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/objects.h"
#include "render/readback.h"
#include "render/sample_grid.h"

namespace warpscope {

inline constexpr std::uint32_t kExactCounts = 256;
inline constexpr std::uint32_t kBinsPerOctave = 128;
inline constexpr std::size_t kCountBins = kExactCounts + 24 * kBinsPerOctave;

/// The bin of a count; 0 is that of points that never escape.
std::size_t count_bin(std::uint32_t count) noexcept;

/// The smallest count of a bin. `bin` up to kCountBins, whose answer is 2^32.
std::uint64_t first_count(std::size_t bin) noexcept;

/// The counts of one frame.
struct CountSummary {
    std::array<std::uint32_t, kCountBins> bins{};  ///< pixels
    std::uint64_t sum = 0;                         ///< of all counts
    std::uint32_t least = 0, most = 0;             ///< of those that escape; 0 where none does

    std::uint64_t pixels() const noexcept;   ///< all of them
    std::uint64_t escaped() const noexcept;  ///< pixels with a count
    /// Mean of the counts, exact; 0 where no point escapes.
    double mean() const noexcept;
    /// Median of the counts: exact below kExactCounts, above to 0.4 %, being the middle of its bin.
    double median() const noexcept;
};

/// The context must be current in every call.
class CountHistogram {
  public:
    /// Throws GlError where the shader does not compile.
    CountHistogram();

    /// Orders the histogram of a grid, all of whose samples are there. One under way is given up.
    void measure(const SampleGrid& grid);

    /// Whether one is under way.
    bool pending() const noexcept { return readback_.pending(); }

    /// It, once, as soon as it is there.
    std::optional<CountSummary> take();

  private:
    GlProgram program_;
    GlBuffer result_;
    Readback readback_;
};

}  // namespace warpscope
