// SPDX-License-Identifier: MIT
// In how many pixels the counts of two frames differ: counted by a compute shader where the samples
// lie, read back without waiting.
#pragma once

#include <cstdint>
#include <optional>

#include "render/objects.h"
#include "render/readback.h"
#include "render/sample_grid.h"

namespace warpscope {

struct DifferenceSummary {
    std::uint64_t pixels = 0;       ///< of each frame
    std::uint32_t differing = 0;    ///< of them with another count
    std::uint32_t escape_once = 0;  ///< of those: they escape in one of the frames alone
    std::uint32_t most = 0;         ///< largest difference of two counts; 0 where none has two
};

/// The context must be current in every call.
class CountDifferences {
  public:
    /// Throws GlError where the shader does not compile.
    CountDifferences();

    /// Orders the comparison of two grids of one size, all of whose samples are there. One under
    /// way is given up.
    void measure(const SampleGrid& first, const SampleGrid& second);

    /// Whether one is under way.
    bool pending() const noexcept { return readback_.pending(); }

    /// It, once, as soon as it is there.
    std::optional<DifferenceSummary> take();

  private:
    GlProgram program_;
    GlBuffer result_;
    Readback readback_;
    std::uint64_t pixels_ = 0;
};

}  // namespace warpscope
