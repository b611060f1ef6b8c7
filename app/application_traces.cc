// SPDX-License-Identifier: MIT
// Traces of the timeline as files: kept, exported, opened.
#include <algorithm>

#include "app/application.h"
#include "app/clock.h"
#include "app/overlay_values.h"
#include "app/panels/timeline.h"
#include "app/session/atomic_file.h"
#include "app/session/trace_file.h"
#include "app/shell.h"

namespace warpscope {
namespace {

/// What a trace is of, as far as the trace knows it.
Scene scene_of(const FrameJob& job) {
    Scene scene;
    scene.view = view_of(job);
    scene.formula = job.formula;
    scene.julia = job.julia;
    scene.julia_re = BigFloat{job.julia_re};
    scene.julia_im = BigFloat{job.julia_im};
    scene.limit = job.limit;
    scene.bailout = job.bailout;
    return scene;
}

std::shared_ptr<const TraceStudy> needed_study(const UiState& ui, const FrameLoop& loop) {
    std::shared_ptr<const TraceStudy> study = shown_study(ui, loop);
    if (!study) throw TraceError{"no frame has been recorded yet"};
    return study;
}

}  // namespace

void Application::operator()(const SaveTrace&) {
    const std::shared_ptr<const TraceStudy> study = needed_study(ui_, loop_);
    const std::filesystem::path path =
        fresh_saved_file(options_.config, study->trace.backend + "-" + time_stamp(), kTraceEnding);
    save_trace(path, study->trace);
    ui_.timeline.files = saved_traces(options_.config);
    add_toast(ui_, "Saved " + path.string(), Urgency::kNote, seconds_now());
}

void Application::operator()(const ExportTrace&) {
    const std::shared_ptr<const TraceStudy> study = needed_study(ui_, loop_);
    const std::filesystem::path path = fresh_path(".perfetto.json");
    write_file(path, perfetto_text({&study->trace, 1}));
    add_toast(ui_, "Saved " + path.string() + "; ui.perfetto.dev opens it", Urgency::kNote,
              seconds_now());
}

void Application::operator()(const OpenTrace& request) { open_trace(request.path); }

void Application::operator()(const ListTraces&) {
    ui_.timeline.files = saved_traces(options_.config);
}

nlohmann::json Application::timeline_json() const {
    if (!state_.settings.timeline) return nullptr;
    const TimelineUi& ui = ui_.timeline;
    nlohmann::json json{{"opened", ui.opened_name}, {"spans", 0}, {"bars", ui.drawing.bars.size()}};
    if (!ui.opened) json["opened"] = nullptr;
    if (const auto study = shown_study(ui_, loop_)) {
        json["device"] = study->trace.device;
        json["spans"] = study->trace.spans.size();
    }
    if (ui.chosen) json["block"] = {ui.chosen->x, ui.chosen->y};
    return json;
}

void Application::open_trace(const std::filesystem::path& path) {
    TimelineUi& timeline = ui_.timeline;
    timeline.opened = study(load_trace(path));
    timeline.opened_name = path.filename().string();
    timeline.time.reset();
    timeline.chosen.reset();
    timeline.pitch = timeline.scroll = 0;
    if (!state_.settings.timeline) commands_.emplace_back(ToggleTimeline{});
    // The picture that the blocks computed.
    motion_.stop();
    commands_.emplace_back(SetScene{scene_of(timeline.opened->trace.job),
                                    std::max(surface_.framebuffer_size().height, 1)});
}

}  // namespace warpscope
