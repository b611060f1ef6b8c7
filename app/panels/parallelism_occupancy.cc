// SPDX-License-Identifier: MIT
// How full the multiprocessors are, what limits that, and what would change it.
#include <algorithm>
#include <cmath>

#include "app/format.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

/// The arch of a device, or of the newest listed one below it: unknown GPUs get a close model.
const GpuArch* arch_of(int major, int minor) {
    const GpuArch* closest = nullptr;
    for (const GpuArch& arch : gpu_archs()) {
        if (arch.major < major || (arch.major == major && arch.minor <= minor)) closest = &arch;
    }
    return closest != nullptr ? closest : &gpu_archs().front();
}

const CudaDevice* current_device(const PanelContext& context) {
    for (const CudaDevice& device : context.cuda.devices) {
        if (device.index == context.state.device) return &device;
    }
    return nullptr;
}

std::string arch_name(const GpuArch& arch) {
    return std::to_string(arch.major) + "." + std::to_string(arch.minor) + "  " +
           std::string{arch.examples};
}

/// The listed GPU whose limits are used where none is chosen and no kernel runs on one.
const GpuArch& usual_model(const PanelContext& context) {
    const CudaDevice* device = current_device(context);
    return device != nullptr ? *arch_of(device->cc_major, device->cc_minor) : find_gpu_arch(9, 0);
}

const GpuArch& chosen_model(const PanelContext& context) {
    const std::optional<int>& chosen = context.ui.model_arch;
    return chosen ? gpu_archs()[static_cast<std::size_t>(*chosen)] : usual_model(context);
}

void device_choice(PanelContext& context, bool running) {
    std::vector<std::string> names;
    if (running) names.push_back("this one: " + current_device(context)->name);
    const int first = static_cast<int>(names.size());
    for (const GpuArch& arch : gpu_archs()) names.push_back(arch_name(arch));
    std::optional<int>& chosen = context.ui.model_arch;
    const auto usual = static_cast<int>(&usual_model(context) - gpu_archs().data());
    int index = chosen ? first + *chosen : running ? 0 : first + usual;
    if (!choose(context, "GPU", index, names,
                "Compute capability whose limits are used. Of another GPU than the running one "
                "occupancy is a model: it follows from a table and a formula, and needs no GPU.")) {
        return;
    }
    chosen.reset();
    if (index >= first) chosen = index - first;
}

/// What a kernel would need, where none runs on a GPU.
void model_controls(PanelContext& context) {
    slider(context, "Registers per thread (model)", context.ui.model_registers, {16, 255, 40},
           "Each thread keeps its variables in registers, and a multiprocessor has 65,536. The "
           "fractal kernels need 22 to 50.");
    mark(context, Control::kModelRegisters);
    slider(context, "Shared memory per block, bytes (model)", context.ui.model_shared,
           {0, 232448, 0}, "Fast memory on the multiprocessor that a block claims as a whole.");
    if (!on_gpu(context)) {
        BlockShape block = context.state.tuning.block;
        int threads = block.x * block.y;
        if (slider(context, "Threads per block (model)", threads, {1, 1024, 256},
                   "Whole warps are allotted: 33 threads take as much room as 64.")) {
            context.commands.emplace_back(SetBlock{{threads, 1}});
        }
        mark(context, Control::kModelThreads);
    }
}

void resource_rows(PanelContext& context, const OccupancySubject& subject, const Occupancy& now) {
    value_row(context, "registers per thread", std::to_string(subject.needs.registers),
              "What the compiler gave each thread; from cudaFuncGetAttributes for the running "
              "kernel.");
    value_row(context, "shared memory per block",
              format_bytes(subject.needs.static_shared + subject.needs.dynamic_shared),
              "Static plus dynamic. From compute capability 8.0 on the system adds 1 KiB.");
    value_row(context, "blocks per SM",
              std::to_string(now.blocks_per_sm) + " of " +
                  std::to_string(subject.arch->limits.blocks_per_sm),
              "How many blocks are resident on a streaming multiprocessor at once.");
    value_row(context, "warps per SM",
              std::to_string(now.warps_per_sm) + " of " + std::to_string(now.max_warps_per_sm),
              "Resident warps hide each other's waiting; occupancy is this ratio.");
    const auto limit = [](const std::optional<int>& blocks) {
        return blocks ? std::to_string(*blocks) + " blocks" : std::string{"none"};
    };
    if (details(context, "Limits")) {
        value_row(context, "by warps", limit(now.limit_warps), "Blocks that the warp slots allow.");
        value_row(context, "by registers", limit(now.limit_registers),
                  "Blocks that the register file allows.");
        value_row(context, "by shared memory", limit(now.limit_shared),
                  "Blocks that shared memory allows.");
        value_row(context, "by block slots", limit(now.limit_blocks),
                  "Blocks that a multiprocessor keeps track of.");
    }
}

