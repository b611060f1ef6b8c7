// SPDX-License-Identifier: MIT
// Measures the roofs of a processor (roofline.h): multiply-adds in registers, and streams through
// arrays that no cache holds.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "kernels/engine/bandwidth_meter.h"
#include "kernels/engine/fma_meter.h"
#include "kernels/engine/roofline.h"

namespace warpscope {

/// Whose roofs.
struct RoofSubject {
    int cuda_device = -1;  ///< or a negative number: the CPU
    int cpu_threads = 0;   ///< of the CPU; 0: one per logical processor
};

/// What was measured, each the best of all runs: others only ever take from a peak.
struct MachineRoofs {
    std::string device;     ///< processor or GPU, as it calls itself
    int cpu_threads = 0;    ///< 0 of a GPU
    double float_fma = 0;   ///< fused multiply-adds per second
    double double_fma = 0;  ///< likewise
    std::array<double, kTraffics.size()> bytes_per_second{};  ///< by Traffic
    std::size_t array_bytes = 0;                              ///< of one array of the streams
    std::size_t cache_bytes = 0;  ///< of the last-level cache; 0 where the system does not tell
    std::size_t runs = 0;         ///< of each loop

    /// The fastest way to stream.
    Traffic best_traffic() const noexcept;
    /// For kernels in `type`; df64 is made of floats.
    Roofs roofs(Precision type) const noexcept;
    /// Whether a large part of the streams may have come from the cache, so that the memory roof
    /// would be too high.
    bool fits_cache() const noexcept { return array_bytes < 2 * cache_bytes; }
};

/// Measures one processor, again and again if wanted.
class RoofMeter {
  public:
    /// Throws BackendError where the device does not work, std::bad_alloc.
    explicit RoofMeter(const RoofSubject& subject);

    /// Runs all loops some times, a second or two, and raises what was found before. Returns early
    /// after a stop. Throws BackendError.
    void measure(const std::stop_token& stop,
                 const std::function<void(double fraction)>& progress = {});

    const MachineRoofs& found() const noexcept { return found_; }

  private:
    std::unique_ptr<FmaMeter> fma_;
    std::unique_ptr<BandwidthMeter> bandwidth_;
    MachineRoofs found_;
};

/// How roofs are come by, in a sentence or two; for tooltips and reports.
std::string roofs_method(const MachineRoofs& roofs);

}  // namespace warpscope
