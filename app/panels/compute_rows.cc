// SPDX-License-Identifier: MIT
// One row for each rung: where a run's time goes, to scale, and what the figures are worth.
#include <algorithm>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/compute_parts.h"
#include "app/panels/fields.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

constexpr float kRowHeight = 44, kMinWidth = 780;

/// Where the columns begin, pixels.
struct Columns {
    float name, bar, kernel, rate, ratio, right;
};

Columns columns(const PanelContext& context, float left, float width) {
    const float right = left + width;
    Columns c{};
    c.right = right - context.px(8);
    c.ratio = c.right - context.px(152);
    c.rate = c.ratio - context.px(120);
    c.kernel = c.rate - context.px(112);
    c.name = left + context.px(8);
    c.bar = c.name + context.px(204);
    return c;
}

void draw_legend(PanelContext& context) {
    const float box = context.px(10);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const StageInk& stage : kStages) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float middle = at.y + ImGui::GetTextLineHeight() / 2;
        list->AddRectFilled({at.x, middle - box / 2}, {at.x + box, middle + box / 2}, stage.color,
                            context.px(2));
        ImGui::Dummy({box, box});
        ImGui::SameLine(0, context.px(6));
        ImGui::TextUnformatted(stage.name);
        tooltip(context, stage.about);
        ImGui::SameLine(0, context.px(14));
    }
}

void draw_scale_switch(PanelContext& context) {
    ComputeUi& ui = context.ui.compute;
    int index = ui.bars == BarScale::kShared ? 0 : 1;
    const std::vector<SegmentChoice> choices{
        {"one scale", "All bars to the same scale: the longest run fills the width."},
        {"each its own", "Each bar fills the width: what one rung's time is made of."}};
    if (segments(context, "scale", index, choices, context.px(220))) {
        ui.bars = index == 0 ? BarScale::kShared : BarScale::kOwn;
    }
}

void draw_heading(PanelContext& context, const Columns& c, const ComputeScene& scene) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight(), height = 2 * line + context.px(2);
    const auto heading = [&](float from, float to, const char* text, const char* below,
                             const std::string& about) {
        put_text({from, at.y}, ImGui::GetColorU32(ImGuiCol_Text), text);
        put_text({from, at.y + line + context.px(2)}, muted_ink(), below);
        hover_note(context, {from, at.y}, {to, at.y + height}, about);
    };
    heading(c.name, c.bar, "Rung", "verified",
            "A way to compute it, from the plainest up. Click one for its source and all its "
            "figures. Below its name: how many entries of its result were checked.");
    heading(c.bar, c.kernel, "Time of one run", "end to end",
            "Allocate, copy in, compute, copy out, free. The first launch, which loads code, "
            "stands apart in the details.");
    heading(c.kernel, c.rate, "Kernel", "spread, samples",
            "Median of N samples of the computation alone, and the interquartile range against "
            "it: how much the middle half of the samples differ.");
    heading(c.rate, c.ratio, scene.demo.rate == LabRate::kBandwidth ? "Bandwidth" : "Arithmetic",
            "of the peak",
            "What the kernel does in a second, and how much that is of the peak that was measured "
            "on the same machine in the same run.");
    heading(c.ratio, c.right, "× best CPU", "copies, end to end",
            scene.best_cpu == nullptr
                ? "How many times as long the best CPU rung takes; a CPU rung must be measured "
                  "first."
                : "How many times as long " + scene.best_cpu->rung +
                      " takes, the best CPU rung measured: large for the kernel alone, below it "
                      "with both copies, and end to end with memory.");
    ImGui::Dummy({c.right - c.name, height});
}

/// A tick or a cross with words.
void draw_badge(const PanelContext& context, ImVec2 at, const RungRow& row) {
    const bool passed = row.result->verification.passed;
    const float r = context.px(kVerdictRadius);
    draw_verdict(context, {at.x + r, at.y + ImGui::GetTextLineHeight() / 2},
                 passed ? Verdict::kPassed : Verdict::kFailed);
    const LabVerification& v = row.result->verification;
    const std::string text = passed ? "checked " + format_count(v.checked) : "wrong";
    put_text({at.x + 2 * r + context.px(6), at.y}, muted_ink(), text);
}

std::string badge_note(const LabVerification& v) {
    if (!v.passed) return "Verification failed, so there are no figures: " + v.failure;
    return "Verified: " + format_count(v.checked) +
           " entries of the result equal a reference in double precision within " + v.tolerance +
           ". The largest error is " + format_ratio(v.worst) +
           " that. NaN or infinity anywhere would have failed.";
}

