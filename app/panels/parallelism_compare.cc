// SPDX-License-Identifier: MIT
// All rungs on this view, measured fairly.
#include <cmath>

#include "app/format.h"
#include "app/panels/chart.h"
#include "app/panels/parallelism.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

void cell(const PanelContext& context, const std::string& text, const char* about) {
    ImGui::TableNextColumn();
    ImGui::PushFont(context.look.mono);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopFont();
    tooltip(context, about);
}

void rung_details(const PanelContext& context, const CompareRow& row) {
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(context.px(360));
    if (row.kernel.count == 0) {
        ImGui::TextUnformatted(row.problem.c_str());
    } else {
        ImGui::Text("%s", row.info.device.c_str());
        ImGui::Text("%s", row.info.detail.c_str());
        ImGui::Text("kernel  median %s, IQR %s, N %zu", format_ms(row.kernel.median).c_str(),
                    format_ms(row.kernel.iqr()).c_str(), row.kernel.count);
        ImGui::Text("end to end  median %s, IQR %s, N %zu",
                    format_ms(row.end_to_end.median).c_str(),
                    format_ms(row.end_to_end.iqr()).c_str(), row.end_to_end.count);
        ImGui::Text("first launch  %s", format_ms(row.first_launch).c_str());
        ImGui::Text("effective iterations  %s, %s", format_count(row.iterations).c_str(),
                    format_si(row.iterations_per_second(), "/s").c_str());
        ImGui::Text("counts  %s", row.differing == 0
                                      ? "equal to cpu-scalar, every pixel"
                                      : (format_count(row.differing) + " pixels differ").c_str());
        ImGui::Text("counts hash  %016llx", static_cast<unsigned long long>(row.counts_hash));
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void table(PanelContext& context, const Comparison& comparison) {
    if (!ImGui::BeginTable("rungs", 5, ImGuiTableFlags_SizingStretchProp)) return;
    for (const char* name : {"", "kernel", "+ copy", "end to end", "N"}) {
        ImGui::TableSetupColumn(name);
    }
    ImGui::TableHeadersRow();
    for (const CompareRow& row : comparison.rows) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(row.backend.c_str());
        rung_details(context, row);
        if (row.kernel.count == 0) {
            ImGui::TableNextColumn();
            ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
            ImGui::TextUnformatted("none");
            ImGui::PopStyleColor();
            rung_details(context, row);
            continue;
        }
        cell(context, format_ms(row.kernel.median), "Computing alone, median.");
        cell(context, format_ms(row.with_copy.median),
             "And the copy of the samples to page-locked host memory.");
        cell(context, format_ms(row.end_to_end.median),
             "And allocating, creating streams or threads, and freeing.");
        cell(context, std::to_string(row.kernel.count), "Samples behind the median.");
    }
    ImGui::EndTable();
}

void speed_chart(PanelContext& context, const Comparison& comparison) {
    Chart chart;
    chart.id = "##speed";
    chart.x = {"rung", Scale::kLinear, 0.4f, 5.6f, {"scalar", "simd", "threads", "cpu", "cuda"}};
    chart.y = {"effective iterations/s", Scale::kLog, 1e8f, std::nullopt};
    ChartSeries bars{"", Ink::kAccent, Mark::kBars, {}, false};
    std::vector<std::string> texts;
    float x = 0;
    for (const CompareRow& row : comparison.rows) {
        ++x;
        if (row.kernel.count == 0) continue;
        bars.points.push_back({x, static_cast<float>(row.iterations_per_second())});
        texts.push_back(row.backend + "\n" + format_si(row.iterations_per_second(), "iter/s") +
                        " effective");
    }
    chart.hover = [texts](std::size_t, std::size_t i) { return texts[i]; };
    chart.series.push_back(std::move(bars));
    draw_chart(chart, {ImGui::GetContentRegionAvail().x, context.px(170)});
}

void ratio_lines(PanelContext& context, const Comparison& comparison) {
    std::string why;
    const std::optional<Ratio> ratio = gpu_ratio(comparison, why);
    if (!ratio) {
        note(context, "No ratio: " + why + ".");
        return;
    }
    big_number(context, format_ratio(ratio->kernel),
               ("GPU against " + ratio->cpu_rung + ", kernel only").c_str(),
               "How many times as long the best CPU rung takes for the same counts, computing "
               "alone. Against one scalar thread the same GPU would look far better, and prove "
               "less.");
    value_row(context, "with copy", format_ratio(ratio->with_copy),
              "The same with the samples copied back to the host.");
    value_row(context, "end to end", format_ratio(ratio->end_to_end),
              "The same with allocation, creation and freeing on both sides.");
    value_row(context, "first launch pays off after",
              ratio->break_even_frames
                  ? format_count(static_cast<std::uint64_t>(std::ceil(*ratio->break_even_frames))) +
                        " frames"
                  : "never",
              "Context, module load and the first launch, divided by what each frame saves.");
}

}  // namespace

void compare_section(PanelContext& context) {
    section(context, "CPU against GPU");
    Workshop& shop = context.workshop;
    if (shop.compare.running()) {
        if (progress_with_stop(context, shop.compare.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    if (button(context, "Compare all on this view", shop.busy() ? "another measurement runs" : "",
               "Measures four CPU rungs and the GPU on the same view, one after the other, and "
               "compares their counts. The fractal rests meanwhile.")) {
        context.requests.emplace_back(StartCompare{});
    }
    mark(context, Control::kCompare);
    if (!shop.compare.failure().empty()) note(context, shop.compare.failure());
    if (!shop.compare.result()) return;
    ratio_lines(context, *shop.compare.result());
    table(context, *shop.compare.result());
    speed_chart(context, *shop.compare.result());
}

}  // namespace warpscope
