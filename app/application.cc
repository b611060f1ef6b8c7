// SPDX-License-Identifier: MIT
#include "app/application.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>

#include "app/budget.h"
#include "app/clock.h"
#include "app/roofline_report.h"
#include "app/session/settings.h"
#include "app/shell.h"
#include "app/theme.h"
#include "kernels/engine/cuda/cuda_backend.h"

namespace warpscope {
namespace {

constexpr double kMeasuringSeconds = 0.1;          // between frames while something is measured
constexpr double kSleepSeconds = 0.25;             // between frames while nothing moves
constexpr std::size_t kMostFrameTimes = 1u << 20;  // kept for the report: hours of a window

/// The settings as they are kept; `problem` where they could not be read, or will not be kept.
State kept_state(const ExplorerOptions& options, std::string& problem) {
    LoadedSettings loaded;
    if (!options.config.empty()) loaded = load_settings(options.config);
    problem = std::move(loaded.message);
    if (options.effort == Effort::kInteractive) {  // said now, while something can be done about it
        const std::string refusal = settings_refusal(options.config);
        problem += (problem.empty() || refusal.empty() ? "" : " ") + refusal;
    }
    return std::move(loaded.state);
}

/// The same with what the command line says over them.
State initial_state(State state, const ExplorerOptions& options) {
    if (!options.backend.empty()) state.backend = options.backend;
    if (options.device) state.device = *options.device;
    if (options.block) state.tuning.block = *options.block;
    if (options.method) state.tuning.method = *options.method;
    return state;
}

}  // namespace

Application::Application(Surface& surface, const ExplorerOptions& options)
    : surface_{surface},
      options_{options},
      cuda_{cuda_status()},
      saved_{kept_state(options, settings_problem_)},
      state_{initial_state(saved_, options)},
      loop_{surface, options.effort, options.interop, state_.device},
      overlays_{options.effort},
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
    ui_.overlay.kind = options.overlay;
    if (options.timeline || !options.trace.empty()) state_.settings.timeline = true;
    ui_.recording = state_.settings.timeline && !options.hide_panels;
    if (!options.trace.empty()) open_trace(options.trace);
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
    if (options.tour) begin_tour(static_cast<std::size_t>(*options.tour - 1));
    surface_.set_vsync(state_.settings.vsync);
}

Application::~Application() {
    workshop_.compare.stop();
    workshop_.autotune.stop();
    workshop_.ladder.stop();
    workshop_.sweep.stop();
    workshop_.roofs.stop();
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
    const float asked = wanted > 0 ? static_cast<float>(wanted) : std::max(monitor, 0.5f);
    // Never so large that nothing but panels would fit.
    const float most =
        std::min(static_cast<float>(units.width) / 640, static_cast<float>(units.height) / 360);
    const float scale = std::min(asked, std::max(most, 1.0f));
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
    const bool toggles = std::holds_alternative<ToggleBackend>(command);
    if (toggles && !cuda_.problem.empty() && running_backend() != "cuda") {
        add_toast(ui_, "No GPU to switch to: " + cuda_.problem, Urgency::kNote, seconds_now());
        return;
    }
    if (toggles || std::holds_alternative<SetBackend>(command)) replaced_backend_.clear();
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
    workshop_.ladder.collect();
    workshop_.sweep.collect();
    if (workshop_.roofs.collect()) workshop_.roof_book.add(*workshop_.roofs.result());
    workshop_.lab.collect();
}

void Application::learn_kernel() {
    const bool gpu =
        loop_.explorer().has_backend() && loop_.explorer().backend().info().cuda_device >= 0;
    if (!gpu || !loop_.shown()) {
        kernel_.reset();
        rung_kernels_.clear();
        register_uses_.clear();
        return;
    }
    const FrameJob& job = loop_.shown()->job;
    Tuning tuning = state_.tuning;
    if (kernel_ && kernel_job_.formula == job.formula && kernel_job_.precision == job.precision &&
        kernel_tuning_ == tuning) {
        return;
    }
    kernel_job_ = job;
    kernel_tuning_ = tuning;
    const int device = loop_.explorer().backend().info().cuda_device;
    kernel_ = cuda_kernel_resources(job, tuning, device);
    register_uses_ = cuda_register_uses(job, tuning);
    rung_kernels_.clear();
    for (const MethodRung& rung : kMethods) {
        tuning.method = rung.method;
        rung_kernels_.push_back(cuda_kernel_resources(job, tuning, device));
    }
}

