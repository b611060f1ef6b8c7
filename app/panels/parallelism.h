// SPDX-License-Identifier: MIT
// The parts of the Parallelism panel, top to bottom.
#pragma once

#include "app/panels.h"
#include "kernels/engine/occupancy.h"

namespace warpscope {

/// Threads per block with idle lanes, or threads and tiles of the CPU.
void block_section(PanelContext& context);
/// Autotune, and its map of time over them.
void landscape_part(PanelContext& context);
/// The rungs of the escape loop with their figures, free switches, and the last frame's lanes.
void ladder_section(PanelContext& context);
/// Where this frame's time went, and the last 240 frames.
void time_section(PanelContext& context);
/// Occupancy of the running kernel, or of any listed GPU as a model.
void occupancy_section(PanelContext& context);
/// What if a thread had more registers, a block more shared memory: on the running CUDA kernel,
/// which must be there.
void what_if_part(PanelContext& context);
/// What is laid over the fractal, with its histogram or the grid's run.
void overlay_section(PanelContext& context);
/// Switches the timeline on; its files.
void timeline_section(PanelContext& context);
/// The running kernel under the measured roofs of its processor.
void roofline_section(PanelContext& context);
/// All rungs side by side.
void compare_section(PanelContext& context);

/// A GPU and what a kernel needs of it.
struct OccupancySubject {
    const GpuArch* arch = nullptr;
    BlockNeeds needs;
    int sm_count = 0;   ///< 0 where no device is present
    bool model = true;  ///< the kernel does not run there
    std::string name;
};
/// The kernel that runs on the present device; absent where none does.
std::optional<OccupancySubject> running_subject(const PanelContext& context);
/// The same for `kernel` on the present device and block shape.
OccupancySubject subject_of(const PanelContext& context, const KernelResources& kernel);

/// Theoretical beside achieved occupancy, big, and the switch that has the latter measured.
void occupancy_numbers(PanelContext& context, const OccupancySubject& subject,
                       const Occupancy& now);
/// Resident warps over the time of the trace that the timeline shows, where it is a GPU's.
void achieved_chart(PanelContext& context);
/// Occupancy against threads, registers and shared memory, with the present point.
void occupancy_charts(const PanelContext& context, const OccupancySubject& subject,
                      const Occupancy& now);

/// Whether the running backend is a GPU.
bool on_gpu(const PanelContext& context);

}  // namespace warpscope
