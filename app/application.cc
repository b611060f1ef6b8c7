// SPDX-License-Identifier: MIT
#include "app/application.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <ctime>

#include "app/clock.h"
#include "app/session/atomic_file.h"
#include "app/session/coloring.h"
#include "app/session/export.h"
#include "app/session/settings.h"
#include "app/shell.h"
#include "app/theme.h"
#include "kernels/engine/cuda/cuda_backend.h"

namespace warpscope {
namespace {

constexpr double kCpuBudgetMs = 4;                 // how long a frame waits for CPU workers
constexpr double kGpuBudgetMs = 10;                // most work a frame gives a GPU
constexpr double kSleepSeconds = 0.25;             // between frames while nothing moves
constexpr std::size_t kMostFrameTimes = 1u << 20;  // kept for the report: hours of a window

/// The settings with what the command line says over them; `problem` where they could not be read.
State initial_state(const ExplorerOptions& options, std::string& problem) {
    LoadedSettings loaded;
    if (!options.config.empty()) loaded = load_settings(options.config);
    problem = std::move(loaded.message);
    State state = std::move(loaded.state);
    if (!options.backend.empty()) state.backend = options.backend;
    if (options.device) state.device = *options.device;
    if (options.block) state.tuning.block = *options.block;
    return state;
}

std::string time_stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
    return {text, size};
}

/// A file in the current folder that does not exist yet.
std::filesystem::path fresh_picture_path() {
    const std::string stem = "warpscope-" + time_stamp();
    for (int i = 1;; ++i) {
        const std::string name = i == 1 ? stem : stem + "-" + std::to_string(i);
        const std::filesystem::path path = std::filesystem::current_path() / (name + ".png");
        if (!std::filesystem::exists(path)) return path;
    }
}

}  // namespace

Application::Application(Surface& surface, const ExplorerOptions& options)
    : surface_{surface},
      options_{options},
      cuda_{cuda_status()},
      state_{initial_state(options, settings_problem_)},
      saved_{state_},
      loop_{surface, options.effort, options.interop, state_.device},
      history_{Scene{}} {
    ui_.first_frame = last_frame_ = seconds_now();
    if (!settings_problem_.empty()) {
        add_toast(ui_, settings_problem_, Urgency::kError, last_frame_);
    }
    if (options.interop == InteropChoice::kOn && !loop_.verdict().active) {
        throw BackendError{"--interop on cannot be met: " + loop_.verdict().reason};
    }
    ui_.interop = options.interop;
    ui_.panels_hidden = options.hide_panels;
    if (options.tab) ui_.tab = *options.tab;
    if (!options.config.empty()) {
        places_ = load_places(options.config);
    } else {
        places_.places = built_in_places();
    }
    for (const std::string& problem : places_.problems) {
        add_toast(ui_, problem, Urgency::kError, last_frame_);
    }
    if (options.location) open(*options.location);
    run_commands();
    history_ = History{state_.scene};
    surface_.set_vsync(state_.settings.vsync);
}

Application::~Application() {
    workshop_.compare.stop();
    workshop_.autotune.stop();
    workshop_.lab.stop();
}

std::string Application::running_backend() const {
    return loop_.explorer().has_backend() ? loop_.explorer().backend().info().name : "";
}

void Application::restyle() {
    const double wanted = state_.settings.ui_scale;
    const Extent pixels = surface_.framebuffer_size(), units = surface_.window_size();
    // Where a unit of the window is several pixels (Wayland), the system has scaled already.
    const float density = units.width > 0 && pixels.width > 0
                              ? static_cast<float>(pixels.width) / static_cast<float>(units.width)
                              : 1;
    const float monitor = surface_.content_scale() / density;
    const float scale = wanted > 0 ? static_cast<float>(wanted) : std::max(monitor, 0.5f);
    if (scale == look_scale_ && density == look_density_ && state_.settings.theme == look_theme_) {
        return;
    }
    [[maybe_unused]] const bool again = look_scale_ > 0;
    look_ = apply_look(state_.settings.theme, scale, density);
    look_scale_ = scale;
    look_density_ = density;
    look_theme_ = state_.settings.theme;
#if IMGUI_VERSION_NUM < 19200
    // The renderer made its texture from the fonts before. Only that is made anew: 1.86 forgets
    // that fresh buffers are empty. Later versions see to it themselves.
    if (again) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
#endif
}

