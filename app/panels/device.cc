// SPDX-License-Identifier: MIT
// The Device panel: who computes, how its samples reach the screen, and what this machine is.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/format.h"
#include "app/machine_report.h"
#include "app/panels.h"
#include "app/panels/device_paths.h"
#include "app/panels/fields.h"
#include "app/theme.h"
#include "kernels/engine/cpu/escape_cpu.h"

namespace warpscope {
namespace {

struct BackendStory {
    const char* name;
    const char* short_about;
    const char* tooltip;
};
constexpr std::array kStories{
    BackendStory{"auto", "CUDA where it works, else all of the CPU",
                 "Chooses once, at start and when the device changes."},
    BackendStory{"cuda", "one GPU thread per pixel",
                 "The Mandelbrot kernel on the chosen CUDA device; block shape under Parallelism."},
    BackendStory{"cpu", "SIMD on all threads",
                 "The fair opponent of the GPU: vectors of pixels on every core."},
    BackendStory{"cpu-threads", "one pixel at a time, all threads",
                 "What threads alone bring: compare with cpu-scalar."},
    BackendStory{"cpu-simd", "vectors of pixels, one thread",
                 "What SIMD alone brings: compare with cpu-scalar."},
    BackendStory{"cpu-scalar", "one pixel at a time, one thread",
                 "The plain loop, from which the rungs above are counted."},
};

void ask_once(PanelContext& context) {
    DeviceMemory& memory = context.ui.device;
    if (memory.cpu.empty()) {
        memory.cpu = cpu_name();
        memory.isa = simd_target_name();
        memory.threads = cpu_thread_count();
    }
    if (memory.backends.empty()) memory.backends = backend_choices();
}

std::string why_not(const PanelContext& context, const std::string& name) {
    for (const BackendChoice& choice : context.ui.device.backends) {
        if (choice.name == name) return choice.unavailable;
    }
    return {};
}

/// One backend as a row of two lines: its name, and what it is or why it cannot run.
void backend_row(PanelContext& context, const BackendStory& story) {
    const std::string unavailable = why_not(context, story.name);
    const bool chosen = context.state.backend == story.name;
    ImGui::PushID(story.name);
    ImGui::BeginDisabled(!unavailable.empty());
    if (ImGui::RadioButton(story.name, chosen) && !chosen) {
        context.commands.emplace_back(SetBackend{story.name});
    }
    ImGui::EndDisabled();
    tooltip(context, unavailable.empty() ? story.tooltip : unavailable.c_str());
    const float indent = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - context.px(6));
    ImGui::Indent(indent);
    note(context, unavailable.empty() ? story.short_about : "Not here: " + unavailable);
    ImGui::Unindent(indent);
    ImGui::PopID();
}

void backend_section(PanelContext& context) {
    section(context, "Who computes");
    for (const BackendStory& story : kStories) backend_row(context, story);
}

void choose_device(PanelContext& context) {
    const std::vector<CudaDevice>& devices = context.cuda.devices;
    if (devices.size() < 2) return;
    std::vector<std::string> names;
    int index = -1;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        names.push_back(std::to_string(devices[i].index) + "  " + devices[i].name);
        if (devices[i].index == context.state.device) index = static_cast<int>(i);
    }
    if (!choose(context, "CUDA device", index, names,
                "Which GPU computes. Only the one that also draws the window can share its memory "
                "with OpenGL; interop is tried anew.")) {
        return;
    }
    context.commands.emplace_back(SetDevice{devices[static_cast<std::size_t>(index)].index});
    context.requests.emplace_back(ProbeInterop{context.ui.interop});
}

void cuda_rows(PanelContext& context, const CudaDevice& device) {
    const auto known = [](bool is, std::string text) { return is ? std::move(text) : "—"; };
    value_row(context, "Compute capability",
              std::to_string(device.cc_major) + "." + std::to_string(device.cc_minor),
              "The GPU's generation. It sets the limits that occupancy is counted from.");
    value_row(context, "Multiprocessors", std::to_string(device.sm_count) + " SMs",
              "Blocks are handed out to SMs; a picture needs several blocks for each to keep them "
              "all at work.");
    value_row(context, "SM clock",
              known(device.clock_khz > 0, format_si(device.clock_khz * 1e3, "Hz")),
              "Boost clock, as the driver states it; what runs now depends on heat and load.");
    value_row(context, "Memory", format_bytes(static_cast<double>(device.memory_bytes)),
              "All of the device's memory. A 4K frame of samples takes 63 MiB of it.");
    value_row(context, "L2 cache", format_bytes(static_cast<double>(device.l2_bytes)),
              "Shared by all SMs. Demos flush it between runs, or repeats would look too fast.");
    value_row(context, "Memory bus",
              known(device.memory_bus_bits > 0, std::to_string(device.memory_bus_bits) + " bit"),
              "Width of the memory interface.");
    const double bandwidth = model_bandwidth(device);
    value_row(context, "Bandwidth (model)", known(bandwidth > 0, format_si(bandwidth, "B/s")),
              "Two transfers per memory clock times the bus width. A model value: the Compute tab "
              "measures what is really reached.");
    value_row(context, "Watchdog", device.kernel_timeout ? "on" : "off",
              "Where it is on, the system ends kernels that run for seconds. Warpscope cuts long "
              "frames into slices, so it never meets it.");
    value_row(context, "PCI address", device.pci_bus_id, "Tells equal cards apart.");
}

