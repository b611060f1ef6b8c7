// SPDX-License-Identifier: MIT
#include "app/frame_log.h"

#include <algorithm>

namespace warpscope {

std::optional<double> middle(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

void FrameLog::add(const FrameCost& cost) {
    ring_[next_] = cost;
    next_ = (next_ + 1) % kCapacity;
    size_ = std::min(size_ + 1, kCapacity);
}

std::optional<double> FrameLog::median(std::optional<double> FrameCost::*part,
                                       std::size_t frames) const {
    std::vector<double> values;
    for (std::size_t i = size_ - std::min(frames, size_); i < size_; ++i) {
        if (const std::optional<double>& value = (*this)[i].*part) values.push_back(*value);
    }
    return middle(std::move(values));
}

std::optional<double> FrameLog::median(double FrameCost::*part, std::size_t frames) const {
    std::vector<double> values;
    for (std::size_t i = size_ - std::min(frames, size_); i < size_; ++i) {
        values.push_back((*this)[i].*part);
    }
    return middle(std::move(values));
}

}  // namespace warpscope
