// SPDX-License-Identifier: MIT
// The one table of what the compute tab shows: demos, and the rungs of each from the bottom up.
#pragma once

#include <span>
#include <string_view>

#include "kernels/lab/lab.h"

namespace warpscope::lab {

/// A rung as it is written down; whether it can run here is found out later.
struct RungSpec {
    std::string_view name, backend, title, idea;
    LabBlock block;
    int block_x, block_y;  ///< defaults
    std::string_view source_file, marker;
};

/// Rungs of the demo with this index in lab_demos().
std::span<const RungSpec> ladder(std::size_t demo) noexcept;

}  // namespace warpscope::lab