void draw_name(const PanelContext& context, const Columns& c, float top, const RungRow& row) {
    const float width = c.bar - c.name - context.px(12), line = ImGui::GetTextLineHeight();
    put_text({c.name, top}, ImGui::GetColorU32(ImGuiCol_Text), elided(row.rung->title, width));
    std::string device = row.rung->backend;
    if (row.result != nullptr) device = row.result->device;
    if (row.result != nullptr) {
        draw_badge(context, {c.name, top + line + context.px(2)}, row);
    } else {
        put_text({c.name, top + line + context.px(2)}, muted_ink(), elided(device, width));
    }
    hover_note(context, {c.name, top}, {c.bar, top + line},
               row.rung->title + ", on " + device + ".\n" + row.rung->idea);
    if (row.result == nullptr) return;
    hover_note(context, {c.name, top + line}, {c.bar, top + 2 * line},
               badge_note(row.result->verification));
}

void draw_bar(const PanelContext& context, const Columns& c, float top, const RungRow& row,
              double longest) {
    std::vector<BarPart> parts;
    const std::array<double, 5> ms = stage_ms(*row.figures);
    for (std::size_t i = 0; i < kStages.size(); ++i) {
        if (ms[i] <= 0) continue;
        parts.push_back({kStages[i].name, ms[i], kStages[i].color, kStages[i].about});
    }
    const float line = ImGui::GetTextLineHeight();
    ImGui::SetCursorScreenPos({c.bar, top});
    const bool own = context.ui.compute.bars == BarScale::kOwn;
    draw_stacked_bar(row.rung->name.c_str(), parts, {c.kernel - c.bar - context.px(16), line},
                     own ? 0 : longest);
    ImGui::PushFont(context.look.mono);
    put_text({c.bar, top + line + context.px(2)}, muted_ink(),
             format_ms(row.figures->end_to_end_ms) + " end to end");
    ImGui::PopFont();
}

void draw_kernel(const PanelContext& context, const Columns& c, float top, const RungRow& row) {
    const float line = ImGui::GetTextLineHeight();
    const Distribution& kernel = row.figures->kernel;
    put_text({c.kernel, top}, ImGui::GetColorU32(ImGuiCol_Text), format_ms(kernel.median));
    put_text({c.kernel, top + line + context.px(2)}, muted_ink(),
             spread_text(kernel) + " N" + std::to_string(kernel.count));
    hover_note(context, {c.kernel, top}, {c.rate, top + 2 * line},
               "Median " + format_ms(kernel.median) + ", middle half from " +
                   format_ms(kernel.first_quartile) + " to " + format_ms(kernel.third_quartile) +
                   ", all from " + format_ms(kernel.min) + " to " + format_ms(kernel.max) + ", " +
                   std::to_string(kernel.count) + " samples; ended by " +
                   std::string{stop_reason_name(row.figures->stop)} + ".\n" + row.result->cache);
}

void draw_rate(const PanelContext& context, const Columns& c, float top, const RungRow& row) {
    const float line = ImGui::GetTextLineHeight();
    const float width = c.ratio - c.rate - context.px(20);
    const LabFigures& figures = *row.figures;
    put_text({c.rate, top}, ImGui::GetColorU32(ImGuiCol_Text), rate_text(figures));
    const float bar_top = top + line + context.px(4), height = context.px(12);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float share = width * static_cast<float>(std::min(figures.of_peak, 1.0));
    list->AddRectFilled({c.rate, bar_top}, {c.rate + context.px(48), bar_top + height},
                        ImGui::GetColorU32(ImGuiCol_FrameBgActive), context.px(3));
    list->AddRectFilled({c.rate, bar_top},
                        {c.rate + share * context.px(48) / width, bar_top + height}, Ink::kAccent,
                        context.px(3));
    put_text({c.rate + context.px(54), top + line + context.px(2)}, muted_ink(),
             share_text(figures.of_peak));
    std::string about =
        share_text(figures.of_peak) + " of " +
        format_si(figures.peak, figures.rate == LabRate::kBandwidth ? "B/s" : "FLOP/s") +
        ", this machine's peak: " + figures.peak_how + ".";
    if (figures.of_peak > 1) {
        about +=
            " Above the peak: data came from a cache, or so few bytes were copied that the copy "
            "was mostly starting threads. Choose a larger n.";
    }
    hover_note(context, {c.rate, top}, {c.ratio, top + 2 * line}, about + "\n" + row.result->cache);
}