/// What the explorer has measured of a GPU that the settings did not know.
void Application::learn_df64() {
    if (!loop_.explorer().has_backend()) return;
    const BackendInfo& info = loop_.explorer().backend().info();
    if (info.cuda_device < 0 || state_.settings.df64.contains(info.device)) return;
    apply_command(LearnDf64{info.device, loop_.explorer().df64_speed()});
}

bool Application::compute(double budget_ms) {
    const Extent size = surface_.framebuffer_size();
    Viewport viewport{size.width, size.height, surface_.attended(), seconds_now()};
    State state = state_;
    // A measurement has the machine to itself.
    state.paused = state.paused || workshop_.busy();
    loop_.record(std::max(recording_for(ui_.overlay.kind),
                          ui_.recording ? Recording::kSpans : Recording::kOff));
    loop_.accompany(companions());
    // What stands beside an unsmoothed picture shall be like it.
    if (ui_.overlay.kind == OverlayKind::kSplit) state.settings.antialias = false;
    if (loop_.wants_recorded_frame()) {
        state.settings.pace = Pace::kLive;
        viewport.attended = true;
    }
    if (trial_.running()) {
        state.paused = false;
        state.settings.pace = Pace::kLive;
        viewport.attended = true;
    }
    try {
        const bool fresh = loop_.compute(state, viewport, budget_ms);
        learn_kernel();
        learn_df64();
        return fresh;
    } catch (const BackendError& error) {
        loop_.explorer().cancel();
        errors_.emplace_back(error.what());
        if (state_.backend == "cpu") throw;  // nothing is left to fall back to
        add_toast(ui_, std::string{"Back to the CPU: "} + error.what(), Urgency::kError,
                  seconds_now());
        const std::string replaced = state_.backend;
        apply_command(SetBackend{"cpu"});
        replaced_backend_ = replaced;
    }
    return false;
}

bool Application::panels_move(double now) const {
    constexpr double kFirstSeconds = 10;  // until the first hint has faded
    if (options_.hide_panels) return false;
    return !ui_.toasts.empty() || ui_.timeline.drafting.running() || ImGui::GetIO().WantTextInput ||
           ui_.tab == Tab::kCompute || ui_.tour.running || ui_.microscope.busy() ||
           thumbnails_.painting() || now - ui_.first_frame < kFirstSeconds;
}

bool Application::frame(const std::function<void()>& before_present) {
    const double start = seconds_now();
    const bool idle =
        options_.effort == Effort::kInteractive && !motion_.moving() && !workshop_.busy() &&
        !trial_.running() && !overlays_.moving() && !state_.color.cycling && loop_.settled() &&
        (state_.settings.pace == Pace::kEconomy || state_.paused || !surface_.attended()) &&
        start - last_activity_ > 1;
    restyle();
    // Drawing must not take the processor from what is measured, least of all where Mesa draws.
    const bool measuring = workshop_.busy();
    const SurfaceEvents events = surface_.begin_frame(idle        ? kSleepSeconds
                                                      : measuring ? kMeasuringSeconds
                                                                  : 0);
    const double woken = seconds_now();
    const double waited = idle || measuring ? woken - start : 0;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const double seconds = woken - last_frame_;
    const double total_ms = (seconds - waited) * 1e3;
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
    follow_tour();

    const bool gpu =
        loop_.explorer().has_backend() && loop_.explorer().backend().info().cuda_device >= 0;
    const bool fresh = compute(gpu ? kGpuBudgetMs : kCpuBudgetMs);
    if (idle && !fresh && last_activity_ != woken && !events.refresh && size == drawn_size_ &&
        !panels_move(woken) && commands_.empty() && requests_.empty()) {
        // Nothing to show that does not stand in the window already.
        ImGui::EndFrame();
        return quit;
    }
    drawn_size_ = size;
    if (state_.color.cycling && !state_.paused) {
        cycle_phase_ += seconds * static_cast<double>(state_.color.cycle_speed);
    }
    const bool split = ui_.overlay.kind == OverlayKind::kSplit;
    loop_.draw(state_, cycle_phase_, prepare_overlay(seconds),
               split ? std::optional<double>{ui_.overlay.split.value_or(0.5f)} : std::nullopt);

    PanelContext panels{state_,
                        loop_,
                        workshop_,
                        ui_,
                        look_,
                        cuda_,
                        kernel_,
                        rung_kernels_,
                        register_uses_,
                        places_,
                        surface_.identity(),
                        thumbnails_,
                        overlays_,
                        size,
                        woken,
                        cycle_phase_,
                        commands_,
                        requests_};
    if (options_.hide_panels) {
        ImGui::EndFrame();
    } else {
        const double begun = seconds_now();
        draw_shell(panels);
        ImGui::Render();
        if (panels_ms_.size() < kMostFrameTimes) {
            panels_ms_.push_back((seconds_now() - begun) * 1e3);
        }
        loop_.draw_panels([] { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); });
    }
    thumbnails_.update();
    if (save_pending_ && picture_complete()) requests_.emplace_back(SavePicture{});
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
        if (fresh && loop_.explorer().stats().job.width > 0) {
            kernel_ms_.push_back(loop_.explorer().stats().kernel_ms);
        }
    }
    surface_.set_vsync(state_.settings.vsync && !trial_.running());
    return quit;
}

