// SPDX-License-Identifier: MIT
#include "app/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpscope {
namespace {

std::string glfw_problem() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

/// glfwInit and glfwTerminate.
struct GlfwLibrary {
    GlfwLibrary() {
        if (glfwInit() == GLFW_TRUE) return;
        throw WindowError{"no window can be opened here (" + glfw_problem() +
                          "); use --offscreen, or set DISPLAY or WAYLAND_DISPLAY"};
    }
    ~GlfwLibrary() { glfwTerminate(); }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
};

/// A letter's key by what it types, since keyboards place letters differently; else the key itself.
int key_by_layout(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    const bool letter = name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0';
    return letter ? GLFW_KEY_A + (name[0] - 'a') : key;
}

struct DestroyWindow {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};

class Window final : public Surface {
  public:
    Window(const std::string& title, Extent size) {
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        window_.reset(glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr));
        if (!window_) {
            throw WindowError{"no window with OpenGL 4.5 can be opened (" + glfw_problem() +
                              "); over remote desktop or without a graphics driver try "
                              "LIBGL_ALWAYS_SOFTWARE=1, or use --offscreen"};
        }
        glfwMakeContextCurrent(window_.get());
        identity_ = load_gl(glfwGetProcAddress);
        glfwSetWindowUserPointer(window_.get(), this);
        // Before ImGui's, which calls the ones it finds.
        glfwSetKeyCallback(window_.get(),
                           [](GLFWwindow* w, int key, int code, int action, int mods) {
                               if (action == GLFW_RELEASE) return;
                               self(w).events_.keys.push_back(
                                   {key_by_layout(key, code), mods, action == GLFW_REPEAT, 0});
                           });
        glfwSetCharCallback(window_.get(), [](GLFWwindow* w, unsigned character) {
            self(w).events_.keys.push_back({0, 0, false, character});
        });
        glfwSetWindowRefreshCallback(window_.get(),
                                     [](GLFWwindow* w) { self(w).events_.refresh = true; });
        glfwSetMouseButtonCallback(window_.get(), [](GLFWwindow* w, int button, int action, int) {
            if (action != GLFW_PRESS) return;
            if (button > GLFW_MOUSE_BUTTON_MIDDLE) self(w).events_.mouse_buttons.push_back(button);
            if (button == GLFW_MOUSE_BUTTON_LEFT) self(w).note_press();
        });
        glfwSetDropCallback(window_.get(), [](GLFWwindow* w, int count, const char** paths) {
            self(w).events_.dropped.assign(paths, paths + count);
        });
        ImGui_ImplGlfw_InitForOpenGL(window_.get(), true);
        set_vsync(true);
    }

    ~Window() override { ImGui_ImplGlfw_Shutdown(); }

    SurfaceEvents begin_frame(double wait_seconds) override {
        if (wait_seconds > 0) {
            glfwWaitEventsTimeout(wait_seconds);
        } else {
            glfwPollEvents();
        }
        ImGui_ImplGlfw_NewFrame();
        events_.close = glfwWindowShouldClose(window_.get()) == GLFW_TRUE;
        return std::exchange(events_, {});
    }

    void present() override { glfwSwapBuffers(window_.get()); }

    Extent framebuffer_size() const override {
        Extent size;
        glfwGetFramebufferSize(window_.get(), &size.width, &size.height);
        return size;
    }

    Extent window_size() const override {
        Extent size;
        glfwGetWindowSize(window_.get(), &size.width, &size.height);
        return size;
    }

    GLuint framebuffer() const override { return 0; }
    GLuint texture() const override { return 0; }

    float content_scale() const override {
        float x = 1, y = 1;
        glfwGetWindowContentScale(window_.get(), &x, &y);
        return std::max(x, y);
    }

    bool attended() const override {
        return glfwGetWindowAttrib(window_.get(), GLFW_FOCUSED) == GLFW_TRUE &&
               glfwGetWindowAttrib(window_.get(), GLFW_ICONIFIED) == GLFW_FALSE;
    }

    void set_vsync(bool on) override {
        if (vsync_ == on) return;
        vsync_ = on;
        glfwSwapInterval(on ? 1 : 0);
    }

    void toggle_fullscreen() override {
        if (glfwGetWindowMonitor(window_.get()) != nullptr) {
            glfwSetWindowMonitor(window_.get(), nullptr, before_.x, before_.y, before_.size.width,
                                 before_.size.height, GLFW_DONT_CARE);
            return;
        }
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
        if (mode == nullptr) return;
        glfwGetWindowPos(window_.get(), &before_.x, &before_.y);
        before_.size = window_size();
        glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height,
                             mode->refreshRate);
    }

    bool fullscreen() const override { return glfwGetWindowMonitor(window_.get()) != nullptr; }

    const GlIdentity& identity() const override { return identity_; }

  private:
    static Window& self(GLFWwindow* window) {
        return *static_cast<Window*>(glfwGetWindowUserPointer(window));
    }

    /// Two presses of the left button, soon after each other and at the same place, are one more
    /// double click.
    void note_press() {
        constexpr double kSoon = 0.35, kNear = 6;  // seconds, units of the mouse
        MousePlace place;
        glfwGetCursorPos(window_.get(), &place.x, &place.y);
        const double now = glfwGetTime();
        const bool twice = now - pressed_at_ < kSoon && std::abs(place.x - pressed_.x) < kNear &&
                           std::abs(place.y - pressed_.y) < kNear;
        if (twice) events_.double_click = place;
        pressed_ = place;
        pressed_at_ = twice ? -1e9 : now;  // a third press begins anew
    }

    struct Placement {
        int x = 0, y = 0;
        Extent size;
    };

    GlfwLibrary library_;
    std::unique_ptr<GLFWwindow, DestroyWindow> window_;
    GlIdentity identity_;
    SurfaceEvents events_;
    Placement before_;  // of the window, while it fills the screen
    bool vsync_ = false;
    MousePlace pressed_;        // of the left button, the last time
    double pressed_at_ = -1e9;  // GLFW's time, seconds
};

}  // namespace

std::unique_ptr<Surface> open_window(const std::string& title, Extent size) {
    return std::make_unique<Window>(title, size);
}

}  // namespace warpscope