void processors_section(PanelContext& context) {
    const DeviceMemory& memory = context.ui.device;
    section(context, "Processors");
    note(context, memory.cpu);
    value_row(context, "Instruction set", memory.isa,
              "The widest vectors that this processor and this program share; Highway picks it at "
              "run time.");
    value_row(context, "Threads", std::to_string(memory.threads),
              "Logical processors that this process may use.");
    for (const CudaDevice& device : context.cuda.devices) {
        ImGui::Dummy({0, context.px(4)});
        ImGui::PushID(device.index);
        note(context, "GPU " + std::to_string(device.index) + "  " + device.name);
        cuda_rows(context, device);
        ImGui::PopID();
    }
    if (context.cuda.devices.empty()) {
        problem(context, "No CUDA device: " + context.cuda.problem);
        note(context, context.cuda.built
                          ? "Everything runs on the CPU. Once nvidia-smi lists a GPU and its "
                            "driver is new enough, start again."
                          : "Everything runs on the CPU. Install the CUDA toolkit (12.0 or newer) "
                            "and build again to use a GPU.");
    }
}

void software_section(PanelContext& context) {
    section(context, "Software");
    value_row(context, "Warpscope", WARPSCOPE_VERSION, "The version of this program.");
    value_row(context, "CUDA toolkit", cuda_version(context.cuda.toolkit),
              "The toolkit that this program was built with; its runtime is linked in.");
    value_row(context, "CUDA driver", cuda_version(context.cuda.driver),
              "The newest CUDA that the installed driver runs. It must be at least the toolkit's "
              "major version.");
    ImGui::TextUnformatted("OpenGL");
    tooltip(context, "Who draws the window, in the driver's own words.");
    note(context, context.gl.renderer + "\n" + context.gl.vendor + "\n" + context.gl.version);
}

MachineFacts facts_of(const PanelContext& context) {
    const DeviceMemory& memory = context.ui.device;
    MachineFacts facts;
    facts.version = WARPSCOPE_VERSION;
    facts.cpu = memory.cpu;
    facts.isa = memory.isa;
    facts.threads = memory.threads;
    facts.cuda = context.cuda;
    facts.gl = context.gl;
    facts.interop = context.loop.verdict();
    if (context.loop.explorer().has_backend()) {
        facts.running = context.loop.explorer().backend().info().name;
    }
    facts.backends = memory.backends;
    facts.shared = context.loop.paths().figures(SamplePath::kShared);
    facts.copied = context.loop.paths().figures(SamplePath::kHostCopy);
    facts.gain = context.loop.paths().gain();
    return facts;
}

void window_section(PanelContext& context) {
    section(context, "Window");
    Settings settings = context.state.settings;
    int theme = static_cast<int>(settings.theme);
    segments(context, "theme", theme,
             {{"Dark", "Dark greys, so that the picture is the brightest thing."},
              {"Light", "Light greys, for bright rooms and projectors."}});
    settings.theme = static_cast<Theme>(theme);
    bool follow = settings.ui_scale == 0;
    if (toggle(context, "Scale as the monitor says", follow,
               "Takes sizes of text and controls from the monitor's content scale.")) {
        settings.ui_scale = follow ? 0 : static_cast<double>(context.look.scale);
    }
    if (!follow) {
        constexpr std::array kScales{0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0};
        std::vector<std::string> names;
        int index = 0;
        for (std::size_t i = 0; i < kScales.size(); ++i) {
            names.push_back(std::to_string(std::lround(kScales[i] * 100)) + " %");
            if (std::abs(kScales[i] - settings.ui_scale) <
                std::abs(kScales[static_cast<std::size_t>(index)] - settings.ui_scale)) {
                index = static_cast<int>(i);
            }
        }
        if (choose(context, "Scale", index, names, "Size of text and controls.")) {
            settings.ui_scale = kScales[static_cast<std::size_t>(index)];
        }
    }
    if (!(settings == context.state.settings)) context.commands.emplace_back(SetSettings{settings});
}

}  // namespace

void device_panel(PanelContext& context) {
    ask_once(context);
    const bool running = context.loop.explorer().has_backend();
    const BackendInfo now = running ? context.loop.explorer().backend().info() : BackendInfo{};
    big_number(context, running ? now.name : "—", "computes now",
               "The backend at work. auto stands for cuda where it works, else cpu.");
    if (running) note(context, now.device + ", " + now.detail);
    backend_section(context);
    choose_device(context);
    paths_section(context);
    processors_section(context);
    software_section(context);
    if (button(context, "Copy report", "",
               "Copies all of this as text, to paste into a bug report or beside a measurement.")) {
        ImGui::SetClipboardText(machine_report(facts_of(context)).c_str());
    }
    window_section(context);
}

}  // namespace warpscope
