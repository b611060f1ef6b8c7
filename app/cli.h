// SPDX-License-Identifier: MIT
// The command line. Exit 0 done, 1 failed, 2 usage; errors are one line on stderr.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/application.h"

namespace warpscope {

/// What was asked for makes no sense; exit 2. The message says what is accepted.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Runs the program. Catches everything.
int run_cli(int argc, char** argv);

/// The options that name a picture, as given; empty: not given.
struct ViewOptions {
    std::string location, re, im, zoom, formula, julia, precision;
    std::optional<int> power;
    std::optional<double> max_iter, bailout;
    std::string size;
    std::string backend;
    std::optional<int> device;  ///< CUDA device index
    std::string block;
    std::string kernel;  ///< key of kMethods; empty: not given
};

/// The CUDA device asked for, 0 by default: accepted though there be none. Throws UsageError where
/// there is no such one.
int checked_device(const std::optional<int>& device);

/// The backend they ask for, or the best one. Throws UsageError and BackendError.
std::unique_ptr<Backend> backend_from(const ViewOptions& options);

/// The job they describe over `location`'s scene or the default one: on the grid and in the number
/// type that the window would take with `backend`. Throws UsageError, LocationError, and
/// std::runtime_error beyond double.
FrameJob job_from(const ViewOptions& options, Backend& backend);

/// "1920x1080", within 1x1 to 32768x32768. Throws UsageError.
Extent parse_size(const std::string& text);

/// "32x8", product at most 1024; empty is the default. Throws UsageError that names the option.
BlockShape parse_block(const std::string& text, const char* option = "--block");

/// A sentence that names `key` and the keys of kMethods.
std::string unknown_method(const std::string& key);

/// "blocks", a key of kMethods; the default where empty. Throws UsageError naming all keys.
Method parse_method(const std::string& key);

/// Block and kernel that they name over the defaults. Throws UsageError.
Tuning tuning_from(const ViewOptions& options);

struct RenderOptions {
    ViewOptions view;
    std::string png, raw;
};
void run_render(const RenderOptions& options);

struct CompareOptions {
    ViewOptions view;
    bool json = false;
    double seconds = 0.5;
};
void run_compare(const CompareOptions& options);

/// Lists are names parted by commas; empty: all that are usual.
struct BenchOptions {
    bool quick = false, keep_throttled = false;
    std::string json, commit, views, at, types, kernels, backends, blocks, size;
    std::optional<int> device;
    std::optional<double> slowest;  ///< seconds a frame
};
void run_bench(const BenchOptions& options);

struct TraceOptions {
    ViewOptions view;
    std::optional<int> threads, tile;  ///< of CPU backends
    std::string out, perfetto;         ///< files to write; empty: none
    std::string from;                  ///< file to read instead of recording
    bool json = false;
};
void run_trace(const TraceOptions& options);

struct RooflineOptions {
    ViewOptions view;
    bool view_only = false;
    std::string json;  ///< file to write; empty: none
};
void run_roofline(const RooflineOptions& options);

struct DevicesOptions {
    bool json = false;
    int device = 0;
    std::string interop = "auto";
};
void run_devices(const DevicesOptions& options);

struct OccupancyOptions {
    std::string cc;
    int threads = 256, registers = 32, shared = 0;
    bool json = false;
};
void run_occupancy(const OccupancyOptions& options);

struct LabOptions {
    std::string demo, backend = "all";
    std::optional<double> n;
    std::string block;
    std::string seed;
    int device = 0;
    bool warm = false, json = false;
};
void run_lab(const LabOptions& options);

struct ExploreOptions {
    ViewOptions view;  ///< location, size, backend, device, block and kernel alone
    bool offscreen = false, no_panels = false, timeline = false;
    std::optional<int> frames;  ///< absent: until the window is closed; offscreen 1
    std::optional<int> tour;    ///< step that the guided tour begins at; absent: no tour
    std::string screenshot, report, interop = "auto", tab, overlay;
};
void run_explore(const ExploreOptions& options);

InteropChoice parse_interop(const std::string& text);

}  // namespace warpscope
