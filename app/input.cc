// SPDX-License-Identifier: MIT
#include "app/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <cmath>

namespace warpscope {
namespace {

constexpr double kPanStep = 0.1;  // of the window's height, per arrow key

PixelPoint pixel_point(const Surface& surface, MousePlace place) {
    const Extent pixels = surface.framebuffer_size(), units = surface.window_size();
    // The window's units may be coarser than its pixels (HiDPI).
    const double scale_x = units.width > 0 ? static_cast<double>(pixels.width) / units.width : 1;
    const double scale_y = units.height > 0 ? static_cast<double>(pixels.height) / units.height : 1;
    return {place.x * scale_x, place.y * scale_y, std::max(pixels.width, 1),
            std::max(pixels.height, 1)};
}

PixelPoint middle_point(const Surface& surface) {
    const Extent pixels = surface.framebuffer_size();
    return {0.5 * pixels.width, 0.5 * pixels.height, std::max(pixels.width, 1),
            std::max(pixels.height, 1)};
}

void handle_mouse(InputContext& context, const SurfaceEvents& events) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantCaptureMouse) return;
    const PixelPoint cursor = cursor_point(context.surface);
    if (io.MouseWheel != 0) {
        const double factor =
            std::pow(context.state.settings.wheel_factor, static_cast<double>(io.MouseWheel));
        context.motion.zoom(cursor, factor);
        context.ui.moved = true;
    }
    if (events.double_click) {
        context.motion.zoom_to(pixel_point(context.surface, *events.double_click), 2);
        context.ui.moved = true;
        return;
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1.0f)) {
        const Extent pixels = context.surface.framebuffer_size();
        const Extent units = context.surface.window_size();
        const double scale = units.width > 0 ? static_cast<double>(pixels.width) / units.width : 1;
        if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) {
            context.motion.stop();
            const auto dx = static_cast<double>(io.MouseDelta.x);
            const auto dy = static_cast<double>(io.MouseDelta.y);
            context.commands.push_back(context.motion.drag(dx * scale, dy * scale, cursor.height));
            context.ui.moved = true;
        }
    }
}

void travel(InputContext& context, std::optional<Scene> scene) {
    if (!scene) return;
    context.motion.stop();
    context.commands.emplace_back(SetScene{*scene, context.surface.framebuffer_size().height});
}

void turn_tour(InputContext& context, TourTurn turn) {
    context.requests.emplace_back(TurnTour{turn});
}

void escape(InputContext& context) {
    UiState& ui = context.ui;
    if (ui.help_open) {
        ui.help_open = false;
    } else if (!ui.toasts.empty()) {
        ui.toasts.pop_back();
    } else if (ui.panels_hidden) {
        ui.panels_hidden = false;
    } else if (ui.tour.running) {
        turn_tour(context, TourTurn::kLeave);
    } else if (context.surface.fullscreen()) {
        context.surface.toggle_fullscreen();
    }
}

void zoom_key(InputContext& context, double direction) {
    const double factor = std::pow(context.state.settings.wheel_factor, 2 * direction);
    context.motion.zoom(middle_point(context.surface), factor);
}

/// Keys that need Ctrl. Returns whether the user wants to quit.
bool handle_control_key(InputContext& context, int key) {
    switch (key) {
        case GLFW_KEY_Z:
            travel(context, context.history.undo());
            break;
        case GLFW_KEY_Y:
            travel(context, context.history.redo());
            break;
        case GLFW_KEY_Q:
            return true;
        default:
            break;
    }
    return false;
}

/// An arrow key while the mouse is on a slider moves the slider.
bool move_slider(UiState& ui, int key) {
    if (!ui.slider_hovered) return false;
    switch (key) {
        case GLFW_KEY_RIGHT:
        case GLFW_KEY_UP:
            ++ui.arrow_steps;
            return true;
        case GLFW_KEY_LEFT:
        case GLFW_KEY_DOWN:
            --ui.arrow_steps;
            return true;
        default:
            return false;
    }
}

/// What is known by its character: on every layout it is another key.
void handle_character(InputContext& context, char32_t character) {
    switch (character) {
        case U'+':
        case U'=':
            zoom_key(context, 1);
            break;
        case U'-':
            zoom_key(context, -1);
            break;
        case U'?':
            context.ui.help_open = !context.ui.help_open;
            break;
        default:
            break;
    }
}

/// Keys that act again and again while they are held. All others switch something.
bool repeats(int key) {
    return key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT || key == GLFW_KEY_UP ||
           key == GLFW_KEY_DOWN;
}

