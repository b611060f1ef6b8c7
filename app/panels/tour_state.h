// SPDX-License-Identifier: MIT
// What the guided tour remembers from frame to frame.
#pragma once

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/tour.h"

namespace warpscope {

/// What a step can point at; panels/pointers.h has their names.
enum class Control : std::uint8_t {
    kFractal,
    kBackend,
    kWorkerThreads,
    kBlockPresets,
    kModelThreads,
    kModelRegisters,
    kSharedMemory,
    kOverlay,
    kTimeline,
    kCompare,
    kExampleBlock,
    kRunLab,
    kTiledRung
};

/// A rectangle of the window.
struct TourRing {
    ImVec2 min, max;
};

struct TourUi {
    bool running = false;
    bool gpu = false;                      ///< which form of the steps is shown
    std::vector<TourStep> steps;           ///< empty before the first start
    std::optional<TourProgress> progress;  ///< kept when the tour is left, so that it can go on
    std::optional<Control> pointed;        ///< what is pointed at now
    int scroll_frames = 0;                 ///< frames in which it must still be scrolled into view
    std::optional<TourRing> ring;          ///< around it, where it was drawn in this frame
    std::set<std::string> shown;           ///< steps whose control was to be seen
    std::size_t corner = 0;                ///< of the room right of the panel, where the card is
    float height = 0;                      ///< of the card, pixels

    /// While it runs.
    const TourForm& form() const { return steps.at(progress->current()).form(gpu); }
};

}  // namespace warpscope
