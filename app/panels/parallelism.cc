// SPDX-License-Identifier: MIT
#include "app/panels/parallelism.h"

#include "app/format.h"
#include "app/panels/microscope.h"
#include "app/panels/widgets.h"

namespace warpscope {

bool on_gpu(const PanelContext& context) {
    const Explorer& explorer = context.loop.explorer();
    return explorer.has_backend() && explorer.backend().info().cuda_device >= 0;
}

void parallelism_panel(PanelContext& context) {
    const Explorer& explorer = context.loop.explorer();
    const std::string who = explorer.has_backend() ? explorer.backend().info().name : "";
    const std::optional<BackendRate> rate = context.loop.shown_rate(who);
    const std::string caption = "to compute a frame on " + who;
    big_number(context, rate ? format_ms(rate->kernel_ms) : "—", caption.c_str(),
               "Computing alone: on the GPU between two CUDA events around the kernel, on the CPU "
               "from the first tile to the last. Median of the newest frames of this view. What it "
               "leaves out stands under Time of this frame.");
    block_section(context);
    ladder_section(context);
    time_section(context);
    occupancy_section(context);
    overlay_section(context);
    microscope_section(context);
    timeline_section(context);
    roofline_section(context);
    compare_section(context);
}

}  // namespace warpscope
