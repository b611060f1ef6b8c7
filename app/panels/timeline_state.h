// SPDX-License-Identifier: MIT
// What the timeline remembers from frame to frame.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/background.h"
#include "app/panels/timeline_layout.h"

namespace warpscope {

/// The bars of one view of a trace.
struct TimelineDrawing {
    std::shared_ptr<const TraceStudy> study;
    TimelineView view;
    std::vector<TimelineBar> bars;
};

struct TimelineUi {
    float height = 264;  ///< of the strip, unscaled pixels
    BarColor color = BarColor::kDuration;
    bool pick = false;               ///< clicks on the fractal choose blocks
    std::optional<TimeRange> time;   ///< what is shown; absent: all
    float pitch = 0;                 ///< of the rows, unscaled pixels; 0: as fits
    float scroll = 0;                ///< unscaled pixels
    std::optional<BlockId> chosen;   ///< the block that was clicked
    std::optional<BlockId> pointed;  ///< the one under the mouse, on the fractal or in the strip
    std::optional<BlockId> to_show;  ///< chosen on the fractal: its bar must come into view

    std::shared_ptr<const TraceStudy> opened;  ///< from a file; null: what is recorded here
    std::string opened_name;
    std::string path;                                         ///< Open recorded trace, as typed
    std::optional<std::vector<std::filesystem::path>> files;  ///< recorded traces; absent: unread

    TimelineDrawing drawing;  ///< what is shown; of an older view while one is laid out
    Background<TimelineDrawing> drafting;  ///< of traces that are too long for the main thread
};

}  // namespace warpscope
