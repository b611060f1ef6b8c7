// SPDX-License-Identifier: MIT
// The roofs (kernels/engine/roofline.h) that were measured since the start.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/engine/roof_meter.h"

namespace warpscope {

/// Roofs and the processor that they are of.
struct MeasuredRoofs {
    int cuda_device = -1;  ///< a negative number: the CPU
    MachineRoofs machine;
};

/// Measures each subject in turn, one to two seconds each; `progress` is told 0 to 1 and who is at
/// work. After a stop only those with at least one complete run are returned. Throws BackendError.
std::vector<MeasuredRoofs> measure_roofs(
    std::span<const RoofSubject> subjects, const std::stop_token& stop,
    const std::function<void(double fraction, std::string label)>& progress = {});

/// The newest roofs of each processor.
class RoofBook {
  public:
    void add(const std::vector<MeasuredRoofs>& fresh);

    /// Of a CUDA device, or with a negative number of the CPU; null before they were measured.
    const MachineRoofs* find(int cuda_device) const noexcept;

    const std::vector<MeasuredRoofs>& all() const noexcept { return all_; }

  private:
    std::vector<MeasuredRoofs> all_;
};

}  // namespace warpscope