void wave_rows(PanelContext& context, const OccupancySubject& subject, const Occupancy& now) {
    if (subject.sm_count < 1 || now.blocks_per_sm < 1 || !context.loop.shown()) return;
    const FrameJob& job = context.loop.shown()->job;
    const GridShape grid = grid_for(job.width, job.height, context.state.tuning.block);
    const Waves turns = waves(grid.blocks(), now.blocks_per_sm, subject.sm_count);
    value_row(context, "grid", format_count(static_cast<std::uint64_t>(grid.blocks())) + " blocks",
              "Blocks that cover the picture.");
    value_row(context, "waves", format_number(turns.waves),
              "Turns that all multiprocessors together need for the grid: blocks divided by "
              "(blocks per SM times SMs).");
    value_row(context, "tail efficiency", format_percent(turns.tail_efficiency),
              "Waves divided by the next whole number: the last turn is seldom full, and few waves "
              "feel it most.");
}

/// Of the running kernel or of what the sliders say, on the GPU that is chosen.
OccupancySubject shown_subject(const PanelContext& context) {
    const std::optional<OccupancySubject> running = running_subject(context);
    if (running && !context.ui.model_arch) return *running;
    OccupancySubject subject;
    subject.arch = &chosen_model(context);
    subject.name = "model of compute capability " + arch_name(*subject.arch);
    if (running) {
        subject.needs = running->needs;
        subject.name = context.kernel->name + ", " + subject.name;
        return subject;
    }
    subject.needs.threads = context.state.tuning.block.x * context.state.tuning.block.y;
    subject.needs.registers = context.ui.model_registers;
    subject.needs.dynamic_shared = context.ui.model_shared;
    return subject;
}

}  // namespace

OccupancySubject subject_of(const PanelContext& context, const KernelResources& kernel) {
    OccupancySubject subject;
    const CudaDevice* device = current_device(context);
    subject.arch =
        device != nullptr ? arch_of(device->cc_major, device->cc_minor) : &gpu_archs().back();
    subject.needs.threads = context.state.tuning.block.x * context.state.tuning.block.y;
    subject.needs.registers = kernel.registers;
    subject.needs.static_shared = static_cast<int>(kernel.static_shared);
    subject.needs.dynamic_shared = context.state.tuning.what_if.shared_bytes;
    subject.sm_count = device != nullptr ? device->sm_count : 0;
    subject.model = false;
    subject.name = kernel.name + (device != nullptr ? " on " + device->name : "");
    return subject;
}

std::optional<OccupancySubject> running_subject(const PanelContext& context) {
    if (current_device(context) == nullptr || !context.kernel) return std::nullopt;
    return subject_of(context, *context.kernel);
}

void occupancy_section(PanelContext& context) {
    section(context, "Occupancy");
    const bool running = running_subject(context).has_value();
    device_choice(context, running);
    if (!running) model_controls(context);
    const OccupancySubject subject = shown_subject(context);
    const Occupancy now = occupancy(*subject.arch, subject.needs);
    occupancy_numbers(context, subject, now);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(what_limits(*subject.arch, subject.needs).c_str());
    ImGui::PopTextWrapPos();
    achieved_chart(context);
    occupancy_charts(context, subject, now);
    resource_rows(context, subject, now);
    wave_rows(context, subject, now);
    if (running) what_if_part(context);
    if (details(context, "What would raise it")) {
        const std::vector<std::string> advice = what_would_raise(*subject.arch, subject.needs);
        if (advice.empty()) note(context, "Nothing: every warp slot is taken.");
        for (const std::string& sentence : advice) note(context, "· " + sentence);
    }
}

}  // namespace warpscope
