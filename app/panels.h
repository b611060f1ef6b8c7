// SPDX-License-Identifier: MIT
// What panels read and what they may ask for. They change nothing themselves: what the user does
// becomes a Command or a Request, carried out before the next frame.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/background.h"
#include "app/frame_loop.h"
#include "app/lab_run.h"
#include "app/overlay_director.h"
#include "app/panels/compute_ui.h"
#include "app/panels/microscope_state.h"
#include "app/panels/overlay_state.h"
#include "app/panels/panel_state.h"
#include "app/panels/timeline_state.h"
#include "app/panels/tour_state.h"
#include "app/roof_book.h"
#include "app/session/command.h"
#include "app/session/places.h"
#include "app/thumbnails.h"
#include "kernels/engine/compare.h"
#include "kernels/engine/device_info.h"
#include "kernels/engine/landscape.h"
#include "kernels/engine/rungs.h"

struct ImFont;

namespace warpscope {

enum class Tab : std::uint8_t { kExplore, kParallelism, kCompute, kColour, kDevice };

/// What is not a change of state: files, measurements, the interop probe.
struct SavePicture {};
struct SavePlace {
    std::string title;
};
struct OpenPlace {
    std::string path;
};
/// Removes the file of a saved place.
struct DeletePlace {
    std::string id;
};
/// Keeps the trace that the timeline shows, beside the saved places.
struct SaveTrace {};
/// Writes it as ui.perfetto.dev reads it, where pictures go.
struct ExportTrace {};
/// Shows a trace from a file in the timeline.
struct OpenTrace {
    std::string path;
};
/// Looks again which recorded traces there are.
struct ListTraces {};
struct StartCompare {};
/// Times shapes of blocks, or threads and tiles; `gpu` where the running backend is one.
struct StartAutotune {
    std::optional<KernelOnGpu> gpu;
};
/// Times the rungs of the escape loop on the view that is shown.
struct StartLadder {};
/// Measures rungs of a compute demo, in this order.
struct StartLab {
    std::vector<LabRequest> requests;
};
/// Times the running kernel at every occupancy it can be brought down to.
struct StartOccupancySweep {
    std::vector<Tuning> tunings;
};
/// Measures what processors can do at best.
struct StartRoofs {
    std::vector<RoofSubject> subjects;
};
struct StopWork {};
struct ProbeInterop {
    InteropChoice choice = InteropChoice::kAuto;
};
/// Runs both ways to the screen, some frames each, for PathLog's figures.
struct MeasurePaths {};
/// What is asked of the guided tour. kStart goes on where it was left; kLeave brings back what was
/// there before, kKeep does not; kShow opens and scrolls to what is pointed at.
enum class TourTurn : std::uint8_t { kStart, kBack, kNext, kShow, kLeave, kKeep };
struct TurnTour {
    TourTurn turn = TourTurn::kStart;
};
using Request =
    std::variant<SavePicture, SavePlace, OpenPlace, DeletePlace, SaveTrace, ExportTrace, OpenTrace,
                 ListTraces, StartCompare, StartAutotune, StartLadder, StartLab,
                 StartOccupancySweep, StartRoofs, StopWork, ProbeInterop, MeasurePaths, TurnTour>;

/// Whether a toast goes by itself.
enum class Urgency : std::uint8_t { kNote, kError };
struct Toast {
    std::string text;
    Urgency urgency = Urgency::kNote;
    double since = 0;
};

/// The measurements that run beside the window. While one runs, the fractal rests.
struct Workshop {
    Background<Comparison> compare;
    Background<Landscape> autotune;
    Background<std::vector<RungTime>> ladder;
    Background<std::vector<TunePoint>> sweep;
    Background<std::vector<MeasuredRoofs>> roofs;
    LabRun lab;
    RoofBook roof_book;   ///< what `roofs` has found so far
    FrameJob ladder_job;  ///< what the ladder's result is about
    std::string ladder_backend;
    FrameJob sweep_job;  ///< what the occupancy sweep's result is about
    bool busy() const noexcept {
        return compare.running() || autotune.running() || ladder.running() || sweep.running() ||
               roofs.running() || lab.running();
    }
};

/// What the window remembers that is neither state nor setting.
struct UiState {
    Tab tab = Tab::kExplore;
    bool panels_hidden = false;
    bool panel_open = true;
    bool help_open = false;
    bool slider_hovered = false;  ///< then the arrow keys are its, not the view's
    int arrow_steps = 0;          ///< this frame's presses of them: right and up count as more
    /// Index into gpu_archs(): occupancy is a model of it. Absent: of the running kernel's GPU.
    std::optional<int> model_arch;
    int model_registers = 40, model_shared = 0;  ///< where no kernel runs on a GPU
    bool measure_occupancy = false;              ///< traces are recorded for it
    int compiled_registers = 0;  ///< of the running kernel's variant kCompiled, as last seen
    float panel_width = 360;     ///< unscaled pixels
    std::vector<Toast> toasts;
    bool moved = false;      ///< the user has found out how to move: the first hint may go
    double first_frame = 0;  ///< when the window opened, seconds
    ComputeUi compute;
    InteropChoice interop = InteropChoice::kAuto;  ///< what interop was last probed with
    bool measuring_paths = false;
    ExploreFields explore;
    ColourMemory colour;
    DeviceMemory device;
    OverlayChoice overlay;
    MicroscopeUi microscope;
    float legend_height = 0;  ///< of the overlay's legend, unscaled pixels; 0: there is none
    TimelineUi timeline;
    TourUi tour;
    /// Somebody looks at traces of the running backend: those who do say it anew in every frame.
    bool recording = false;
};

/// Fonts and sizes for this window's scale.
struct Look {
    ImFont* text = nullptr;
    ImFont* mono = nullptr;
    ImFont* big = nullptr;
    float scale = 1;  ///< of all lengths: content scale times the user's
};

/// Everything a panel may look at. Borrowed for one frame.
struct PanelContext {
    const State& state;
    FrameLoop& loop;
    Workshop& workshop;
    UiState& ui;
    const Look& look;
    const CudaStatus& cuda;
    const std::optional<KernelResources>& kernel;      ///< of the running CUDA kernel
    const std::vector<KernelResources>& rung_kernels;  ///< of kMethods on CUDA; else empty
    const std::vector<RegisterUse>& register_uses;     ///< variants of the running kernel
    const PlaceList& places;
    const GlIdentity& gl;
    Thumbnails& thumbnails;
    const OverlayDirector& overlays;
    Extent framebuffer;
    double now = 0;          ///< seconds
    double cycle_phase = 0;  ///< turns that colour cycling has come
    std::vector<Command>& commands;
    std::vector<Request>& requests;

    float px(float length) const noexcept { return length * look.scale; }
};

void explore_panel(PanelContext& context);
void parallelism_panel(PanelContext& context);
void compute_panel(PanelContext& context);
void colour_panel(PanelContext& context);
void device_panel(PanelContext& context);
/// The Compute tab's charts, over the fractal in the room right of its panel.
void compute_stage(PanelContext& context, float left, float top, float right, float bottom);

}  // namespace warpscope