std::string Application::save() const {
    if (options_.config.empty()) return {};
    State kept = ui_.tour.running ? after_tour(state_, before_tour_->state) : state_;
    // A backend that failed today may work tomorrow.
    const std::string& replaced =
        ui_.tour.running ? before_tour_->replaced_backend : replaced_backend_;
    if (!replaced.empty()) kept.backend = replaced;
    // What the command line asked for holds for this run only, as long as nothing else is chosen.
    const Tuning& tuning = kept.tuning;
    if (!options_.backend.empty()) kept.backend = saved_.backend;
    if (options_.device == state_.device) kept.device = saved_.device;
    if (options_.block == tuning.block) kept.tuning.block = saved_.tuning.block;
    if (options_.timeline || !options_.trace.empty()) {
        kept.settings.timeline = saved_.settings.timeline;
    }
    if (options_.method == tuning.method) kept.tuning.method = saved_.tuning.method;
    if (kept == saved_) return {};
    return save_settings(options_.config, kept);
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
        report.precision = precision_name(loop_.shown()->job.precision);
    }
    report.interop_active = loop_.shares_buffer();
    report.interop_reason = loop_.verdict().reason;
    report.scene = state_.scene;
    const Extent size = surface_.framebuffer_size();
    report.width = size.width;
    report.height = size.height;
    report.extras["cpu_ms"] = summary_json(cpu_ms_);
    report.extras["panels_cpu_ms"] = summary_json(panels_ms_);
    const std::pair<const char*, std::optional<double> FrameCost::*> parts[] = {
        {"map", &FrameCost::map},     {"kernel", &FrameCost::kernel}, {"copy", &FrameCost::copy},
        {"unmap", &FrameCost::unmap}, {"upload", &FrameCost::upload}, {"draw", &FrameCost::draw},
        {"ui", &FrameCost::ui}};
    for (const auto& [name, part] : parts) {
        const std::optional<double> ms = loop_.log().median(part, FrameLog::kCapacity);
        report.extras["parts_ms"][name] = ms ? nlohmann::json(*ms) : nlohmann::json(nullptr);
    }
    report.extras["block"] = {state_.tuning.block.x, state_.tuning.block.y};
    const MethodRung* rung = rung_of(state_.tuning.method);
    report.extras["kernel"] = rung != nullptr ? nlohmann::json(rung->key) : nlohmann::json(nullptr);
    report.extras["cpu_threads"] = state_.tuning.cpu_threads;
    report.extras["cpu_tile"] = state_.tuning.cpu_tile;
    report.extras["pace"] = state_.settings.pace == Pace::kLive ? "live" : "economy";
    report.extras["paused"] = state_.paused;
    report.extras["antialias"] = state_.settings.antialias;
    report.extras["samples"] = loop_.samples_shown();
    report.extras["palette"] = state_.color.palette;
    report.extras["roofs"] = nlohmann::json::array();
    for (const MeasuredRoofs& roofs : workshop_.roof_book.all()) {
        report.extras["roofs"].push_back(roofs_json(roofs.machine));
    }
    report.extras["overlay"] = info(ui_.overlay.kind).key;
    report.extras["pair"] = pair_json();
    report.extras["timeline"] = timeline_json();
    report.extras["tour"] = tour_json();
    report.extras["tab"] = static_cast<int>(ui_.tab);
    report.extras["panels_hidden"] = ui_.panels_hidden;
    report.extras["errors"] = errors_;
    const GlIdentity& gl = surface_.identity();
    report.extras["gl"] = {
        {"vendor", gl.vendor}, {"renderer", gl.renderer}, {"version", gl.version}};
    return report;
}

}  // namespace warpscope
