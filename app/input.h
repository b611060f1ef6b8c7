// SPDX-License-Identifier: MIT
// Mouse and keys become commands and requests.
#pragma once

#include "app/motion.h"
#include "app/panels.h"
#include "app/session/history.h"
#include "app/surface.h"

namespace warpscope {

/// What input may act on. Borrowed for one frame.
struct InputContext {
    const State& state;
    Surface& surface;
    Motion& motion;
    History& history;
    UiState& ui;
    std::string running_backend;  ///< what "auto" stands for now
    std::vector<Command>& commands;
    std::vector<Request>& requests;
};

/// Reads this frame's input; ImGui's frame must have begun. Returns whether the user wants to quit.
bool handle_input(InputContext& context, const SurfaceEvents& events);

/// The pixel under the mouse.
PixelPoint cursor_point(const Surface& surface);

/// A key and what it does, for the list under '?'.
struct KeyHelp {
    const char* keys;
    const char* action;
};
const std::vector<KeyHelp>& key_help();

}  // namespace warpscope