void Application::apply_command(const Command& command) {
    Applied applied = apply(std::move(state_), command);
    state_ = std::move(applied.state);
    if (!applied.message.empty()) {
        add_toast(ui_, std::move(applied.message), Urgency::kNote, seconds_now());
    }
}

void Application::run_commands() {
    const std::vector<Command> commands = std::exchange(commands_, {});
    for (const Command& command : commands) apply_command(command);
}

void Application::run_requests() {
    // What a panel asked for together belongs together: another device, then its interop probe.
    if (!requests_.empty()) run_commands();
    const std::vector<Request> requests = std::exchange(requests_, {});
    for (const Request& request : requests) {
        try {
            std::visit([this](const auto& what) { (*this)(what); }, request);
        } catch (const std::exception& error) {
            add_toast(ui_, error.what(), Urgency::kError, seconds_now());
            errors_.emplace_back(error.what());
        }
    }
}

void Application::collect_work() {
    workshop_.compare.collect();
    workshop_.autotune.collect();
    workshop_.lab.collect();
}

void Application::learn_kernel() {
    const bool gpu =
        loop_.explorer().has_backend() && loop_.explorer().backend().info().cuda_device >= 0;
    if (!gpu || !loop_.shown()) {
        kernel_.reset();
        return;
    }
    const FrameJob& job = loop_.shown()->job;
    if (kernel_ && kernel_job_.formula == job.formula && kernel_job_.precision == job.precision) {
        return;
    }
    kernel_job_ = job;
    kernel_ = cuda_kernel_resources(job, loop_.explorer().backend().info().cuda_device);
}

void Application::compute(double budget_ms) {
    const Extent size = surface_.framebuffer_size();
    Viewport viewport{size.width, size.height, surface_.attended(), seconds_now()};
    State state = state_;
    // A measurement has the machine to itself.
    state.paused = state.paused || workshop_.busy();
    if (trial_.running()) {
        state.paused = false;
        state.settings.pace = Pace::kLive;
        viewport.attended = true;
    }
    try {
        loop_.compute(state, viewport, budget_ms);
        learn_kernel();
    } catch (const BackendError& error) {
        loop_.explorer().cancel();
        errors_.emplace_back(error.what());
        if (state_.backend == "cpu") throw;  // nothing is left to fall back to
        add_toast(ui_, std::string{"Back to the CPU: "} + error.what(), Urgency::kError,
                  seconds_now());
        apply_command(SetBackend{"cpu"});
    }
}

bool Application::frame(const std::function<void()>& before_present) {
    const double start = seconds_now();
    const bool idle =
        options_.effort == Effort::kInteractive && !motion_.moving() && !workshop_.busy() &&
        !trial_.running() && !state_.color.cycling &&
        loop_.explorer().running_seconds(start) == 0 &&
        (state_.settings.pace == Pace::kEconomy || state_.paused || !surface_.attended()) &&
        start - last_activity_ > 1;
    restyle();
    const SurfaceEvents events = surface_.begin_frame(idle ? kSleepSeconds : 0);
    const double woken = seconds_now();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const double seconds = woken - last_frame_;
    const double total_ms = seconds * 1e3;
    last_frame_ = woken;

    InputContext input{state_, surface_,          motion_,   history_,
                       ui_,    running_backend(), commands_, requests_};
    const bool quit = handle_input(input, events);
    if (!events.keys.empty() || ImGui::IsAnyMouseDown() || ImGui::GetIO().MouseDelta.x != 0 ||
        ImGui::GetIO().MouseDelta.y != 0 || ImGui::GetIO().MouseWheel != 0) {
        last_activity_ = woken;
    }
    const Extent size = surface_.framebuffer_size();
    if (size.height != height_ && size.height > 0) {
        height_ = size.height;
        commands_.push_back(SetWindowHeight{height_});
    }
    for (Command& command : motion_.advance(
             seconds,
             state_.settings.animate_zoom ? Motion::Glide::kAnimated : Motion::Glide::kAtOnce,
             std::max(height_, 1))) {
        commands_.push_back(std::move(command));
    }
    run_commands();
    history_.record(state_.scene, woken);
    collect_work();
    advance_trial();

    const bool gpu =
        loop_.explorer().has_backend() && loop_.explorer().backend().info().cuda_device >= 0;
    compute(gpu ? kGpuBudgetMs : kCpuBudgetMs);
    if (state_.color.cycling && !state_.paused) {
        cycle_phase_ += seconds * static_cast<double>(state_.color.cycle_speed);
    }
    loop_.draw(state_, cycle_phase_);

    PanelContext panels{state_,       loop_,     workshop_,
                        ui_,          look_,     cuda_,
                        kernel_,      places_,   surface_.identity(),
                        thumbnails_,  size,      woken,
                        cycle_phase_, commands_, requests_};
    if (options_.hide_panels) {
        ImGui::EndFrame();
    } else {
        draw_shell(panels);
        ImGui::Render();
        loop_.draw_panels([] { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); });
    }
    thumbnails_.update();
    run_requests();
    const double worked = seconds_now();
    if (before_present) before_present();
    surface_.present();
    const double cpu_ms = (worked - woken) * 1e3;
    const double frame_ms =
        options_.effort == Effort::kComplete ? (seconds_now() - woken) * 1e3 : total_ms;
    loop_.finish(frame_ms, cpu_ms);
    if (frame_ms_.size() < kMostFrameTimes) {
        frame_ms_.push_back(frame_ms);
        cpu_ms_.push_back(cpu_ms);
        if (loop_.explorer().stats().job.width > 0) {
            kernel_ms_.push_back(loop_.explorer().stats().kernel_ms);
        }
    }
    surface_.set_vsync(state_.settings.vsync && !trial_.running());
    return quit;
}

