// SPDX-License-Identifier: MIT
// The running kernel under the roofs of its processor: what limits it, arithmetic or memory.
#include <array>

#include "app/format.h"
#include "app/machine_report.h"
#include "app/panels/parallelism.h"
#include "app/panels/roofline_chart.h"
#include "app/panels/roofline_parts.h"
#include "app/panels/widgets.h"
#include "app/roofline_run.h"
#include "app/theme.h"

namespace warpscope {
namespace {

/// The kernel of the frames that are shown, median of the newest; absent before there are any, and
/// where shortcuts left nothing to execute.
std::optional<RooflineKernel> running_point(const PanelContext& context, const BackendInfo& info,
                                            const MachineRoofs* machine) {
    const std::optional<BackendRate> rate = context.loop.shown_rate(info.name);
    if (!rate || rate->executed == 0 || !(rate->kernel_ms > 0)) return std::nullopt;
    FrameStats stats;
    stats.job = rate->job;
    stats.kernel_ms = rate->kernel_ms;
    stats.pixels = rate->pixels;
    stats.executed = rate->executed;
    const Method& method = context.state.tuning.method;
    RooflineKernel kernel;
    kernel.name = "This view on " + info.name + ", " + method_name(method) + ", " +
                  std::string{precision_name(rate->job.precision)};
    kernel.label = "this view";
    kernel.work = escape_work(method, stats);
    if (machine != nullptr) kernel.roofs = machine->roofs(rate->job.precision);
    kernel.color = Ink::kVermilion;
    return kernel;
}

RooflinePlot plot_of(const std::optional<RooflineKernel>& kernel, const MachineRoofs* machine) {
    RooflinePlot plot;
    plot.id = "##roofline";
    if (machine != nullptr) {
        plot.roofs = {{"float", machine->roofs(Precision::kFloat), Ink::kAccent},
                      {"double", machine->roofs(Precision::kDouble), Ink::kGreen}};
    }
    if (kernel) {
        plot.kernels = {*kernel};
        plot.current = 0;
    }
    return plot;
}

void headline(PanelContext& context, const RooflineKernel& kernel) {
    const RoofVerdict verdict = judge(*kernel.roofs, kernel.work);
    big_number(context, format_percent(verdict.fraction),
               verdict.roof == Roof::kCompute ? "of the compute roof" : "of the memory roof",
               "Operations per second that this view's kernel reaches, against the roof above it: "
               "the least of what the units can calculate and what memory can feed them.");
}

void kernel_rows(PanelContext& context, const KernelWork& work) {
    value_row(context, "operations (counted)", format_si(work.flops, "FLOP"),
              "Iterations that were executed times the operations of a step, counted by running "
              "the formula's own code with a number type that counts. A fused multiply-add is two. "
              "Df64 counts its operations on floats.");
    value_row(context, "bytes (counted)", format_bytes(work.bytes),
              "What must cross memory once: 8 bytes for each pixel's sample. Orbits stay in "
              "registers.");
    value_row(context, "operations per byte", format_number(work.intensity()),
              "Arithmetic intensity: where the kernel stands on the horizontal axis. A higher "
              "iteration limit moves it right.");
    value_row(context, "reached (measured)", format_si(work.flops_per_second(), "FLOP/s"),
              "Operations over the kernel's own time, median of the newest frames.");
}

const CudaDevice* device_of(const PanelContext& context, int index) {
    for (const CudaDevice& device : context.cuda.devices) {
        if (device.index == index) return &device;
    }
    return nullptr;
}

void roof_rows(PanelContext& context, const MachineRoofs& machine, int cuda_device) {
    const std::string how = roofs_method(machine);
    constexpr std::array kTypes{Precision::kFloat, Precision::kDouble};
    for (const Precision type : kTypes) {
        const std::string name = "peak, " + std::string{precision_name(type)} + " (measured)";
        value_row(context, name.c_str(), format_si(machine.roofs(type).flops_per_second, "FLOP/s"),
                  how.c_str());
    }
    value_row(context, "memory (measured)",
              format_si(machine.roofs(Precision::kFloat).bytes_per_second, "B/s"), how.c_str());
    const CudaDevice* device = device_of(context, cuda_device);
    const double model = device != nullptr ? model_bandwidth(*device) : 0;
    if (model > 0) {
        value_row(context, "memory bus (model)", format_si(model, "B/s"),
                  "Two transfers per memory clock times the bus width: what no stream reaches.");
    }
}

/// What the roofs leave out of the account.
void caveats(PanelContext& context, const MachineRoofs& machine) {
    const int threads = context.state.tuning.cpu_threads;
    if (machine.cpu_threads > 0 && threads > 0 && threads != machine.cpu_threads) {
        note(context, "These roofs are those of " + std::to_string(machine.cpu_threads) +
                          " threads; " + std::to_string(threads) + " compute now.");
    }
    if (machine.fits_cache()) {
        note(context,
             "Part of the streams may have come from the last-level cache: the memory "
             "roof can be too high.");
    }
}

}  // namespace

void roofline_section(PanelContext& context) {
    section(context, "Roofline");
    const Explorer& explorer = context.loop.explorer();
    if (!explorer.has_backend()) return;
    const BackendInfo& info = explorer.backend().info();
    const MachineRoofs* machine = context.workshop.roof_book.find(info.cuda_device);
    const std::optional<RooflineKernel> kernel = running_point(context, info, machine);
    if (kernel && kernel->roofs) headline(context, *kernel);
    measure_roofs_part(context, {{info.cuda_device, context.state.tuning.cpu_threads}});
    draw_chart(roofline_chart(plot_of(kernel, machine)),
               {ImGui::GetContentRegionAvail().x, context.px(240)});
    if (!kernel) {
        note(context,
             "No point: no whole frame of this view is measured yet, or shortcuts knew "
             "every pixel and no iteration was executed.");
    } else if (machine == nullptr) {
        note(context,
             "Only this kernel so far. The roof above it says how much more the processor "
             "could do, and whether memory or arithmetic holds the kernel back.");
    } else {
        note(context, roof_sentence(*kernel->roofs, kernel->work));
    }
    if (kernel) kernel_rows(context, kernel->work);
    if (machine == nullptr) return;
    roof_rows(context, *machine, info.cuda_device);
    caveats(context, *machine);
}

}  // namespace warpscope
