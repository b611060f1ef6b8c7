// SPDX-License-Identifier: MIT
// The chosen rung: its own source beside its numbers.
#include <algorithm>

#include "app/format.h"
#include "app/panels/code_view.h"
#include "app/panels/compute_parts.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr float kNumbersWidth = 320, kBesideWidth = 780;

void stage_rows(PanelContext& context, const LabFigures& figures) {
    section(context, "Time of one run");
    const std::array<double, 5> ms = stage_ms(figures);
    for (std::size_t i = 0; i < kStages.size(); ++i) {
        value_row(context, kStages[i].name, format_ms(ms[i]), kStages[i].about);
    }
    value_row(context, "end to end", format_ms(figures.end_to_end_ms),
              "The sum of the five: what one call costs that starts with nothing.");
    value_row(context, "first launch, apart", format_ms(figures.stages.first_launch),
              "The first run in this process: code is loaded, libraries make their handles. Paid "
              "once, so it is in no other figure.");
    if (figures.stages.allocate_host > 0) {
        value_row(context, "page-locked memory, apart", format_ms(figures.stages.allocate_host),
                  "Host memory that the GPU may copy from by itself. Slow to get, so programs keep "
                  "it; in no other figure.");
    }
}

void rate_rows(PanelContext& context, const RungRow& row) {
    const LabFigures& figures = *row.figures;
    const bool by_bytes = figures.rate == LabRate::kBandwidth;
    section(context, "Rate");
    value_row(context, by_bytes ? "bandwidth" : "arithmetic", rate_text(figures),
              "At the median of the kernel's samples.");
    value_row(context, "measured peak", format_si(figures.peak, by_bytes ? "B/s" : "FLOP/s"),
              "What this machine reaches in the same run with nothing else to do.");
    value_row(context, "of peak", share_text(figures.of_peak),
              "How much of the machine this rung uses. What is missing is waiting.");
    value_row(context, "bytes, at least", format_bytes(figures.bytes),
              "Each array crosses memory once at least.");
    value_row(context, "operations", format_si(figures.flops, "FLOP"),
              "Floating-point operations; a fused multiply-add is two.");
    note(context, "Peak: " + figures.peak_how + ".");
}

void ratio_rows(PanelContext& context, const RungRow& row, const ComputeScene& scene) {
    if (scene.best_cpu == nullptr || scene.best_cpu == row.result) return;
    const LabRatio ratio = ratio_to(*scene.best_cpu->figures, *row.figures);
    section(context, ("Against " + scene.best_cpu->rung + ", the best CPU rung").c_str());
    value_row(context, "kernel alone", format_ratio(ratio.kernel),
              "The two computations only: right where data stay on the GPU.");
    value_row(context, "with both copies", format_ratio(ratio.with_copies),
              "Right where data come from the host and go back each time.");
    value_row(context, "end to end", format_ratio(ratio.end_to_end),
              "With allocating and freeing: right for a single call.");
    if (row.rung->backend != "cuda") return;
    value_row(context, "pays off after",
              ratio.break_even
                  ? format_count(static_cast<std::uint64_t>(*ratio.break_even)) + " runs"
                  : "never",
              "Kernel runs on the same data after which copies and memory have been earned back "
              "against the best CPU rung.");
}

void resource_rows(PanelContext& context, const LabResult& result) {
    if (result.grid_blocks == 0) return;
    section(context, "Grid and resources");
    const std::string block =
        result.block_y > 1 ? std::to_string(result.block_x) + "×" + std::to_string(result.block_y)
                           : std::to_string(result.block_x);
    value_row(context, "threads per block", block, "What ran.");
    value_row(context, "blocks", format_count(result.grid_blocks), "In the whole grid.");
    value_row(context, "past the end", format_count(result.guard_waste),
              "Results that the grid covers beyond n: stopped by the guard.");
    value_row(context, "registers per thread", std::to_string(result.resources.registers),
              "Fewer leave room for more warps on a multiprocessor; too few spill to memory.");
    value_row(
        context, "shared memory per block",
        format_bytes(static_cast<double>(result.resources.static_shared + result.shared_bytes)),
        "On the multiprocessor itself, shared by a block's threads.");
    value_row(context, "local memory per thread",
              format_bytes(static_cast<double>(result.resources.local_bytes)),
              "Spilled registers and stack; 0 is what one wants.");
}

void verification_rows(PanelContext& context, const LabResult& result) {
    const LabVerification& v = result.verification;
    section(context, "Verification");
    value_row(context, v.passed ? "checked" : "wrong",
              v.passed ? format_count(v.checked)
                       : format_count(v.wrong) + " of " + format_count(v.checked),
              "Entries compared with a reference in double precision.");
    value_row(context, "largest error", format_ratio(v.worst) + " tolerance",
              "Above 1 the rung fails and its figures are withheld.");
    note(context, "Tolerance: " + v.tolerance + ".");
    if (!v.passed) note(context, v.failure);
    note(context, result.device + ". Caches " + result.cache + ". Data: seed " +
                      std::to_string(result.seed) + ".");
}

void numbers(PanelContext& context, const RungRow& row, const ComputeScene& scene) {
    if (row.phase == RungPhase::kMeasured) {
        big_number(context, format_ms(row.figures->kernel.median),
                   ("kernel, " + spread_text(row.figures->kernel) + ", N " +
                    std::to_string(row.figures->kernel.count))
                       .c_str(),
                   "Median and interquartile range of the computation alone.");
        rate_rows(context, row);
        stage_rows(context, *row.figures);
        ratio_rows(context, row, scene);
    } else if (row.phase == RungPhase::kUnavailable) {
        note(context,
             "Cannot run here: " + std::string{row.problem} + ". The Device tab says what to do.");
    } else if (row.phase == RungPhase::kFailed) {
        note(context, "Could not run: " + std::string{row.problem});
    } else if (row.phase != RungPhase::kWrong) {
        note(context, "Not measured yet: press Run.");
    }
    if (row.result == nullptr) return;
    resource_rows(context, *row.result);
    verification_rows(context, *row.result);
}

}  // namespace

void detail_part(PanelContext& context, const ComputeScene& scene, float height) {
    const auto row = std::ranges::find_if(
        scene.rows, [&scene](const RungRow& r) { return r.rung->name == scene.choice.selected; });
    if (row == scene.rows.end()) return;
    ImGui::PushFont(context.look.big);
    ImGui::TextUnformatted(row->rung->title.c_str());
    ImGui::PopFont();
    note(context, row->rung->idea);
    const float width = ImGui::GetContentRegionAvail().x, gap = context.px(16);
    const bool beside = width >= context.px(kBesideWidth);
    const float needed = code_height(context, row->rung->source);
    float rest = std::max(height - ImGui::GetTextLineHeight() * 4, context.px(240));
    // Without figures there is little to stand beside the source.
    if (beside && row->result == nullptr) rest = std::min(rest, std::max(needed, context.px(120)));
    // Stacked, the source takes what it needs and leaves at least half to the numbers.
    const ImVec2 code = beside ? ImVec2{width - context.px(kNumbersWidth) - gap, rest}
                               : ImVec2{width, std::min(needed, 0.5f * rest)};
    ImGui::PushID(row->rung->name.c_str());
    code_view(context, "##code", row->rung->source_file, row->rung->source, code);
    if (beside) ImGui::SameLine(0, gap);
    ImGui::BeginChild("##numbers", {0, beside ? rest : rest - code.y - context.px(8)}, false);
    numbers(context, *row, scene);
    ImGui::EndChild();
    ImGui::PopID();
}

}  // namespace warpscope
