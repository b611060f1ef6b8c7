// SPDX-License-Identifier: MIT
#include "app/panels/device_paths.h"

#include <algorithm>

#include "app/format.h"
#include "app/machine_report.h"
#include "app/panels/chart.h"
#include "app/panels/fields.h"
#include "app/theme.h"

namespace warpscope {
namespace {

bool gpu_computes(const PanelContext& context) {
    return context.loop.explorer().has_backend() &&
           context.loop.explorer().backend().info().cuda_device >= 0;
}

std::string path_in_use(const PanelContext& context) {
    if (!gpu_computes(context)) return "host memory → OpenGL";
    return context.loop.shares_buffer() ? "shared buffer" : "host copy";
}

const char* path_story(const PanelContext& context) {
    if (!gpu_computes(context)) {
        return "The CPU writes samples into host memory; each frame is uploaded into OpenGL's "
               "buffer.";
    }
    return context.loop.shares_buffer()
               ? "The kernel writes the very buffer that OpenGL's shader reads. No copy of the "
                 "samples is made anywhere."
               : "The GPU's samples are copied to page-locked host memory and uploaded into "
                 "OpenGL's buffer.";
}

void verdict(PanelContext& context) {
    const InteropVerdict& verdict = context.loop.verdict();
    ImGui::PushStyleColor(ImGuiCol_Text, verdict.active ? ImGui::GetColorU32(ImGuiCol_SliderGrab)
                                                        : ImGui::GetColorU32(ImGuiCol_Text));
    ImGui::TextUnformatted(verdict.active ? "Interop works" : "No interop");
    ImGui::PopStyleColor();
    tooltip(context,
            "CUDA–OpenGL interop: CUDA writes into OpenGL's own buffer, so that frames need no "
            "copy. It needs one GPU for both. Tried at start by writing and reading a small "
            "buffer.");
    note(context, verdict.reason + ".");
    if (verdict.remedy.empty()) return;
    note(context, "What helps: " + verdict.remedy + ".");
    const std::string command = command_in(verdict.remedy);
    if (command.empty()) return;
    if (button(context, "Copy the relaunch line", "", command.c_str())) {
        ImGui::SetClipboardText(command.c_str());
    }
}

void interop_switch(PanelContext& context) {
    const std::string none = context.cuda.problem.empty() ? "" : context.cuda.problem;
    int choice = static_cast<int>(context.ui.interop);
    ImGui::TextUnformatted("Share the buffer");
    tooltip(context, "Tries interop anew with this wish. Off is there to feel what it saves.");
    if (segments(context, "interop", choice,
                 {{"Auto", "Share where the probe succeeds.", none},
                  {"On", "Share, and complain where it cannot be had.", none},
                  {"Off", "Copy through the host, although sharing might work.", none}})) {
        context.requests.emplace_back(ProbeInterop{static_cast<InteropChoice>(choice)});
    }
}

std::vector<BarPart> parts_of(const PathFigures& figures, const char* handover) {
    return {{"kernel", figures.kernel, Ink::kAccent, "The kernel alone, between CUDA events."},
            {handover, figures.handover, Ink::kOrange, "Handing the samples to OpenGL."},
            {"draw", figures.draw, Ink::kGreen, "Colouring, between OpenGL's timestamps."}};
}

void path_bar(PanelContext& context, SamplePath path, double full_scale) {
    const std::optional<PathFigures> figures = context.loop.paths().figures(path);
    const bool shared = path == SamplePath::kShared;
    value_row(context, shared ? "Shared buffer" : "Host copy",
              figures ? format_ms(figures->delivery()) : "not measured",
              "Kernel, hand-over and drawing of one frame: medians of up to 120 frames of this "
              "view. What neither way can avoid is in both.");
    if (!figures) return;
    draw_stacked_bar(shared ? "shared" : "copied",
                     parts_of(*figures, shared ? "map + unmap" : "copy + upload"),
                     {ImGui::GetContentRegionAvail().x, context.px(20)}, full_scale);
}

void comparison(PanelContext& context) {
    const PathLog& paths = context.loop.paths();
    double full_scale = 0;
    for (const SamplePath path : {SamplePath::kShared, SamplePath::kHostCopy}) {
        if (const auto figures = paths.figures(path)) {
            full_scale = std::max(full_scale, figures->delivery());
        }
    }
    const std::optional<PathGain> gain = paths.gain();
    if (gain) {
        big_number(context, format_ratio(gain->ratio), "as fast with the shared buffer",
                   "Host copy : shared buffer, both measured in this run on the same view.");
        note(context, "Sharing saves " + format_ms(gain->saved_ms) + " per frame.");
    }
    path_bar(context, SamplePath::kShared, full_scale);
    path_bar(context, SamplePath::kHostCopy, full_scale);
    if (!gain && full_scale > 0) {
        note(context, "Both ways must have been measured on this view to be compared.");
    }
    std::string why_not;
    if (!gpu_computes(context)) {
        why_not = context.cuda.problem.empty()
                      ? "Switch to the GPU first: on the CPU there is nothing to share."
                      : "Needs a CUDA device: " + context.cuda.problem;
    } else if (context.ui.measuring_paths) {
        why_not = "Measuring: 60 frames each way, in turns.";
    }
    if (button(context, "Measure both ways", why_not,
               "Runs 60 frames with the host copy and 60 with the shared buffer on this view, in "
               "turns, without waiting for the display, then returns to your choice.")) {
        context.requests.emplace_back(MeasurePaths{});
    }
}

}  // namespace

void paths_section(PanelContext& context) {
    section(context, "From samples to screen");
    value_row(context, "In use now", path_in_use(context), path_story(context));
    note(context, path_story(context));
    verdict(context);
    interop_switch(context);
    comparison(context);
}

}  // namespace warpscope
