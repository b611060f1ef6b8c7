// SPDX-License-Identifier: MIT
// The timeline's switch, and traces as files.
#include "app/panels/fields.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/timeline.h"

namespace warpscope {
namespace {

constexpr std::size_t kMostListed = 12;

void saved_list(PanelContext& context) {
    TimelineUi& ui = context.ui.timeline;
    if (!ui.files) {
        context.requests.emplace_back(ListTraces{});
        return;
    }
    if (ui.files->empty()) {
        note(context, "No trace was saved yet.");
        return;
    }
    // The newest last names first: names end with the time.
    std::size_t listed = 0;
    for (auto file = ui.files->rbegin(); file != ui.files->rend() && listed < kMostListed; ++file) {
        const std::string name = file->filename().string();
        const std::string text = elided(name, ImGui::GetContentRegionAvail().x);
        const bool here = ui.opened && ui.opened_name == name;
        if (ImGui::Selectable((text + "###" + name).c_str(), here)) {
            context.requests.emplace_back(OpenTrace{file->string()});
        }
        ++listed;
    }
}

void open_part(PanelContext& context) {
    TimelineUi& ui = context.ui.timeline;
    saved_list(context);
    const bool entered =
        text_field(context, "Another file", "path of a .trace.json file", ui.path,
                   "What Save trace wrote, here or on another machine, or warpscope trace -o. "
                   "Files can also be dragged onto the window.");
    const std::string why_not =
        ui.path.empty() ? "Type the path of a file first, or drag a file onto the window." : "";
    if (button(context, "Open trace", why_not, "Shows the trace in this file.") ||
        (entered && why_not.empty())) {
        context.requests.emplace_back(OpenTrace{ui.path});
    }
}

}  // namespace

void timeline_section(PanelContext& context) {
    section(context, "Timeline");
    TimelineUi& ui = context.ui.timeline;
    bool open = context.state.settings.timeline;
    if (toggle(context, "Show who computes what, when", open,
               "Records a few frames a second and shows one (T): a row for each multiprocessor or "
               "thread, a bar for each block. While it is off nothing is recorded and nothing is "
               "slower.")) {
        context.commands.emplace_back(ToggleTimeline{});
    }
    mark(context, Control::kTimeline);
    const std::string why_not = shown_study(context.ui, context.loop)
                                    ? ""
                                    : "No frame has been recorded yet: show the timeline first.";
    const float width = share_of_width(2);
    if (button(context, "Save trace…", why_not,
               "Keeps the trace that is shown, in our own format, beside your places.", width)) {
        context.requests.emplace_back(SaveTrace{});
    }
    ImGui::SameLine();
    if (button(context, "Export for Perfetto", why_not,
               "Writes the trace into the current folder as ui.perfetto.dev and chrome://tracing "
               "read it: each unit a thread, each block a slice.",
               width)) {
        context.requests.emplace_back(ExportTrace{});
    }
    if (details(context, "Open recorded trace…")) open_part(context);
    if (ui.opened && button(context, "Back to live", "", "Shows what is recorded here and now.")) {
        ui.opened.reset();
    }
}

}  // namespace warpscope
