// SPDX-License-Identifier: MIT
// The Compute tab's kernels under the roofs of their processors.
#include "app/panels/compute_parts.h"
#include "app/panels/roofline_chart.h"
#include "app/panels/roofline_parts.h"
#include "app/panels/widgets.h"
#include "app/roofline_run.h"

namespace warpscope {
namespace {

/// The CPU, and the GPU where there is one.
std::vector<RoofSubject> processors(const PanelContext& context) {
    std::vector<RoofSubject> subjects{{-1, context.state.tuning.cpu_threads}};
    if (context.cuda.problem.empty()) subjects.push_back({context.state.device, 0});
    return subjects;
}

/// All demos compute in float.
std::optional<Roofs> float_roofs(const PanelContext& context, int cuda_device) {
    const MachineRoofs* machine = context.workshop.roof_book.find(cuda_device);
    return machine != nullptr ? std::optional{machine->roofs(Precision::kFloat)} : std::nullopt;
}

std::string title_of(const ComputeScene& scene, const LabResult& result) {
    for (const LabRung& rung : scene.choice.rungs) {
        if (rung.name == result.rung) return rung.title;
    }
    return result.rung;
}

/// A rung of the demo that is shown, or a fainter one of another.
RooflineKernel kernel_of(const PanelContext& context, const ComputeScene& scene,
                         const LabResult& result) {
    const RooflinePoint point = point_of(result);
    const bool gpu = result.backend == "cuda", shown = result.demo == scene.demo.name;
    const std::string title = shown ? title_of(scene, result) : point.kernel;
    RooflineKernel kernel;
    kernel.name = point.kernel + ", " + (shown ? title : result.rung) + " on " + result.device;
    kernel.label = title;
    kernel.group = std::string{gpu ? "GPU" : "CPU"} + (shown ? "" : ", other demos");
    kernel.work = point.work;
    kernel.roofs = float_roofs(context, gpu ? context.state.device : -1);
    kernel.color = faded(gpu ? Ink::kAccent : Ink::kOrange, shown ? 1 : 0.5f);
    return kernel;
}

struct DemoPlot {
    RooflinePlot plot;
    std::vector<const LabResult*> results;  // of the plot's kernels
};

DemoPlot plot_of(const PanelContext& context, const ComputeScene& scene) {
    DemoPlot out;
    out.plot.id = "##rooflines";
    if (const auto roofs = float_roofs(context, -1)) {
        out.plot.roofs.push_back({"CPU, float", *roofs, Ink::kOrange});
    }
    if (const auto roofs = float_roofs(context, context.state.device)) {
        out.plot.roofs.push_back({"GPU, float", *roofs, Ink::kAccent});
    }
    // What is shown comes first, so that its names do.
    for (const bool shown : {true, false}) {
        for (const LabOutcome& outcome : context.workshop.lab.outcomes()) {
            const bool verified = outcome.result && outcome.result->figures;
            if (!verified || (outcome.request.demo == scene.demo.name) != shown) continue;
            out.plot.kernels.push_back(kernel_of(context, scene, *outcome.result));
            out.results.push_back(&*outcome.result);
        }
    }
    return out;
}

/// What limits the rung whose source is shown.
void selected_note(PanelContext& context, const ComputeScene& scene, const DemoPlot& drawn) {
    for (std::size_t i = 0; i < drawn.results.size(); ++i) {
        const LabResult& result = *drawn.results[i];
        const RooflineKernel& kernel = drawn.plot.kernels[i];
        if (result.demo != scene.demo.name || result.rung != scene.choice.selected) continue;
        if (kernel.roofs) {
            note(context, kernel.label + ": " + roof_sentence(*kernel.roofs, kernel.work));
        }
    }
}

}  // namespace

void roofline_part(PanelContext& context, ComputeScene& scene) {
    section(context, "Roofline: every measured rung of all demos");
    measure_roofs_part(context, processors(context));
    const DemoPlot drawn = plot_of(context, scene);
    const std::optional<ChartHit> hit =
        draw_chart(roofline_chart(drawn.plot), {ImGui::GetContentRegionAvail().x, context.px(300)});
    const std::optional<std::size_t> kernel =
        hit && hit->clicked ? kernel_under(drawn.plot, *hit) : std::nullopt;
    if (kernel && drawn.results[*kernel]->demo == scene.demo.name) {
        scene.choice.selected = drawn.results[*kernel]->rung;
    }
    note(context,
         "Lines: what each processor can do at best, measured. Points: time is measured, "
         "operations and bytes are counted, as many as the problem needs: each input and output "
         "once. A kernel that fetches data again moves more, and stays below.");
    selected_note(context, scene, drawn);
}

}  // namespace warpscope
