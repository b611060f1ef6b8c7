// SPDX-License-Identifier: MIT
#include "app/sample_work.h"

#include <algorithm>

namespace warpscope {

bool work_into(SampleBuffer& buffer, Explorer& explorer, double budget_ms) {
    const bool next = explorer.goal() == Goal::kNextFrame;
    buffer.resize(explorer.job().width, explorer.job().height);
    if (const std::optional<CarryOver> carry = explorer.take_carry_over()) {
        buffer.carry_over(carry->dx, carry->dy);
    }
    const Target target = buffer.map(next ? Side::kBack : Side::kFront);
    bool done = false;
    try {
        done = explorer.advance(target, std::max(budget_ms, 0.0));
    } catch (...) {
        buffer.unmap();
        throw;
    }
    buffer.unmap();
    if (!done) return false;
    if (next) {
        buffer.publish();
    } else {
        buffer.refresh();
    }
    return true;
}

}  // namespace warpscope
