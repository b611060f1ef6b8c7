// SPDX-License-Identifier: MIT
#include "app/session/history.h"

#include <algorithm>
#include <utility>

namespace warpscope {

History::History(Scene first, std::size_t capacity)
    : capacity_{std::max<std::size_t>(capacity, 2)} {
    entries_.push_back(std::move(first));
}

void History::record(const Scene& scene, double time) {
    if (entries_[current_] == scene) return;
    const bool merges = last_change_ && time - *last_change_ < kMergeSeconds;
    last_change_ = time;
    entries_.resize(current_ + 1);
    if (merges) {
        entries_[current_] = scene;
        return;
    }
    entries_.push_back(scene);
    if (entries_.size() > capacity_) entries_.pop_front();
    current_ = entries_.size() - 1;
}

std::optional<Scene> History::undo() {
    if (!can_undo()) return std::nullopt;
    last_change_.reset();
    return entries_[--current_];
}

std::optional<Scene> History::redo() {
    if (!can_redo()) return std::nullopt;
    last_change_.reset();
    return entries_[++current_];
}

}  // namespace warpscope
