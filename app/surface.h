// SPDX-License-Identifier: MIT
// What frames are drawn to: a window, or an offscreen picture that behaves like one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/gl.h"

namespace warpscope {

struct Extent {
    int width = 0, height = 0;
    bool operator==(const Extent&) const = default;
};

/// A key press, as GLFW numbers keys and modifier bits; letters as the user's layout has them. Or a
/// character that was typed, with key 0.
struct KeyPress {
    int key = 0, modifiers = 0;
    bool repeat = false;  ///< the key is being held
    char32_t character = 0;
};

/// A place in the window, in units of the mouse.
struct MousePlace {
    double x = 0, y = 0;
};

/// What happened since the last frame besides what Dear ImGui is told.
struct SurfaceEvents {
    std::vector<KeyPress> keys;      ///< presses and repeats
    std::vector<int> mouse_buttons;  ///< presses of the buttons that ImGui has no use for (4, 5, …)
    std::vector<std::string> dropped;  ///< paths of files dragged onto the window
    bool close = false;
    /// Where the left button was pressed twice; ImGui misses it where a frame takes longer.
    std::optional<MousePlace> double_click;
    bool refresh = false;  ///< the window's content was lost and must be drawn again
};

/// The OpenGL context is current for as long as it lives, and Dear ImGui fed by begin_frame().
class Surface {
  public:
    virtual ~Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    /// Collects events and tells ImGui sizes, time and mouse. With `wait_seconds` > 0 it may sleep
    /// so long for an event.
    virtual SurfaceEvents begin_frame(double wait_seconds) = 0;
    virtual void present() = 0;

    virtual Extent framebuffer_size() const = 0;  ///< pixels
    virtual Extent window_size() const = 0;       ///< units of the mouse
    virtual GLuint framebuffer() const = 0;
    virtual GLuint texture() const = 0;       ///< behind the framebuffer; 0 where there is none
    virtual float content_scale() const = 0;  ///< of the monitor; 1 is 96 dpi
    virtual bool attended() const = 0;        ///< visible and focused
    virtual void set_vsync(bool on) = 0;
    virtual void toggle_fullscreen() = 0;
    virtual bool fullscreen() const = 0;
    virtual const GlIdentity& identity() const = 0;

  protected:
    Surface() = default;
};

}  // namespace warpscope