void draw_ratio(const PanelContext& context, const Columns& c, float top, const RungRow& row,
                const ComputeScene& scene) {
    const float line = ImGui::GetTextLineHeight();
    if (scene.best_cpu == nullptr) {
        put_text({c.ratio, top}, muted_ink(), "—");
        return;
    }
    const LabRatio ratio = ratio_to(*scene.best_cpu->figures, *row.figures);
    put_text({c.ratio, top}, ImGui::GetColorU32(ImGuiCol_Text), format_ratio(ratio.kernel));
    put_text({c.ratio, top + line + context.px(2)}, muted_ink(),
             format_ratio(ratio.with_copies) + "  " + format_ratio(ratio.end_to_end));
    hover_note(context, {c.ratio, top}, {c.right, top + 2 * line},
               "Against " + scene.best_cpu->rung + ": kernel alone " + format_ratio(ratio.kernel) +
                   ", with both copies " + format_ratio(ratio.with_copies) + ", end to end " +
                   format_ratio(ratio.end_to_end) + ".");
}

/// What stands in a row without figures.
void draw_words(const PanelContext& context, const Columns& c, float top, const RungRow& row) {
    const float width = c.right - c.bar, line = ImGui::GetTextLineHeight();
    std::string text, about;
    ImU32 ink = muted_ink();
    switch (row.phase) {
        case RungPhase::kUnavailable:
            text = "cannot run here: " + std::string{row.problem};
            break;
        case RungPhase::kWaiting:
            text = "waiting for its turn";
            break;
        case RungPhase::kFailed:
            ink = Ink::kOrange;
            text = "! could not run: " + std::string{row.problem};
            break;
        case RungPhase::kWrong:
            ink = Ink::kVermilion;
            text = "! wrong result, figures withheld: " + std::string{row.problem};
            break;
        default:
            text = "not measured yet";
            break;
    }
    const float y = top + (row.result == nullptr ? line / 2 : 0);
    put_text({c.bar, y}, ink, elided(text, width));
    hover_note(context, {c.bar, top}, {c.right, top + 2 * line}, text);
}

void draw_running(const PanelContext& context, const Columns& c, float top) {
    const WorkProgress& progress = context.workshop.lab.rung_progress();
    ImGui::SetCursorScreenPos({c.bar, top + context.px(4)});
    const std::string label = progress.label();
    // Of this rung; the panel's bar is of the whole ladder.
    ImGui::ProgressBar(static_cast<float>(progress.fraction()), {c.right - c.bar, context.px(26)},
                       label.c_str());
}

void draw_row(PanelContext& context, const Columns& c, const ComputeScene& scene,
              const RungRow& row, double longest) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = context.px(kRowHeight), left = c.name - context.px(8);
    const ImVec2 min{left, at.y}, max{c.right + context.px(8), at.y + height};
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
    const bool selected = scene.choice.selected == row.rung->name;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (selected || hovered) {
        list->AddRectFilled(min, max,
                            ImGui::GetColorU32(selected ? ImGuiCol_Header : ImGuiCol_FrameBg, 0.8f),
                            context.px(6));
    }
    if (selected) {
        list->AddRectFilled({min.x, min.y + context.px(8)},
                            {min.x + context.px(3), max.y - context.px(8)}, Ink::kAccent);
    }
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        scene.choice.selected = row.rung->name;
        context.ui.compute.scroll_to_detail = true;
    }
    const float top = at.y + (height - 2 * ImGui::GetTextLineHeight() - context.px(2)) / 2;
    draw_name(context, c, top, row);
    if (row.phase == RungPhase::kRunning) draw_running(context, c, top);
    if (row.phase == RungPhase::kMeasured) {
        draw_bar(context, c, top, row, longest);
        ImGui::PushFont(context.look.mono);
        draw_kernel(context, c, top, row);
        draw_rate(context, c, top, row);
        draw_ratio(context, c, top, row, scene);
        ImGui::PopFont();
    } else if (row.phase != RungPhase::kRunning) {
        draw_words(context, c, top, row);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({max.x - min.x, height});
    if (row.rung->name == "cuda-tiled") mark(context, Control::kTiledRung);
}

}  // namespace

void rows_part(PanelContext& context, ComputeScene& scene) {
    draw_legend(context);
    const float width = std::max(ImGui::GetContentRegionAvail().x, context.px(220));
    const float left = ImGui::GetCursorPosX() + width - context.px(220);
    ImGui::SameLine(left);
    draw_scale_switch(context);
    const float whole = std::max(ImGui::GetContentRegionAvail().x, context.px(kMinWidth));
    const Columns c = columns(context, ImGui::GetCursorScreenPos().x, whole);
    draw_heading(context, c, scene);
    double longest = 0;
    for (const RungRow& row : scene.rows) {
        if (row.figures) longest = std::max(longest, row.figures->end_to_end_ms);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
    for (const RungRow& row : scene.rows) draw_row(context, c, scene, row, longest);
    ImGui::PopStyleVar();
}

}  // namespace warpscope