void handle_plain_key(InputContext& context, KeyPress press) {
    if (press.character != 0) return handle_character(context, press.character);
    if (press.repeat && !repeats(press.key)) return;
    if (move_slider(context.ui, press.key)) return;
    const double step = kPanStep * context.surface.framebuffer_size().height;
    UiState& ui = context.ui;
    switch (press.key) {
        case GLFW_KEY_LEFT:
            context.motion.pan(step, 0);
            break;
        case GLFW_KEY_RIGHT:
            context.motion.pan(-step, 0);
            break;
        case GLFW_KEY_UP:
            context.motion.pan(0, step);
            break;
        case GLFW_KEY_DOWN:
            context.motion.pan(0, -step);
            break;
        case GLFW_KEY_HOME:
            context.motion.stop();
            context.commands.emplace_back(GoHome{});
            break;
        case GLFW_KEY_SPACE:
            context.commands.emplace_back(ToggleBackend{context.running_backend});
            break;
        case GLFW_KEY_P:
            context.commands.emplace_back(TogglePause{});
            break;
        case GLFW_KEY_L:
            context.commands.emplace_back(TogglePace{});
            break;
        case GLFW_KEY_A:
            context.commands.emplace_back(ToggleAntialias{});
            break;
        case GLFW_KEY_T:
            context.commands.emplace_back(ToggleTimeline{});
            break;
        case GLFW_KEY_S:
            context.requests.emplace_back(SavePicture{});
            break;
        case GLFW_KEY_H:
            ui.panels_hidden = !ui.panels_hidden;
            break;
        case GLFW_KEY_M:
            ui.microscope.on = !ui.microscope.on;
            if (ui.microscope.on) {
                ui.tab = Tab::kParallelism;
                ui.panel_open = ui.microscope.show = true;
            }
            break;
        case GLFW_KEY_O:
            ui.overlay.kind = after(ui.overlay.kind);
            break;
        case GLFW_KEY_G:
            turn_tour(context, ui.tour.running ? TourTurn::kLeave : TourTurn::kStart);
            break;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            turn_tour(context, TourTurn::kNext);
            break;
        case GLFW_KEY_BACKSPACE:
            turn_tour(context, TourTurn::kBack);
            break;
        case GLFW_KEY_F11:
            context.surface.toggle_fullscreen();
            break;
        case GLFW_KEY_F1:
            ui.help_open = !ui.help_open;
            break;
        case GLFW_KEY_ESCAPE:
            escape(context);
            break;
        case GLFW_KEY_1:
            ui.tab = Tab::kExplore;
            break;
        case GLFW_KEY_2:
            ui.tab = Tab::kParallelism;
            break;
        case GLFW_KEY_3:
            ui.tab = Tab::kCompute;
            break;
        case GLFW_KEY_4:
            ui.tab = Tab::kColour;
            break;
        case GLFW_KEY_5:
            ui.tab = Tab::kDevice;
            break;
        default:
            break;
    }
}

}  // namespace

PixelPoint cursor_point(const Surface& surface) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return pixel_point(surface, {static_cast<double>(mouse.x), static_cast<double>(mouse.y)});
}

bool handle_input(InputContext& context, const SurfaceEvents& events) {
    context.ui.arrow_steps = 0;
    handle_mouse(context, events);
    for (const int button : events.mouse_buttons) {
        if (button == GLFW_MOUSE_BUTTON_4) travel(context, context.history.undo());
        if (button == GLFW_MOUSE_BUTTON_5) travel(context, context.history.redo());
    }
    for (const std::string& path : events.dropped) {
        if (path.ends_with(".json")) {
            context.requests.emplace_back(OpenTrace{path});
        } else {
            context.requests.emplace_back(OpenPlace{path});
        }
    }
    if (ImGui::GetIO().WantTextInput) return events.close;
    bool quit = events.close;
    for (const KeyPress& press : events.keys) {
        if ((press.modifiers & GLFW_MOD_CONTROL) != 0) {
            quit = handle_control_key(context, press.key) || quit;
        } else {
            handle_plain_key(context, press);
        }
    }
    context.ui.slider_hovered = false;  // the panels of this frame say it anew
    return quit;
}

const std::vector<KeyHelp>& key_help() {
    static const std::vector<KeyHelp> help{
        {"Wheel", "zoom at the cursor"},
        {"Drag", "move"},
        {"Double click", "centre and zoom in"},
        {"Arrows", "move"},
        {"+  -", "zoom in, out"},
        {"Home", "the whole set"},
        {"Space", "CPU or GPU"},
        {"P", "pause"},
        {"L", "live or economy"},
        {"A", "anti-aliasing at rest on or off"},
        {"S", "save the picture as PNG once it is complete; S again: now"},
        {"O", "next overlay: iterations, lanes, who, when, X-ray, split"},
        {"M", "microscope: the warp of a pixel, and its orbit"},
        {"T", "timeline: who computes what, when"},
        {"G", "guided tour; Enter and Backspace: next step, step before"},
        {"H", "hide or show the panels"},
        {"1 … 5", "choose the tab"},
        {"Ctrl Z, Ctrl Y", "view before, after (also mouse back, forward)"},
        {"F11", "fill the screen"},
        {"?  F1", "this list"},
        {"Escape", "leave what was entered last"},
        {"Ctrl Q", "quit"},
    };
    return help;
}

}  // namespace warpscope
