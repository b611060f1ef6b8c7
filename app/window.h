// SPDX-License-Identifier: MIT
// The real window, through GLFW.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "app/surface.h"

namespace warpscope {

/// No window can be opened; the message says why and what to do.
struct WindowError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Opens a window of `size` screen units with an OpenGL 4.5 core context and connects Dear ImGui,
/// whose context must exist, to it. Throws WindowError or GlError.
std::unique_ptr<Surface> open_window(const std::string& title, Extent size);

}  // namespace warpscope
