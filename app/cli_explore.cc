// SPDX-License-Identifier: MIT
// `warpscope [LOCATION]`: the explorer in a window or offscreen.
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <array>
#include <csignal>
#include <functional>
#include <iostream>

#include "app/cli.h"
#include "app/final_steps.h"
#include "app/offscreen_surface.h"
#include "app/overlay_values.h"
#include "app/session/export.h"
#include "app/session/settings.h"
#include "app/window.h"

namespace warpscope {
namespace {

constexpr Extent kUsualWindow{1280, 720};

/// ImGui's context; without files of its own.
struct ImGuiLibrary {
    ImGuiLibrary() {
        IMGUI_CHECKVERSION();
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
    }
    ~ImGuiLibrary() { ImGui::DestroyContext(); }
    ImGuiLibrary(const ImGuiLibrary&) = delete;
    ImGuiLibrary& operator=(const ImGuiLibrary&) = delete;
};

/// ImGui's renderer in the current context.
struct ImGuiRenderer {
    ImGuiRenderer() { ImGui_ImplOpenGL3_Init("#version 450 core"); }
    ~ImGuiRenderer() { ImGui_ImplOpenGL3_Shutdown(); }
    ImGuiRenderer(const ImGuiRenderer&) = delete;
    ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;
};

std::optional<Tab> parse_tab(const std::string& text) {
    if (text.empty()) return std::nullopt;
    constexpr std::array<const char*, 5> kNames{"explore", "parallelism", "compute", "colour",
                                                "device"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (text == kNames[i]) return static_cast<Tab>(i);
    }
    throw UsageError{"--tab: '" + text +
                     "' is not explore, parallelism, compute, colour or device"};
}

OverlayKind parse_overlay(const std::string& text) {
    if (text.empty()) return OverlayKind::kNone;
    for (const OverlayInfo& overlay : overlay_infos()) {
        if (text == overlay.key) return overlay.kind;
    }
    throw UsageError{"--overlay: '" + text + "' is not one of " + overlay_keys()};
}

std::optional<int> checked_tour_step(std::optional<int> step) {
    if (!step) return step;
    const auto steps = static_cast<int>(load_tour(tour_vocabulary()).size());
    if (*step >= 1 && *step <= steps) return step;
    throw UsageError{"--tour: " + std::to_string(*step) + " is no step; it has 1 to " +
                     std::to_string(steps)};
}

ExplorerOptions explorer_options(const ExploreOptions& options) {
    ExplorerOptions explorer;
    const std::string& from = options.view.location;
    if (from.ends_with(".json")) {
        explorer.trace = from;
    } else if (!from.empty()) {
        explorer.location = read_location(from);
    }
    explorer.backend = options.view.backend;
    if (!explorer.backend.empty())
        make_backend(explorer.backend, checked_device(options.view.device));
    if (options.view.device) explorer.device = checked_device(options.view.device);
    explorer.interop = parse_interop(options.interop);
    explorer.hide_panels = options.no_panels;
    explorer.timeline = options.timeline;
    explorer.tour = checked_tour_step(options.tour);
    explorer.tab = parse_tab(options.tab);
    explorer.overlay = parse_overlay(options.overlay);
    if (!options.view.block.empty()) explorer.block = parse_block(options.view.block);
    if (!options.view.kernel.empty()) explorer.method = parse_method(options.view.kernel);
    if (options.offscreen) {
        explorer.effort = Effort::kComplete;
    } else {
        explorer.config = config_directory();
    }
    return explorer;
}

std::unique_ptr<Surface> make_surface(const ExploreOptions& options) {
    const Extent size = options.view.size.empty() && !options.offscreen
                            ? kUsualWindow
                            : parse_size(options.view.size);
    constexpr int kMostPixels = 16384;  // what OpenGL's textures hold
    if (size.width > kMostPixels || size.height > kMostPixels) {
        throw UsageError{"--size: a window or offscreen picture is at most 16384x16384 pixels"};
    }
    if (!options.offscreen) return open_window("Warpscope", size);
    OffscreenOptions offscreen;
    offscreen.width = size.width;
    offscreen.height = size.height;
    offscreen.cuda_device = checked_device(options.view.device);
    return std::make_unique<OffscreenSurface>(offscreen);
}

void save_screenshot(const std::string& path, const Surface& surface) {
    const Extent size = surface.framebuffer_size();
    std::vector<std::uint32_t> rgba =
        read_framebuffer(surface.framebuffer(), size.width, size.height);
    for (std::uint32_t& pixel : rgba) pixel |= 0xff000000u;  // panels leave their own alpha
    write_png(path, size.width, size.height, rgba, "");
}

/// Set by the first signal to end; a second one ends the program at once.
volatile std::sig_atomic_t stop_requested = 0;

/// Lets SIGINT, SIGTERM and SIGHUP end the loop in order.
void end_loop_on_signals() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void run_frames(Application& application, Surface& surface, const ExploreOptions& options,
                FinalSteps& steps) {
    const int frames = options.frames.value_or(options.offscreen ? 1 : 0);
    const auto capture = [&] { steps.take([&] { save_screenshot(options.screenshot, surface); }); };
    const bool wanted = !options.screenshot.empty();
    bool quit = false;
    for (int done = 0; !quit && stop_requested == 0 && (frames == 0 || done < frames); ++done) {
        const bool last = wanted && frames != 0 && done + 1 == frames;
        quit = application.frame(last ? std::function<void()>{capture} : std::function<void()>{});
    }
    // Closed by hand or by a signal: one more frame, for the picture.
    if (wanted && (quit || stop_requested != 0)) application.frame(capture);
}

void say(const std::string& what) {
    if (!what.empty()) std::cerr << "warpscope: " << what << '\n';
}

}  // namespace

InteropChoice parse_interop(const std::string& text) {
    if (text == "auto") return InteropChoice::kAuto;
    if (text == "on") return InteropChoice::kOn;
    if (text == "off") return InteropChoice::kOff;
    throw UsageError{"--interop: '" + text + "' is not on, off or auto"};
}

void run_explore(const ExploreOptions& options) {
    if (options.frames && *options.frames < 1) throw UsageError{"--frames must be at least 1"};
    const ExplorerOptions explorer = explorer_options(options);
    check_outputs({options.screenshot, options.report});
    const ImGuiLibrary imgui;
    const std::unique_ptr<Surface> surface = make_surface(options);
    const ImGuiRenderer renderer;
    Application application{*surface, explorer};
    end_loop_on_signals();
    FinalSteps steps;
    try {
        run_frames(application, *surface, options, steps);
    } catch (...) {
        say(application.save());  // what was set so far is not lost with the frame
        throw;
    }
    say(application.save_waiting_picture());
    say(application.save());
    if (!options.report.empty()) {
        steps.take([&] { write_json(options.report, to_json(application.report())); });
    }
    steps.finish();
}

}  // namespace warpscope
