// SPDX-License-Identifier: MIT
// Everything that is known of this machine, as text to paste into a message.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/path_log.h"
#include "kernels/engine/backend.h"
#include "kernels/engine/device_info.h"
#include "render/interop.h"

namespace warpscope {

struct MachineFacts {
    std::string version;  ///< of Warpscope
    std::string cpu, isa;
    int threads = 0;
    CudaStatus cuda;
    GlIdentity gl;
    InteropVerdict interop;
    std::string running;  ///< backend at work
    std::vector<BackendChoice> backends;
    std::optional<PathFigures> shared, copied;
    std::optional<PathGain> gain;
};

/// One fact a line.
std::string machine_report(const MachineFacts& facts);

/// "13.0" for 13000; "none" for 0.
std::string cuda_version(int number);

/// The memory's theoretical bandwidth in bytes per second: two transfers a clock (a model value);
/// 0 where the driver does not tell clock or width.
double model_bandwidth(const CudaDevice& device);

/// The part of a remedy that can be pasted into a shell (environment and command), or empty.
std::string command_in(const std::string& remedy);

}  // namespace warpscope
