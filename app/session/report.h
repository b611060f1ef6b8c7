// SPDX-License-Identifier: MIT
// What a run of frames was and cost, as JSON for scripts and tests.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/session/state.h"

namespace warpscope {

/// The numbers of `warpscope --offscreen --report F.json`.
struct FrameReport {
    std::vector<double> frame_ms;   ///< one a frame, wall time
    std::vector<double> kernel_ms;  ///< one a frame that ran a kernel
    std::string backend, device;    ///< "cuda", "NVIDIA H200"
    std::string precision;          ///< "float", "df64" or "double"
    bool interop_active = false;
    std::string interop_reason;  ///< why, or why not
    Scene scene;
    int width = 0, height = 0;                         ///< pixels
    nlohmann::json extras = nlohmann::json::object();  ///< further keys of the top level
};

/// The report: frames, frame_ms and kernel_ms {median, p99, max} (null where there were none),
/// backend, device, precision, interop {active, reason}, view {re, im, zoom as decimal strings,
/// formula, power, julia, max_iter, bailout, width, height}. Extras never replace one of these.
nlohmann::json to_json(const FrameReport& report);

/// The value that `percent` (0 to 100) of `values` do not exceed, linear between neighbours as in
/// timing.h; NaN where there are no values or NaN is among them (JSON writes it as null).
double percentile(std::vector<double> values, double percent);

/// {"median": …, "p99": …, "max": …, "min": …, "iqr": …, "n": …}; all but n null without values.
nlohmann::json summary_json(const std::vector<double>& values);

/// Writes `json` indented, whole or not at all. Throws FileError.
void write_json(const std::filesystem::path& path, const nlohmann::json& json);

}  // namespace warpscope
