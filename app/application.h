// SPDX-License-Identifier: MIT
// The explorer: one state, one loop, on a window or offscreen.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame_loop.h"
#include "app/input.h"
#include "app/overlay_director.h"
#include "app/panels.h"
#include "app/session/history.h"
#include "app/session/location.h"
#include "app/session/report.h"
#include "app/surface.h"
#include "app/tour_facts.h"

namespace warpscope {

/// What the command line says of an explorer run. Empty strings and absent values: nothing said.
struct ExplorerOptions {
    std::optional<Location> location;
    std::string backend;        ///< wins over the settings for this run
    std::optional<int> device;  ///< CUDA device index
    std::optional<BlockShape> block;
    std::optional<Method> method;
    InteropChoice interop = InteropChoice::kAuto;
    Effort effort = Effort::kInteractive;
    std::filesystem::path config;  ///< where settings and places live; empty: nowhere
    bool hide_panels = false;
    std::optional<Tab> tab;
    OverlayKind overlay = OverlayKind::kNone;
    std::filesystem::path trace;  ///< a recorded trace to show; empty: none
    bool timeline = false;        ///< open whatever the settings say
    std::optional<int> tour;      ///< the guided tour is on at this step, from 1
};

class Application {
  public:
    /// Reads settings and places; the surface's context is current and ImGui's context exists.
    /// Throws GlError; BackendError where interop was demanded and is not to be had.
    Application(Surface& surface, const ExplorerOptions& options);
    ~Application();

    /// One frame. Returns whether the user wants to quit. Never throws for a failing backend: it
    /// falls back to the CPU and says why.
    bool frame(const std::function<void()>& before_present = {});

    /// The settings that were changed are written.
    /// Returns why they could not be, empty on success.
    std::string save() const;

    /// A picture that waits to be complete is saved as it is seen; for the end. Returns a sentence
    /// on what became of it, empty where none waits.
    std::string save_waiting_picture();

    /// What ran, for --report.
    FrameReport report() const;

    const State& state() const noexcept { return state_; }

  private:
    void restyle();
    void run_commands();
    void run_requests();
    void apply_command(const Command& command);
    /// Returns whether there is something new to draw.
    bool compute(double budget_ms);
    /// What lies over this frame; null: nothing.
    Overlay* prepare_overlay(double seconds);
    /// What the overlay wants computed beside the picture.
    std::vector<Companion> companions() const;
    void advance_trial();
    void collect_work();
    void learn_kernel();
    void learn_df64();
    /// Whether something in the panels changes by itself.
    bool panels_move(double now) const;
    std::string running_backend() const;

    void operator()(const SavePicture&);
    void operator()(const SavePlace& request);
    void operator()(const OpenPlace& request);
    void operator()(const DeletePlace& request);
    void operator()(const SaveTrace&);
    void operator()(const ExportTrace&);
    void operator()(const OpenTrace& request);
    void operator()(const ListTraces&);
    void operator()(const StartCompare&);
    void operator()(const StartAutotune&);
    void operator()(const StartLadder&);
    void operator()(const StartLab& request);
    void operator()(const StartOccupancySweep& request);
    void operator()(const StartRoofs& request);
    void operator()(const StopWork&);
    void operator()(const ProbeInterop& request);
    void operator()(const MeasurePaths&);
    void operator()(const TurnTour& request);

    /// "20261201-093000".
    static std::string time_stamp();
    /// A file in the current folder that does not exist yet.
    static std::filesystem::path fresh_path(const std::string& ending);
    void open(const Location& location);
    /// What is seen, without panels, to a fresh file. Throws FileError and GlError.
    std::filesystem::path write_picture();
    void open_trace(const std::filesystem::path& path);
    /// Scene, backend, tuning, pause and timeline as in `wanted`.
    void become(const State& wanted);
    void begin_tour(std::size_t step);
    void enter_tour_step(std::size_t step);
    void end_tour(TourTurn turn);
    /// Looks whether the step was done.
    void follow_tour();
    /// For the report: where the tour is, null while none runs.
    nlohmann::json tour_json() const;
    /// For the report: what the timeline shows, null where it is closed.
    nlohmann::json timeline_json() const;
    /// For the report: which two frames an overlay compares, null where none does.
    nlohmann::json pair_json() const;
    std::optional<FrameJob> full_job() const;
    /// Whether what is shown is the present view at full resolution.
    bool picture_complete() const;

    Surface& surface_;
    ExplorerOptions options_;
    CudaStatus cuda_;
    std::string settings_problem_;
    State saved_, state_;  // as kept from run to run, and with the command line over it
    std::optional<KernelResources>
        kernel_;  // of the kernel that runs kernel_job_ as kernel_tuning_ says
    std::vector<RegisterUse> register_uses_;     // that there are of it
    std::vector<KernelResources> rung_kernels_;  // of all rungs, likewise
    FrameJob kernel_job_;
    Tuning kernel_tuning_;
    FrameLoop loop_;
    OverlayDirector overlays_;
    Motion motion_;
    History history_;
    Workshop workshop_;
    UiState ui_;
    /// What the guided tour brings back when it is left.
    struct BeforeTour {
        State state;
        std::string replaced_backend;
        History history;
        PanelsBefore panels;
    };
    std::optional<BeforeTour> before_tour_;
    Look look_;
    float look_scale_ = 0, look_density_ = 1;
    Theme look_theme_ = Theme::kDark;
    PlaceList places_;
    Thumbnails thumbnails_;
    PathTrial trial_;
    std::string replaced_backend_;  // what the CPU stands in for since it failed; else empty
    bool save_pending_ = false;
    Extent drawn_size_;
    std::vector<Command> commands_;
    std::vector<Request> requests_;
    int height_ = 0;  // of the framebuffer, as the state was last told
    double last_frame_ = 0, last_activity_ = 0, cycle_phase_ = 0;
    std::vector<double> frame_ms_, kernel_ms_, cpu_ms_, panels_ms_;
    std::vector<std::string> errors_;  // every error that was shown, for --report
};

}  // namespace warpscope
