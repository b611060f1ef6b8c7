// SPDX-License-Identifier: MIT
#include "app/panels/compute_parts.h"

#include <algorithm>

#include "app/panels/widgets.h"

namespace warpscope {

const std::array<StageInk, 5> kStages{{
    {"allocate", Ink::kPurple,
     "Getting memory: on the GPU for its rungs, on the host (with its first touch) for the CPU's. "
     "Paid once: keep buffers and reuse them."},
    {"copy in", Ink::kOrange,
     "Both inputs travel from page-locked host memory to the GPU. The bus is many times slower "
     "than GPU memory, so for simple kernels this decides; the CPU has nothing to copy."},
    {"kernel", Ink::kAccent,
     "The computation alone, median of N runs: CUDA events on the GPU, the host's clock on the "
     "CPU. The only part that a better kernel makes shorter."},
    {"copy out", Ink::kYellow,
     "The result travels back to the host. Leave it on the GPU where the next step is there too."},
    {"free", Ink::kGreen, "Giving the memory back. Paid once, like allocation."},
}};

std::array<double, 5> stage_ms(const LabFigures& figures) noexcept {
    const LabStages& stages = figures.stages;
    return {stages.allocate, stages.copy_in, figures.kernel.median, stages.copy_out, stages.free};
}

ComputeScene compute_scene(PanelContext& context) {
    ComputeUi& ui = context.ui.compute;
    const LabDemo& demo = lab_demos()[ui.demo];
    DemoChoice& choice = ui.demos[ui.demo];
    if (choice.rungs.empty()) {
        choice.rungs = lab_rungs(demo.name);
        choice.n = demo.default_n;
        for (const LabRung& rung : choice.rungs) {
            RungChoice& wanted = choice.choices[rung.name];
            clamp_block(rung, wanted);
            if (choice.selected.empty() && rung.backend == "cuda") choice.selected = rung.name;
        }
    }
    ComputeScene scene{demo, choice, rows_of(demo, choice, context.workshop.lab), nullptr};
    scene.best_cpu = best_cpu(context.workshop.lab.outcomes(), demo.name);
    return scene;
}

void hover_note(const PanelContext& context, ImVec2 min, ImVec2 max, const std::string& text) {
    if (text.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    ImGui::BeginTooltip();
    ImGui::PushFont(context.look.text);  // whatever the rectangle's own text is set in
    ImGui::PushTextWrapPos(context.px(380));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
}

ImU32 faded(ImU32 color, float alpha) noexcept {
    const auto a = static_cast<ImU32>(static_cast<float>(color >> IM_COL32_A_SHIFT) *
                                      std::clamp(alpha, 0.0f, 1.0f));
    return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

float put_text(ImVec2 at, ImU32 color, const std::string& text) {
    ImGui::GetWindowDrawList()->AddText(at, color, text.c_str(), text.c_str() + text.size());
    return ImGui::CalcTextSize(text.c_str(), text.c_str() + text.size()).x;
}

}  // namespace warpscope
