// SPDX-License-Identifier: MIT
// The ladder of escape loops: one idea a rung, with what it brings on this view.
#include <algorithm>
#include <array>

#include "app/format.h"
#include "app/panels/parallelism.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

/// The figures of a rung, as far as they are known.
struct RungFigures {
    const RungTime* time = nullptr;
    const KernelResources* kernel = nullptr;
    std::optional<double> occupancy;
};

const std::vector<RungTime>* measured(const PanelContext& context) {
    const Workshop& shop = context.workshop;
    const Explorer& explorer = context.loop.explorer();
    const bool same =
        explorer.has_backend() && shop.ladder_backend == explorer.backend().info().name;
    return same && shop.ladder.result() ? &*shop.ladder.result() : nullptr;
}

RungFigures figures_of(const PanelContext& context, const Method& method) {
    RungFigures figures;
    if (const std::vector<RungTime>* rungs = measured(context)) {
        for (const RungTime& rung : *rungs) {
            if (rung.method == method) figures.time = &rung;
        }
    }
    for (std::size_t i = 0; i < context.rung_kernels.size() && i < kMethods.size(); ++i) {
        if (kMethods[i].method != method) continue;
        figures.kernel = &context.rung_kernels[i];
        const OccupancySubject subject = subject_of(context, context.rung_kernels[i]);
        figures.occupancy = occupancy(*subject.arch, subject.needs).occupancy;
    }
    return figures;
}

struct Column {
    const char* name;
    const char* short_name;  ///< where five columns must fit
    float share;             ///< of the width, in units of about a pixel
    const char* about;
    std::string (*text)(const RungFigures&);
};

std::string known(const RungTime* time, std::string text) {
    return time != nullptr && time->kernel.count > 0 ? std::move(text) : "—";
}

std::string rate(double per_second) { return format_si(per_second, ""); }

constexpr std::array kColumns{
    Column{"executed/s", "executed", 64,
           "Iterations that were really carried out, per second, in the whole picture. The "
           "arithmetic units set its limit.",
           [](const RungFigures& of) {
               return known(of.time, of.time ? rate(of.time->executed_per_second()) : "");
           }},
    Column{"effective/s", "effective", 72,
           "Iterations that the picture's counts stand for, per second: what a shortcut skips "
           "counts as well, so this grows beyond what the units can execute.",
           [](const RungFigures& of) {
               return known(of.time, of.time ? rate(of.time->effective_per_second()) : "");
           }},
    Column{"lanes", "lanes", 54,
           "Share of the lanes' steps that did something; the others waited for a slower "
           "neighbour.",
           [](const RungFigures& of) {
               return known(of.time,
                            of.time ? format_percent(of.time->stats.lane_efficiency()) : "");
           }},
    Column{"regs", "regs", 40,
           "Registers per thread of this rung's kernel, from cudaFuncGetAttributes.",
           [](const RungFigures& of) {
               return of.kernel != nullptr ? std::to_string(of.kernel->registers)
                                           : std::string{"—"};
           }},
    Column{"occup.", "occup.", 54,
           "Theoretical occupancy of this rung's kernel with the block shape above: resident "
           "warps, of those that a multiprocessor can hold.",
           [](const RungFigures& of) {
               return of.occupancy ? format_percent(*of.occupancy) : std::string{"—"};
           }}};

constexpr std::size_t kCpuColumns = 3;
constexpr float kIndent = 28;  // unscaled pixels, what a radio button takes

std::size_t column_count(const PanelContext& context) {
    return on_gpu(context) ? kColumns.size() : kCpuColumns;
}

/// One cell of each column, flush right, with the column's tooltip.
template <class TextOf>
void draw_cells(const PanelContext& context, TextOf text_of, ImU32 color) {
    const std::size_t count = column_count(context);
    float shares = 0;
    for (std::size_t i = 0; i < count; ++i) shares += kColumns[i].share;
    float x = ImGui::GetCursorPosX() + context.px(kIndent);
    const float unit = (ImGui::GetWindowContentRegionMax().x - x) / shares;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string text = text_of(kColumns[i]);
        x += kColumns[i].share * unit;
        if (i > 0) ImGui::SameLine();
        ImGui::PushFont(context.look.mono);
        ImGui::SetCursorPosX(x - ImGui::CalcTextSize(text.c_str()).x);
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
        tooltip(context, kColumns[i].about);
    }
}

void rung_tooltip(const PanelContext& context, const char* idea, const RungTime* time) {
    std::string text = idea;
    if (time != nullptr && time->kernel.count > 0) {
        text += "\n\n" + format_ms(time->kernel.median) + ", interquartile range " +
                format_ms(time->kernel.iqr()) + ", N " + std::to_string(time->kernel.count) + "\n" +
                format_count(time->stats.executed) + " iterations executed of " +
                format_count(time->stats.iterations);
    }
    tooltip(context, text.c_str());
}

/// A thin bar: what is executed, and fainter what shortcuts add to it, against the fastest rung.
void draw_gain(const PanelContext& context, const RungTime& time, double best) {
    const float left = context.px(kIndent), height = context.px(3);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x - left;
    const auto length = [&](double rate_) { return static_cast<float>(rate_ / best) * room; };
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start{at.x + left, at.y};
    list->AddRectFilled(start, {start.x + length(time.effective_per_second()), start.y + height},
                        (Ink::kOrange & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 110));
    list->AddRectFilled(start, {start.x + length(time.executed_per_second()), start.y + height},
                        Ink::kOrange);
    ImGui::Dummy({room, height + context.px(2)});
}