void Application::save() const {
    if (options_.config.empty() || state_ == saved_) return;
    State kept = state_;
    // What the command line asked for holds for this run only.
    if (!options_.backend.empty()) kept.backend = saved_.backend;
    save_settings(options_.config, kept);
}

FrameReport Application::report() const {
    FrameReport report;
    report.frame_ms = frame_ms_;
    report.kernel_ms = kernel_ms_;
    if (loop_.explorer().has_backend()) {
        report.backend = loop_.explorer().backend().info().name;
        report.device = loop_.explorer().backend().info().device;
    }
    if (loop_.shown()) {
        report.precision = loop_.shown()->job.precision == Precision::kFloat ? "float" : "double";
    }
    report.interop_active = loop_.shares_buffer();
    report.interop_reason = loop_.verdict().reason;
    report.scene = state_.scene;
    const Extent size = surface_.framebuffer_size();
    report.width = size.width;
    report.height = size.height;
    report.extras["cpu_ms"] = summary_json(cpu_ms_);
    const std::pair<const char*, std::optional<double> FrameCost::*> parts[] = {
        {"map", &FrameCost::map},     {"kernel", &FrameCost::kernel}, {"copy", &FrameCost::copy},
        {"unmap", &FrameCost::unmap}, {"upload", &FrameCost::upload}, {"draw", &FrameCost::draw},
        {"ui", &FrameCost::ui}};
    for (const auto& [name, part] : parts) {
        const std::optional<double> ms = loop_.log().median(part, FrameLog::kCapacity);
        report.extras["parts_ms"][name] = ms ? nlohmann::json(*ms) : nlohmann::json(nullptr);
    }
    report.extras["block"] = {state_.tuning.block.x, state_.tuning.block.y};
    report.extras["cpu_threads"] = state_.tuning.cpu_threads;
    report.extras["cpu_tile"] = state_.tuning.cpu_tile;
    report.extras["pace"] = state_.settings.pace == Pace::kLive ? "live" : "economy";
    report.extras["paused"] = state_.paused;
    report.extras["palette"] = state_.color.palette;
    report.extras["tab"] = static_cast<int>(ui_.tab);
    report.extras["panels_hidden"] = ui_.panels_hidden;
    report.extras["errors"] = errors_;
    const GlIdentity& gl = surface_.identity();
    report.extras["gl"] = {
        {"vendor", gl.vendor}, {"renderer", gl.renderer}, {"version", gl.version}};
    return report;
}

std::optional<FrameJob> Application::full_job() const {
    const Extent size = surface_.framebuffer_size();
    if (size.width < 1 || size.height < 1) return std::nullopt;
    return plan(state_.scene, size.width, size.height);
}

