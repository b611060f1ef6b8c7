// SPDX-License-Identifier: MIT
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "kernels/engine/device_info.h"

namespace warpscope {

std::string cpu_name() {
    std::ifstream cpuinfo{"/proc/cpuinfo"};
    for (std::string line; std::getline(cpuinfo, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown processor";
}

int cpu_thread_count() {
    // What the scheduler allows (taskset, containers), which hardware_concurrency may ignore.
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return std::max(1, CPU_COUNT(&allowed));
    }
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace warpscope
