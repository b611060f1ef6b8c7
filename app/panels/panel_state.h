// SPDX-License-Identifier: MIT
// What the Explore, Colour and Device panels remember from frame to frame: typed text, things that
// are asked once. Nothing here is part of the program's state.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

struct ExploreFields {
    std::string re, im, zoom;        ///< Go to coordinates, as typed
    std::string go_problem;          ///< what is wrong with them
    std::string julia_re, julia_im;  ///< Julia's c, as typed
    std::string julia_problem;
    std::string title, path;   ///< Save place, Open place
    bool all_places = false;   ///< the whole list is unfolded
    std::string delete_asked;  ///< id of the place whose Delete was pressed once
};

/// A palette as it is drawn in the list: colours of evenly spaced turns, the last the first again.
struct PaletteSwatch {
    static constexpr std::size_t kColors = 33;
    std::array<ImU32, kColors> colors{};
};

struct ColourMemory {
    std::vector<PaletteSwatch> swatches;  ///< filled one a frame
};

struct DeviceMemory {
    std::string cpu, isa;  ///< empty before they were asked
    int threads = 0;
    std::vector<BackendChoice> backends;
};

}  // namespace warpscope
