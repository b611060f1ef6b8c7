// SPDX-License-Identifier: MIT
// What occupancy does to the running kernel: registers and shared memory wasted on purpose.
#include <algorithm>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

std::string name_of(RegisterUse use) {
    return use == RegisterUse::kCompiled ? "as compiled"
                                         : "at most " + std::to_string(most_registers(use));
}

void register_choice(PanelContext& context) {
    Tuning tuning = context.state.tuning;
    if (context.register_uses.size() < 2) {
        note(context,
             "Variants with other registers are compiled of the loops that test in blocks, for the "
             "Mandelbrot set in float and double: choose such a rung without refilled lanes.");
        return;
    }
    std::vector<std::string> names;
    int index = 0;
    for (std::size_t i = 0; i < context.register_uses.size(); ++i) {
        names.push_back(name_of(context.register_uses[i]));
        if (context.register_uses[i] == tuning.what_if.registers) index = static_cast<int>(i);
    }
    if (choose(context, "What if: registers per thread", index, names,
               "Variants of this kernel that were compiled for fewer registers than it wants, or "
               "for more than it needs. An SM has 65,536: the more a thread has, the fewer warps "
               "are resident. Too few make a thread keep values in memory.")) {
        tuning.what_if.registers = context.register_uses[static_cast<std::size_t>(index)];
        context.commands.emplace_back(SetTuning{tuning});
    }
}

void shared_slider(PanelContext& context, const OccupancySubject& subject) {
    constexpr int kKib = 1024;
    Tuning tuning = context.state.tuning;
    const int most = (subject.arch->limits.shared_per_block - subject.needs.static_shared) / kKib;
    int kib = tuning.what_if.shared_bytes / kKib;
    // One less: other kernels of the ladder have a little more of their own.
    if (slider(context, "What if: shared memory per block, KiB", kib, {0, most - 1, 0},
               "Dynamic shared memory that every block claims and does not touch. What one block "
               "has the others on its SM lack: fewer are resident.")) {
        tuning.what_if.shared_bytes = kib * kKib;
        context.commands.emplace_back(SetTuning{tuning});
    }
    mark(context, Control::kSharedMemory);
}

double occupancy_of(const PanelContext& context, const OccupancySubject& subject,
                    const Tuning& tuning) {
    BlockNeeds needs = subject.needs;
    needs.threads = tuning.block.x * tuning.block.y;
    needs.dynamic_shared = tuning.what_if.shared_bytes;
    // Variants have as many as they may; of the others the kernel that runs now says it.
    const int registers = most_registers(tuning.what_if.registers);
    if (registers > 0) needs.registers = registers;
    if (registers == 0 && context.state.tuning.what_if.registers != RegisterUse::kCompiled) {
        needs.registers = context.ui.compiled_registers;
    }
    return occupancy(*subject.arch, needs).occupancy;
}

Chart sweep_chart(const PanelContext& context, const OccupancySubject& subject,
                  const std::vector<TunePoint>& points) {
    Chart chart;
    chart.id = "##sweep";
    chart.x = {"occupancy by the formula, %", Scale::kLinear, 0.0f, 105.0f};
    chart.y.label = "kernel, ms";
    chart.series = {{"by shared memory", Ink::kAccent, Mark::kPoints, {}},
                    {"by registers", Ink::kOrange, Mark::kPoints, {}}};
    for (const TunePoint& point : points) {
        const bool registers = point.tuning.what_if.registers != RegisterUse::kCompiled;
        const ImVec2 at{static_cast<float>(100 * occupancy_of(context, subject, point.tuning)),
                        static_cast<float>(point.kernel.median)};
        chart.series[registers ? 1 : 0].points.push_back(at);
        if (point.tuning == context.state.tuning) chart.current = at;
    }
    return chart;
}

void sweep_part(PanelContext& context, const OccupancySubject& subject) {
    Workshop& shop = context.workshop;
    if (shop.sweep.running()) {
        if (progress_with_stop(context, shop.sweep.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    if (button(context, "Time it at every occupancy", shop.busy() ? "another measurement runs" : "",
               "Times this kernel on the view that is shown, with shared memory and registers "
               "wasted so that ever fewer blocks fit. The fractal rests meanwhile.")) {
        BlockNeeds needs = subject.needs;
        needs.dynamic_shared = 0;
        needs.registers = context.ui.compiled_registers;
        context.requests.emplace_back(StartOccupancySweep{
            occupancy_sweep(*subject.arch, needs, context.state.tuning, context.register_uses)});
    }
    if (!shop.sweep.failure().empty()) note(context, shop.sweep.failure());
    const std::optional<std::vector<TunePoint>>& result = shop.sweep.result();
    if (!result || result->empty()) return;
    draw_chart(sweep_chart(context, subject, *result),
               {ImGui::GetContentRegionAvail().x, context.px(190)});
    note(context, "Measured. Where the points run level, more warps would not help this kernel.");
}

}  // namespace

void what_if_part(PanelContext& context) {
    const OccupancySubject subject = *running_subject(context);
    if (context.state.tuning.what_if.registers == RegisterUse::kCompiled) {
        context.ui.compiled_registers = subject.needs.registers;
    }
    register_choice(context);
    shared_slider(context, subject);
    sweep_part(context, subject);
}

}  // namespace warpscope