/// One rung: its switch and time, below it the other figures.
void draw_rung(PanelContext& context, const char* title, const char* idea, const Method& method,
               double best) {
    const RungFigures figures = figures_of(context, method);
    const bool chosen = context.state.tuning.method == method;
    ImGui::PushID(title);
    if (ImGui::RadioButton(title, chosen) && !chosen) {
        context.commands.emplace_back(SetMethod{method});
    }
    rung_tooltip(context, idea, figures.time);
    if (figures.time != nullptr) {
        const bool timed = figures.time->kernel.count > 0;
        const std::string text = timed ? format_ms(figures.time->kernel.median) : "none";
        ImGui::PushFont(context.look.mono);
        const float width = ImGui::CalcTextSize(text.c_str()).x;
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - width);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopFont();
        tooltip(context, timed ? "Time to compute this view, median." : "");
        if (!timed) note(context, figures.time->problem);
    }
    if (figures.time != nullptr || figures.kernel != nullptr) {
        draw_cells(
            context, [&](const Column& column) { return column.text(figures); },
            ImGui::GetColorU32(ImGuiCol_Text));
    }
    if (figures.time != nullptr && best > 0) draw_gain(context, *figures.time, best);
    ImGui::PopID();
}

void switches(PanelContext& context) {
    Method method = context.state.tuning.method;
    bool blocks = method.test == Test::kBlocks, several = method.in_flight == InFlight::kSeveral;
    bool refill = method.schedule == Schedule::kRefill;
    bool flipped = toggle(context, "Test once per block of steps", blocks,
                          "Looks at |z| once per block of steps, and replays the last block for "
                          "the exact count. Off: after every step.");
    flipped |= toggle(context, "Several vectors in flight", several,
                      find_method("in-flight")->idea.data());
    flipped |= toggle(context, "Closed form", method.closed_form,
                      "Skips the main cardioid and the disk of period 2 of the Mandelbrot set, "
                      "known to be inside.");
    flipped |= toggle(context, "Periodicity", method.periodicity,
                      "Stops orbits that have come back exactly to an earlier point.");
    flipped |= toggle(context, "Refilled lanes", refill, find_method("refill")->idea.data());
    if (!flipped) return;
    method.test = blocks ? Test::kBlocks : Test::kEveryStep;
    method.in_flight = several ? InFlight::kSeveral : InFlight::kOne;
    method.schedule = refill ? Schedule::kRefill : Schedule::kWait;
    context.commands.emplace_back(SetMethod{method});
}

/// The last frame's lanes and rates, whatever rung is at work.
void last_frame(PanelContext& context) {
    const FrameStats& stats = context.loop.explorer().stats();
    if (stats.lane_steps == 0) return;
    ImGui::Dummy({0, context.px(4)});
    value_row(context, "lanes at work", format_percent(stats.lane_efficiency()), kColumns[2].about);
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, Ink::kGreen);
    ImGui::ProgressBar(static_cast<float>(stats.lane_efficiency()), {-1, context.px(6)}, "");
    ImGui::PopStyleColor();
    note(context,
         "Lanes of a warp or vector step together: one whose pixel is done waits, unless "
         "it is given another.");
    if (stats.kernel_ms <= 0) return;
    const auto per_second = [&](std::uint64_t count) {
        return format_si(static_cast<double>(count) / (stats.kernel_ms * 1e-3), "iter/s");
    };
    value_row(context, "executed, last frame", per_second(stats.executed), kColumns[0].about);
    value_row(context, "effective, last frame", per_second(stats.iterations), kColumns[1].about);
}

void measure_button(PanelContext& context) {
    Workshop& shop = context.workshop;
    if (shop.ladder.running()) {
        if (progress_with_stop(context, shop.ladder.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    if (button(context, "Measure ladder on this view",
               shop.busy() ? "another measurement runs" : "",
               "Times every rung on the view that is shown, on the backend that is chosen, and "
               "compares their counts. The fractal rests meanwhile.")) {
        context.requests.emplace_back(StartLadder{});
    }
    if (!shop.ladder.failure().empty()) note(context, shop.ladder.failure());
    const std::optional<ShownFrame>& shown = context.loop.shown();
    if (measured(context) != nullptr && shown && !(shown->job == shop.ladder_job)) {
        note(context, "The figures are of an earlier view.");
    }
}

}  // namespace

void ladder_section(PanelContext& context) {
    if (!context.loop.explorer().has_backend()) return;
    section(context, "Escape loop, idea by idea");
    double best = 0;
    if (const std::vector<RungTime>* rungs = measured(context)) {
        for (const RungTime& rung : *rungs) best = std::max(best, rung.effective_per_second());
    }
    if (best > 0 || !context.rung_kernels.empty()) {
        draw_cells(
            context,
            [few = column_count(context) == kCpuColumns](const Column& column) {
                return std::string{few ? column.name : column.short_name};
            },
            muted_ink());
    }
    for (const MethodRung& rung : kMethods) {
        draw_rung(context, rung.title.data(), rung.idea.data(), rung.method, best);
    }
    const Method& method = context.state.tuning.method;
    if (rung_of(method) == nullptr) {
        draw_rung(context, "Your own combination", "Set by the switches below.", method, best);
    }
    if (details(context, "Each idea alone")) switches(context);
    measure_button(context);
    last_frame(context);
}

}  // namespace warpscope
