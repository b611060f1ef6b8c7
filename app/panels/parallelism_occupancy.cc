// SPDX-License-Identifier: MIT
// How full the multiprocessors are, what limits that, and what would change it.
#include <algorithm>
#include <cmath>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/widgets.h"
#include "app/theme.h"
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

void model_controls(PanelContext& context) {
    std::vector<std::string> names;
    for (const GpuArch& arch : gpu_archs()) names.push_back(arch_name(arch));
    choose(context, "GPU (model)", context.ui.model_arch, names,
           "Compute capability whose limits are used. No GPU is needed: occupancy follows from a "
           "table and a formula.");
    slider(context, "Registers per thread (model)", context.ui.model_registers, {16, 255, 40},
           "Each thread keeps its variables in registers, and a multiprocessor has 65,536. The "
           "fractal kernels need 22 to 50.");
    slider(context, "Shared memory per block, bytes (model)", context.ui.model_shared,
           {0, 232448, 0}, "Fast memory on the multiprocessor that a block claims as a whole.");
    if (!on_gpu(context)) {
        BlockShape block = context.state.tuning.block;
        int threads = block.x * block.y;
        if (slider(context, "Threads per block (model)", threads, {1, 1024, 256},
                   "Whole warps are allotted: 33 threads take as much room as 64.")) {
            context.commands.emplace_back(SetBlock{{threads, 1}});
        }
    }
}

Chart block_chart(const OccupancySubject& subject, const Occupancy& now) {
    Chart chart;
    chart.id = "##occupancy";
    chart.x = {"threads per block", Scale::kLinear, 0.0f, 1024.0f};
    chart.y = {"occupancy, %", Scale::kLinear, 0.0f, 108.0f};
    ChartSeries curve{"theoretical", Ink::kOrange, Mark::kLine, {}, false};
    for (const OccupancyPoint& at : occupancy_curve(subject)) {
        curve.points.push_back(
            {static_cast<float>(at.x), static_cast<float>(100 * at.at.occupancy)});
    }
    chart.current =
        ImVec2{static_cast<float>(subject.needs.threads), static_cast<float>(100 * now.occupancy)};
    chart.series.push_back(std::move(curve));
    return chart;
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

std::vector<OccupancyPoint> occupancy_curve(const OccupancySubject& subject) {
    std::vector<OccupancyPoint> curve;
    BlockNeeds needs = subject.needs;
    for (needs.threads = kWarpThreads; needs.threads <= kMaxBlockThreads;
         needs.threads += kWarpThreads) {
        curve.push_back({needs.threads, occupancy(*subject.arch, needs)});
    }
    return curve;
}

OccupancySubject occupancy_subject(const PanelContext& context) {
    OccupancySubject subject;
    subject.needs.threads = context.state.tuning.block.x * context.state.tuning.block.y;
    if (current_device(context) != nullptr && context.kernel) {
        return subject_of(context, *context.kernel);
    }
    const auto archs = gpu_archs();
    const auto index = static_cast<std::size_t>(
        std::clamp(context.ui.model_arch, 0, static_cast<int>(archs.size()) - 1));
    subject.arch = &archs[index];
    subject.needs.registers = context.ui.model_registers;
    subject.needs.dynamic_shared = context.ui.model_shared;
    subject.name = "model of compute capability " + arch_name(*subject.arch);
    return subject;
}

void occupancy_section(PanelContext& context) {
    section(context, "Occupancy");
    const OccupancySubject subject = occupancy_subject(context);
    const Occupancy now = occupancy(*subject.arch, subject.needs);
    big_number(context, format_percent(now.occupancy),
               subject.model ? "theoretical, model" : "theoretical, this kernel",
               "Resident warps divided by the most a multiprocessor can hold. More warps hide more "
               "waiting, but a kernel that seldom waits is fast at half of it.");
    note(context, subject.name);
    if (subject.model) model_controls(context);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(what_limits(*subject.arch, subject.needs).c_str());
    ImGui::PopTextWrapPos();
    draw_chart(block_chart(subject, now), {ImGui::GetContentRegionAvail().x, context.px(170)});
    resource_rows(context, subject, now);
    wave_rows(context, subject, now);
    if (!subject.model) what_if_part(context);
    if (details(context, "What would raise it")) {
        const std::vector<std::string> advice = what_would_raise(*subject.arch, subject.needs);
        if (advice.empty()) note(context, "Nothing: every warp slot is taken.");
        for (const std::string& sentence : advice) note(context, "· " + sentence);
    }
}

}  // namespace warpscope
