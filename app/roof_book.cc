// SPDX-License-Identifier: MIT
#include "app/roof_book.h"

#include <algorithm>

namespace warpscope {

std::vector<MeasuredRoofs> measure_roofs(
    std::span<const RoofSubject> subjects, const std::stop_token& stop,
    const std::function<void(double fraction, std::string label)>& progress) {
    std::vector<MeasuredRoofs> all;
    const auto count = static_cast<double>(subjects.size());
    for (std::size_t i = 0; i < subjects.size() && !stop.stop_requested(); ++i) {
        RoofMeter meter{subjects[i]};
        const auto tell = [&](double done) {
            if (progress) {
                progress((static_cast<double>(i) + done) / count,
                         "Roofs of " + meter.found().device);
            }
        };
        tell(0);
        meter.measure(stop, tell);
        if (meter.found().runs > 0) {
            all.push_back({std::max(subjects[i].cuda_device, -1), meter.found()});
        }
    }
    return all;
}

void RoofBook::add(const std::vector<MeasuredRoofs>& fresh) {
    for (const MeasuredRoofs& one : fresh) {
        const auto old = std::ranges::find(all_, one.cuda_device, &MeasuredRoofs::cuda_device);
        if (old == all_.end()) {
            all_.push_back(one);
        } else {
            *old = one;
        }
    }
}

const MachineRoofs* RoofBook::find(int cuda_device) const noexcept {
    const auto found =
        std::ranges::find(all_, std::max(cuda_device, -1), &MeasuredRoofs::cuda_device);
    return found != all_.end() ? &found->machine : nullptr;
}

}  // namespace warpscope
