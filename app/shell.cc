// SPDX-License-Identifier: MIT
#include "app/shell.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format.h"
#include "app/input.h"
#include "app/panels/overlay_legend.h"
#include "app/panels/pointers.h"
#include "app/panels/split_divider.h"
#include "app/panels/timeline.h"
#include "app/panels/tour.h"
#include "app/panels/widgets.h"
#include "app/theme.h"

namespace warpscope {
namespace {

constexpr double kNoteSeconds = 6, kHintSeconds = 8;
constexpr double kLongSeconds = 1;  // work that takes longer shows its progress
constexpr float kSegmentWidth = 116, kNarrowSegmentWidth = 48;
constexpr float kMinPanelWidth = 320, kMaxPanelShare = 0.6f;

struct TabName {
    Tab tab;
    const char* name;
};
constexpr std::array kTabs{TabName{Tab::kExplore, "Explore"},
                           TabName{Tab::kParallelism, "Parallelism"},
                           TabName{Tab::kCompute, "Compute"}, TabName{Tab::kColour, "Colour"},
                           TabName{Tab::kDevice, "Device"}};

/// The newest figures of GPU and of the best CPU rung for the view that is shown.
struct Rates {
    std::optional<BackendRate> gpu, cpu;
    std::string cpu_name;
};

Rates rates_of(const FrameLoop& loop) {
    Rates rates;
    for (const auto& [name, newest] : loop.rates()) {
        const std::optional<BackendRate> rate = loop.shown_rate(name);
        if (!rate) continue;
        if (name == "cuda") {
            rates.gpu = rate;
        } else if (!rates.cpu || rate->kernel_ms < rates.cpu->kernel_ms) {
            rates.cpu = rate;
            rates.cpu_name = name;
        }
    }
    return rates;
}

void draw_tabs(PanelContext& context) {
    for (const TabName& tab : kTabs) {
        const bool chosen = context.ui.tab == tab.tab && context.ui.panel_open;
        ImGui::PushStyleColor(ImGuiCol_Button,
                              chosen ? ImGui::GetColorU32(ImGuiCol_ButtonActive) : 0);
        if (ImGui::Button(tab.name)) {
            context.ui.panel_open = !chosen;  // a second click folds the panel away
            context.ui.tab = tab.tab;
        }
        ImGui::PopStyleColor();
        ImGui::SameLine(0, context.px(4));
    }
}

struct Segment {
    const char* label;
    bool on;
    std::string problem;       ///< why it cannot be chosen
    std::optional<double> ms;  ///< its last time on this view
    const char* about;
    float width;  ///< unscaled pixels
};

bool draw_segment(PanelContext& context, const Segment& segment) {
    std::string text = segment.label;
    const bool roomy = segment.width >= kSegmentWidth;
    if (segment.ms && roomy) text += "  " + format_ms(*segment.ms);
    text += std::string{"###"} + segment.label;
    ImGui::BeginDisabled(!segment.problem.empty());
    ImGui::PushStyleColor(ImGuiCol_Button,
                          ImGui::GetColorU32(segment.on ? ImGuiCol_SliderGrab : ImGuiCol_FrameBg));
    ImGui::PushStyleColor(ImGuiCol_Text, segment.on ? IM_COL32(12, 12, 12, 255) : muted_ink());
    const bool pressed = ImGui::Button(text.c_str(), {context.px(segment.width), 0});
    ImGui::PopStyleColor(2);
    ImGui::EndDisabled();
    tooltip(context, segment.problem.empty() ? segment.about : segment.problem.c_str());
    return pressed && !segment.on;
}

std::string bar_figures(const PanelContext& context, const Rates& rates) {
    const Explorer& explorer = context.loop.explorer();
    const std::string who = explorer.has_backend() ? explorer.backend().info().name : "";
    const std::optional<BackendRate> now = context.loop.shown_rate(who);
    std::string text;
    if (rates.gpu && rates.cpu && rates.gpu->kernel_ms > 0) {
        text += "GPU " + format_ratio(rates.cpu->kernel_ms / rates.gpu->kernel_ms) + " " +
                rates.cpu_name + "   ";
    }
    text += now ? format_ms(now->kernel_ms) + "   " + format_si(now->per_second(), "iter/s") : "—";
    const std::optional<double> frame =
        context.loop.log().median(&FrameCost::total, FrameLog::kCapacity / 4);
    const bool known = frame && *frame > 0;
    return text + "   " + (known ? std::to_string(std::lround(1000 / *frame)) : "—") + " fps";
}

void draw_bar(PanelContext& context, float width) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(8), context.px(6)});
    begin_strip("##bar", {0, 0}, {width, context.px(kBarHeight)});
    draw_tabs(context);
    const bool on_gpu = context.loop.explorer().has_backend() &&
                        context.loop.explorer().backend().info().cuda_device >= 0;
    const Rates rates = rates_of(context.loop);
    const std::string figures = bar_figures(context, rates);
    ImGui::PushFont(context.look.mono);
    const float figures_width = ImGui::CalcTextSize(figures.c_str()).x;
    ImGui::PopFont();
    const float right = width - context.px(16);
    const float left = ImGui::GetCursorPosX() + context.px(16);
    // In a narrow window the switch gives up its figures before it covers the tabs.
    const float segment_width =
        right - left >= context.px(2 * kSegmentWidth + 2) ? kSegmentWidth : kNarrowSegmentWidth;
    const float switch_width = context.px(2 * segment_width + 2);
    const float room = right - left - switch_width;
    const bool figures_fit = figures_width <= room;
    ImGui::SameLine(
        std::max(left, right - switch_width - (figures_fit ? figures_width + context.px(16) : 0)));
    const auto ms = [](const std::optional<BackendRate>& rate) {
        return rate ? std::optional{rate->kernel_ms} : std::nullopt;
    };
    const std::string gpu_problem = context.cuda.problem;
    const bool to_cpu = draw_segment(
        context, {"CPU", !on_gpu, "", ms(rates.cpu),
                  "Compute on the processor, with SIMD on all threads (Space). The time is the "
                  "workers' wall time for this view.",
                  segment_width});
    const ImVec2 first = ImGui::GetItemRectMin();
    ImGui::SameLine(0, context.px(2));
    const bool to_gpu = draw_segment(
        context, {"GPU", on_gpu, gpu_problem, ms(rates.gpu),
                  "Compute with CUDA (Space). The time is the kernel's own, between two CUDA "
                  "events, for this view.",
                  segment_width});
    mark(context, Control::kBackend, first, ImGui::GetItemRectMax());
    if (to_cpu) context.commands.push_back(SetBackend{"cpu"});
    if (to_gpu) context.commands.push_back(SetBackend{"cuda"});
    if (figures_fit) {
        ImGui::SameLine(right - figures_width);
        ImGui::PushFont(context.look.mono);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(figures.c_str());
        ImGui::PopFont();
        tooltip(context,
                "Ratio: the best CPU rung tried on this view against the GPU, computing alone. "
                "Then the time of the running backend, the iterations per second that its counts "
                "stand for (effective: shortcuts spare some), and frames per second. Compare in "
                "the Parallelism tab measures all of them fairly.");
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

std::string number_type(const FrameLoop& loop) {
    if (!loop.shown()) return "—";
    return std::string{precision_name(loop.shown()->job.precision)};
}

std::string path_name(const FrameLoop& loop) {
    if (!loop.explorer().has_backend()) return "—";
    if (loop.explorer().backend().info().cuda_device < 0) return "host memory";
    return loop.shares_buffer() ? "interop" : "host copy";
}

std::string center_text(const View& view, int height) {
    // Enough digits for a pixel, but never more than the line has room for.
    const int digits = std::min(center_digits(view, height), 20);
    const std::string im = view.im.to_string(digits);
    const bool negative = im.starts_with('-');
    return view.re.to_string(digits) + (negative ? " - " : " + ") + (negative ? im.substr(1) : im) +
           " i";
}

/// "computing 41 %, 12 s left"; empty for what takes less than a second.
std::string progress_text(const PanelContext& context) {
    const Explorer& explorer = context.loop.explorer();
    const double spent = explorer.running_seconds(context.now);
    const std::optional<double> left = explorer.seconds_left(context.now);
    if (spent + left.value_or(0) < kLongSeconds || spent < kLongSeconds / 4) return {};
    const std::uint32_t limit = explorer.working() ? explorer.job().limit : 0;
    const bool sketch = limit != 0 && limit != explorer.wanted().limit;
    std::string text = (sketch ? "sketching with limit " + format_count(limit) : "computing") +
                       " " + format_share(explorer.fraction());
    if (left) text += ", " + format_seconds_left(*left) + " left";
    return text;
}

/// A thin bar along the top of the status line, over the whole width, and its text at the right.
void draw_progress(const PanelContext& context, float width, float top) {
    const std::string text = progress_text(context);
    if (text.empty()) return;
    const float height = context.px(3);
    const auto share = static_cast<float>(context.loop.explorer().fraction());
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pad = context.px(12), left = width - ImGui::CalcTextSize(text.c_str()).x - 2 * pad;
    // Over what is there where the line is full: it says something new.
    list->AddRectFilled({left, top}, {width, top + context.px(kStatusHeight)},
                        ImGui::GetColorU32(ImGuiCol_WindowBg) | IM_COL32_A_MASK);
    list->AddText({left + pad, top + context.px(4)}, ImGui::GetColorU32(ImGuiCol_Text),
                  text.c_str());
    list->AddRectFilled({0, top}, {width, top + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    list->AddRectFilled({0, top}, {share * width, top + height},
                        ImGui::GetColorU32(ImGuiCol_SliderGrab));
}

void draw_status(PanelContext& context, float width, float bottom) {
    const float height = context.px(kStatusHeight);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(12), context.px(4)});
    begin_strip("##status", {0, bottom - height}, {width, height});
    const Scene& scene = context.state.scene;
    const FrameLoop& loop = context.loop;
    const std::string backend =
        loop.explorer().has_backend() ? loop.explorer().backend().info().name : "—";
    const std::optional<double> frame = loop.log().median(&FrameCost::total, 30);
    std::vector<std::string> parts{
        center_text(scene.view, context.framebuffer.height),
        "zoom " + format_zoom(scene.view.zoom.log2_abs()),
        std::string{info(scene.formula).title} + (scene.julia ? " Julia" : ""),
        "limit " + format_count(scene.limit),
        number_type(loop),
        backend,
        path_name(loop),
        frame ? format_ms(*frame) : "—",
    };
    if (context.state.paused) parts.emplace_back("paused");
    if (context.state.settings.pace == Pace::kEconomy) parts.emplace_back("economy");
    if (context.state.settings.antialias) {
        parts.push_back("samples " + std::to_string(loop.samples_shown()) + "/" +
                        std::to_string(kMostSamples));
    }
    ImGui::PushFont(context.look.mono);
    for (const std::string& part : parts) {
        if (&part != &parts.front()) ImGui::SameLine(0, context.px(20));
        ImGui::TextUnformatted(part.c_str());
    }
    draw_progress(context, width, bottom - height);
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_panel(PanelContext& context, float width, float bottom) {
    if (!context.ui.panel_open) return;
    const float top = context.px(kBarHeight), height = bottom - context.px(kStatusHeight) - top;
    const float widest = std::max(kMinPanelWidth, kMaxPanelShare * width / context.look.scale);
    context.ui.panel_width = std::clamp(context.ui.panel_width, kMinPanelWidth, widest);
    ImGui::SetNextWindowPos({0, top});
    ImGui::SetNextWindowSize({context.px(context.ui.panel_width), height});
    ImGui::Begin("##panel", nullptr, kFixedWindow & ~ImGuiWindowFlags_NoScrollbar);
    ImGui::PushID(static_cast<int>(context.ui.tab));
    switch (context.ui.tab) {
        case Tab::kExplore:
            explore_panel(context);
            break;
        case Tab::kParallelism:
            parallelism_panel(context);
            break;
        case Tab::kCompute:
            compute_panel(context);
            break;
        case Tab::kColour:
            colour_panel(context);
            break;
        case Tab::kDevice:
            device_panel(context);
            break;
    }
    ImGui::PopID();
    ImGui::End();

    // A handle on the right edge drags the panel wider.
    const float edge = context.px(context.ui.panel_width);
    begin_strip("##edge", {edge, top}, {context.px(6), height});
    ImGui::SetCursorPos({0, 0});
    ImGui::InvisibleButton("handle", {context.px(6), height});
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }
    if (ImGui::IsItemActive()) {
        context.ui.panel_width = ImGui::GetIO().MousePos.x / context.look.scale;
    }
    ImGui::End();
}

void draw_toasts(PanelContext& context, float width, float bottom) {
    std::vector<Toast>& toasts = context.ui.toasts;
    std::erase_if(toasts, [&](const Toast& toast) {
        return toast.urgency == Urgency::kNote && context.now - toast.since > kNoteSeconds;
    });
    float y = bottom - context.px(kStatusHeight + 12 + context.ui.legend_height);
    for (std::size_t i = 0; i < toasts.size(); ++i) {
        const Toast& toast = toasts[i];
        ImGui::SetNextWindowPos({width - context.px(16), y}, ImGuiCond_Always, {1, 1});
        ImGui::SetNextWindowSizeConstraints({context.px(120), 0}, {context.px(440), FLT_MAX});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, context.px(6));
        ImGui::Begin(("##toast" + std::to_string(i)).c_str(), nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing);
        const bool error = toast.urgency == Urgency::kError;
        if (error) ImGui::PushStyleColor(ImGuiCol_Text, Ink::kOrange);
        ImGui::PushTextWrapPos(context.px(400));
        ImGui::TextUnformatted((error ? "! " + toast.text : toast.text).c_str());
        ImGui::PopTextWrapPos();
        if (error) ImGui::PopStyleColor();
        const bool dismissed = error && ImGui::SmallButton("Dismiss");
        y -= ImGui::GetWindowHeight() + context.px(8);
        ImGui::End();
        ImGui::PopStyleVar();
        if (dismissed) {
            toasts.erase(toasts.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    }
}

void draw_hint(PanelContext& context, float width, float bottom, double first_frame) {
    const double age = context.now - first_frame;
    if (context.ui.moved || age > kHintSeconds || context.ui.legend_height > 0) return;
    if (context.ui.tour.running) return;     // it says what to do
    if (!context.ui.toasts.empty()) return;  // in a small window they would lie over it
    const char* text =
        "Scroll to zoom  ·  drag to pan  ·  Space: CPU or GPU  ·  G: guided tour  ·  ?: keys";
    const float alpha = static_cast<float>(std::clamp(kHintSeconds - age, 0.0, 1.0));
    const ImVec2 size = ImGui::CalcTextSize(text);
    const float left = context.ui.panel_open ? context.px(context.ui.panel_width) : 0;
    const ImVec2 at{left + (width - left - size.x) / 2, bottom - context.px(72)};
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const float pad = context.px(12);
    list->AddRectFilled({at.x - pad, at.y - pad / 2},
                        {at.x + size.x + pad, at.y + size.y + pad / 2},
                        ImGui::ColorConvertFloat4ToU32({0, 0, 0, 0.6f * alpha}), pad);
    list->AddText(at, ImGui::ColorConvertFloat4ToU32({1, 1, 1, alpha}), text);
}

void draw_help(PanelContext& context, float width, float bottom) {
    if (!context.ui.help_open) return;
    ImGui::SetNextWindowPos({width / 2, bottom / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, context.px(6));
    ImGui::Begin("##help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PushFont(context.look.big);
    ImGui::TextUnformatted("Keys");
    ImGui::PopFont();
    if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const KeyHelp& row : key_help()) {
            ImGui::TableNextColumn();
            ImGui::PushFont(context.look.mono);
            ImGui::TextUnformatted(row.keys);
            ImGui::PopFont();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.action);
        }
        ImGui::EndTable();
    }
    if (button(context, "Guided tour", "",
               "What a GPU is good at, in some steps: each says what to try, points at the control "
               "and shows what happened (G).")) {
        context.ui.help_open = false;
        context.requests.emplace_back(TurnTour{TourTurn::kStart});
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

void draw_shell(PanelContext& context) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float bottom = size.y, timeline = timeline_height(context);
    context.ui.legend_height = 0;
    context.ui.recording = false;
    context.ui.tour.ring.reset();
    const bool covered = context.ui.tab == Tab::kCompute && context.ui.panel_open;
    if (context.ui.panels_hidden) {
        split_divider(context, {0, 0}, size);
    } else if (!covered) {
        split_divider(context,
                      {context.ui.panel_open ? context.px(context.ui.panel_width) : 0,
                       context.px(kBarHeight)},
                      {size.x, bottom - timeline - context.px(kStatusHeight)});
    }
    if (!context.ui.panels_hidden) {
        draw_bar(context, size.x);
        draw_panel(context, size.x, bottom);
        draw_status(context, size.x, bottom);
        if (covered) {
            compute_stage(context, context.px(context.ui.panel_width), context.px(kBarHeight),
                          size.x, bottom - context.px(kStatusHeight));
        } else {
            overlay_legend(context, size.x, bottom - timeline - context.px(kStatusHeight));
            draw_hint(context, size.x, bottom - timeline, context.ui.first_frame);
        }
        const float left = context.ui.panel_open ? context.px(context.ui.panel_width) : 0;
        const ImVec2 room_min{left, context.px(kBarHeight)};
        const ImVec2 room_max{size.x, bottom - timeline - context.px(kStatusHeight)};
        if (timeline > 0) {
            timeline_strip(context, left, size.x, bottom - context.px(kStatusHeight));
        }
        tour_card(context, room_min, room_max);
        draw_ring(context);
    }
    draw_toasts(context, size.x, bottom - timeline);
    draw_help(context, size.x, bottom);
}

void add_toast(UiState& ui, std::string text, Urgency urgency, double now) {
    std::erase_if(ui.toasts, [&text](const Toast& toast) { return toast.text == text; });
    ui.toasts.push_back({std::move(text), urgency, now});
}

}  // namespace warpscope
