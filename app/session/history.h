// SPDX-License-Identifier: MIT
// Undo and redo of what was looked at.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "kernels/deep/precision.h"

namespace warpscope {

/// A bounded list of scenes with a place in it. Whole scenes, since a view alone means nothing
/// after a change of formula. One gesture (a run of wheel notches, a drag) becomes one entry.
class History {
  public:
    /// Changes closer together than this merge into one entry.
    static constexpr double kMergeSeconds = 0.6;
    static constexpr std::size_t kDefaultCapacity = 256;

    /// Begins at `first`, which no later change overwrites. `capacity` is at least 2.
    explicit History(Scene first, std::size_t capacity = kDefaultCapacity);

    /// Notes what is looked at now; call it as often as you like. `time` in seconds, never falling.
    /// What was undone before is forgotten once something new is recorded.
    void record(const Scene& scene, double time);

    /// The scene before, or after; nothing at either end of the list.
    std::optional<Scene> undo();
    std::optional<Scene> redo();

    bool can_undo() const noexcept { return current_ > 0; }
    bool can_redo() const noexcept { return current_ + 1 < entries_.size(); }
    std::size_t size() const noexcept { return entries_.size(); }

  private:
    std::deque<Scene> entries_;
    std::size_t capacity_;
    std::size_t current_ = 0;
    std::optional<double> last_change_;  ///< when the current entry last changed; empty: closed
};

}  // namespace warpscope
