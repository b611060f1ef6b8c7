// SPDX-License-Identifier: MIT
// Results as JSON, for scripts and committed figures.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/engine/compare.h"
#include "kernels/engine/device_info.h"
#include "kernels/engine/occupancy.h"
#include "kernels/engine/trace.h"
#include "kernels/lab/lab.h"
#include "render/interop.h"

namespace warpscope {

/// {"median", "iqr", "min", "max", "n"} in milliseconds.
nlohmann::json to_json(const Distribution& distribution);
nlohmann::json to_json(const Comparison& comparison);
nlohmann::json to_json(const CudaStatus& status);
nlohmann::json to_json(const InteropVerdict& verdict);
nlohmann::json to_json(const Occupancy& occupancy);
nlohmann::json to_json(const LabResult& result);
nlohmann::json to_json(const TraceSummary& summary);

}  // namespace warpscope
