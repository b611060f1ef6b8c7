// SPDX-License-Identifier: MIT
#include "app/panels/roofline_parts.h"

#include <utility>

#include "app/panels/widgets.h"

namespace warpscope {

void measure_roofs_part(PanelContext& context, std::vector<RoofSubject> subjects) {
    Workshop& shop = context.workshop;
    if (shop.roofs.running()) {
        if (progress_with_stop(context, shop.roofs.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    const bool one = subjects.size() == 1;
    if (button(context, one ? "Measure the roof" : "Measure the roofs",
               shop.busy() ? "another measurement runs" : "",
               "Measures what the processor can do at best: fused multiply-adds in registers, in "
               "float and double, and streams through arrays that no cache holds. A second or two; "
               "the fractal rests meanwhile.")) {
        context.requests.emplace_back(StartRoofs{std::move(subjects)});
    }
    if (!shop.roofs.failure().empty()) note(context, shop.roofs.failure());
}

}  // namespace warpscope