void Application::open(const Location& location) {
    const Extent size = surface_.framebuffer_size();
    motion_.stop();
    commands_.push_back(SetScene{location.scene, std::max(size.height, 1)});
    if (location.color) commands_.push_back(SetColor{*location.color});
    for (const std::string& text : location.notes) {
        add_toast(ui_, text, Urgency::kNote, seconds_now());
    }
}

void Application::operator()(const SavePicture&) {
    if (!loop_.shown()) return;
    const FrameJob& job = loop_.shown()->job;
    const std::vector<Sample> samples = loop_.read_samples();
    std::vector<std::uint32_t> rgba(samples.size());
    colorize(samples,
             coloring_params(state_.color, cycle_phase_, job.formula, job.width, job.height),
             loop_.palette_table(state_.color.palette), rgba);
    Location place;
    place.scene = state_.scene;
    place.scene.view = loop_.shown()->view;
    place.color = state_.color;
    const std::filesystem::path path = fresh_picture_path();
    write_png(path, job.width, job.height, rgba, to_toml(place));
    add_toast(ui_, "Saved " + path.string(), Urgency::kNote, seconds_now());
}

void Application::operator()(const SavePlace& request) {
    if (options_.config.empty()) throw FileError{"no folder to keep places in: HOME is not set"};
    Location place;
    place.title = request.title.empty() ? "Place " + time_stamp() : request.title;
    place.scene = state_.scene;
    place.color = state_.color;
    const std::filesystem::path path = save_place(options_.config, place);
    places_ = load_places(options_.config);
    add_toast(ui_, "Saved " + path.string(), Urgency::kNote, seconds_now());
}

void Application::operator()(const OpenPlace& request) { open(read_location(request.path)); }

void Application::operator()(const DeletePlace& request) {
    const bool saved =
        std::any_of(places_.places.begin(), places_.places.end(),
                    [&](const Place& place) { return place.saved && place.id == request.id; });
    if (!saved) throw FileError{"'" + request.id + "' is not a saved place"};
    std::error_code error;
    if (!std::filesystem::remove(request.id, error)) {
        throw FileError{"cannot delete '" + request.id +
                        "': " + (error ? error.message() : "it is not there any more")};
    }
    thumbnails_.forget(request.id);
    places_ = load_places(options_.config);
    add_toast(ui_, "Deleted " + request.id, Urgency::kNote, seconds_now());
}

void Application::operator()(const StartCompare&) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    constexpr double kSecondsPerFigure = 0.5;
    workshop_.compare.start([job = *job, tuning = state_.tuning, device = state_.device](
                                std::stop_token stop, WorkProgress& progress) {
        return compare(
            job, tuning, device, kSecondsPerFigure, std::move(stop),
            [&progress](const std::string& rung, double done) { progress.set(done, rung); });
    });
}

void Application::operator()(const StartAutotune&) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    workshop_.autotune_job = *job;
    workshop_.autotune_backend = running_backend();
    workshop_.autotune.start(
        [job = *job, tuning = state_.tuning, device = state_.device, name = running_backend()](
            std::stop_token stop, WorkProgress& progress) {
            return autotune(name, device, job, tuning, std::move(stop),
                            [&progress](double done) { progress.set(done, "Autotune"); });
        });
}

void Application::operator()(const StartLab& request) {
    loop_.explorer().cancel();
    workshop_.lab.start(request.requests);
}

void Application::operator()(const StopWork&) {
    workshop_.compare.request_stop();
    workshop_.autotune.request_stop();
    workshop_.lab.request_stop();
}

void Application::operator()(const ProbeInterop& request) {
    loop_.probe(request.choice, state_.device);
    cuda_ = cuda_status();
    ui_.interop = request.choice;
    ui_.device.backends.clear();
    if (request.choice == InteropChoice::kOn && !loop_.verdict().active) {
        add_toast(ui_, "Interop cannot be had: " + loop_.verdict().reason, Urgency::kError,
                  seconds_now());
    }
}

void Application::operator()(const MeasurePaths&) {
    if (!trial_.running()) trial_.start(ui_.interop);
    ui_.measuring_paths = true;
}

void Application::advance_trial() {
    if (const std::optional<InteropChoice> choice = trial_.next_frame()) {
        loop_.probe(*choice, state_.device);
    }
    ui_.measuring_paths = trial_.running();
}

}  // namespace warpscope
