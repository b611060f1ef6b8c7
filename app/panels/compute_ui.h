// SPDX-License-Identifier: MIT
// What the Compute tab is set to. Plain values; the panel and its stage change them.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "kernels/lab/lab.h"

namespace warpscope {

/// A rung as the user wants it run.
struct RungChoice {
    bool wanted = true;
    int block_x = 0, block_y = 0;  ///< threads per block; 0: the rung's default
};

/// One demo's settings.
struct DemoChoice {
    std::vector<LabRung> rungs;  ///< asked for once, when the demo is first shown
    std::map<std::string, RungChoice> choices;
    std::size_t n = 0;         ///< at least 1 once the demo was shown
    std::string n_problem;     ///< what was clamped or not understood; empty if nothing
    std::string selected;      ///< the rung whose source is shown
    std::string memory_about;  ///< why n does not fit; empty if it does
    std::size_t memory_n = 0;  ///< the n that memory_about is about
    double memory_since = 0;   ///< and when that was asked, seconds
};

/// The six-element example: which step is shown.
struct ExampleUi {
    int block = 4;     ///< threads per block, 1 to 8
    int step = 0;      ///< 0 to kExampleSteps - 1
    double since = 0;  ///< when this step began, seconds; 0 before the first frame
    bool playing = true;
};

/// What the bars of all rungs are drawn against.
enum class BarScale : std::uint8_t {
    kShared,  ///< the longest row fills the width
    kOwn,     ///< each row fills the width: what a rung's time is made of
};

struct ComputeUi {
    std::size_t demo = 0;  ///< index into lab_demos()
    std::array<DemoChoice, 3> demos;
    LabCache cache = LabCache::kCold;
    BarScale bars = BarScale::kShared;
    std::array<char, 32> n_text{};  ///< what stands in the field for n
    bool n_editing = false;
    bool scroll_to_detail = false;  ///< a rung was just chosen: bring its source into view
    bool scroll_to_top = false;     ///< another demo was just chosen
    ExampleUi example;
};

}  // namespace warpscope
