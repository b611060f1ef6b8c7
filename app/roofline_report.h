// SPDX-License-Identifier: MIT
// What `warpscope roofline` prints and writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/roofline_run.h"

namespace warpscope {

/// How the figures are come by, in sentences.
std::string roofline_method(const RooflineReport& report);

/// Peaks, streams and ridges.
nlohmann::json roofs_json(const MachineRoofs& machine);

/// Roofs, points with their verdicts, and the view they are of.
nlohmann::json to_json(const RooflineReport& report);

/// The roofs, a table of the kernels, and the view's verdict, to standard output.
void print_roofline(const RooflineReport& report);

}  // namespace warpscope
