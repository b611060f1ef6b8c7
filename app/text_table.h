// SPDX-License-Identifier: MIT
// Tables for a terminal.
#pragma once

#include <string>
#include <vector>

#include "kernels/engine/timing.h"

namespace warpscope {

/// Prints rows of cells in aligned columns to standard output; the first row is the heading. A row
/// may have fewer cells: its last one may be as long as it likes.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// "1.24 ms ±0.8 %": median and interquartile range; "—" without samples.
std::string spread(const Distribution& distribution);

}  // namespace warpscope
