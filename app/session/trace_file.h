// SPDX-License-Identifier: MIT
// Traces as files: our own, which loses nothing, and the one that Perfetto and chrome://tracing
// open.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/engine/trace.h"

namespace warpscope {

/// A file holds no trace that can be used. The message names it and what is wrong, with the key.
struct TraceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// {"format": "warpscope-trace", "version": 1, …, "spans": {"unit": […], "start_us": […], …}}: a
/// list a field, one item a span.
nlohmann::json to_json(const Trace& trace);

/// What to_json() wrote. Throws TraceError, also on what trace_problem() finds.
Trace parse_trace(std::string_view text);

/// Writes `trace`, a list a line, whole or not at all. Throws FileError.
void save_trace(const std::filesystem::path& path, const Trace& trace);

/// Throws TraceError, and FileError where nothing can be read.
Trace load_trace(const std::filesystem::path& path);

/// `traces` in the Trace Event Format: a process each, a thread per unit (per place on a unit where
/// several spans share one, since events of one thread must not overlap), a complete event per
/// span, and resident warps as a counter. [Chromium: Trace Event Format, "JSON Object Format"]
std::string perfetto_text(std::span<const Trace> traces);

}  // namespace warpscope
