// SPDX-License-Identifier: MIT
// The Compute tab's panel: which demo, how large, which rungs, in which blocks; run and stop.
#include <algorithm>
#include <cstdio>

#include "app/format.h"
#include "app/panels/compute_parts.h"
#include "app/panels/fields.h"
#include "app/panels/pointers.h"
#include "app/panels/widgets.h"
#include "kernels/lab/problem.h"

namespace warpscope {
namespace {

constexpr double kMemoryAskSeconds = 2;  // how long an answer about free memory holds

void choose_demo(PanelContext& context) {
    std::vector<SegmentChoice> choices;
    for (const LabDemo& demo : lab_demos()) {
        choices.push_back({demo.title.data(), demo.idea.data()});
    }
    int index = static_cast<int>(context.ui.compute.demo);
    if (segments(context, "demo", index, choices)) {
        context.ui.compute.demo = static_cast<std::size_t>(index);
        context.ui.compute.scroll_to_top = true;
    }
}

const LabRung* rung_named(const ComputeScene& scene, const std::string& name) {
    for (const LabRung& rung : scene.choice.rungs) {
        if (rung.name == name) return &rung;
    }
    return nullptr;
}

void headline(const PanelContext& context, const ComputeScene& scene) {
    const LabResult* best = fastest(context.workshop.lab.outcomes(), scene.demo.name);
    if (best == nullptr) return;  // a dash would only push the controls down
    const LabRung* rung = rung_named(scene, best->rung);
    const std::string caption = (rung != nullptr ? rung->title : best->rung) + ", " +
                                share_text(best->figures->of_peak) + " of its peak";
    big_number(context, rate_text(*best->figures), elided(caption, context.px(328)).c_str(),
               ("The rate of the fastest rung so far: " + best->figures->peak_how +
                " is what it could reach at most.")
                   .c_str());
    if (scene.best_cpu == nullptr || scene.best_cpu == best) return;
    const LabRatio ratio = ratio_to(*scene.best_cpu->figures, *best->figures);
    value_row(context, ("against " + scene.best_cpu->rung).c_str(), format_ratio(ratio.kernel),
              "How many times as long the best CPU rung takes for the kernel alone. With copies "
              "and memory the ratio is smaller: see the table.");
}

/// Takes a typed or chosen n over; says what was wrong with it.
void take_n(ComputeScene& scene, std::optional<std::uint64_t> n) {
    DemoChoice& choice = scene.choice;
    if (!n) {
        choice.n_problem = "Not a whole number: write 10000000, 10,000,000, 1e7 or 10M.";
        return;
    }
    choice.n = static_cast<std::size_t>(std::clamp<std::uint64_t>(*n, 1, scene.demo.max_n));
    choice.n_problem.clear();
    if (choice.n != *n) {
        choice.n_problem = "Clamped to " + format_count(choice.n) + ": " +
                           std::string{scene.demo.name} + " takes 1 to " +
                           format_count(scene.demo.max_n) + ".";
    }
}

void n_field(PanelContext& context, ComputeScene& scene) {
    ComputeUi& ui = context.ui.compute;
    if (!ui.n_editing) {
        std::snprintf(ui.n_text.data(), ui.n_text.size(), "%s",
                      format_count(scene.choice.n).c_str());
    }
    ImGui::PushFont(context.look.mono);
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##n", ui.n_text.data(), ui.n_text.size(), ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    ui.n_editing = ImGui::IsItemActive();
    if (ImGui::IsItemDeactivatedAfterEdit()) take_n(scene, parse_count(ui.n_text.data()));
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) take_n(scene, scene.demo.default_n);
    tooltip(context,
            "n: elements per vector, or rows and columns per matrix. Small n fits into the caches "
            "and hardly fills a GPU; large n shows what memory can do. Right click: the default.");
}

struct Preset {
    const char* label;
    std::uint64_t n;
    const char* about;
};

void n_presets(PanelContext& context, ComputeScene& scene) {
    constexpr const char* kSmall = "Small: launching takes longer than computing.";
    constexpr const char* kPrime = "A prime: no block size divides it, so the guard has work.";
    static constexpr std::array kVectors{
        Preset{"1 k", 1'000, kSmall},
        Preset{"1 M", 1'000'000, "Fits into most caches."},
        Preset{"10 M", 10'000'000, "The usual size: 120 MB in three arrays."},
        Preset{"100 M", 100'000'000, "Far beyond every cache: 1.2 GB."},
        Preset{"prime", 10'000'019, kPrime},
    };
    static constexpr std::array kMatrices{
        Preset{"256", 256, kSmall},
        Preset{"1024", 1024, "2 billion operations."},
        Preset{"2048", 2048, "17 billion operations: long for one scalar thread."},
        Preset{"4096", 4096, "137 billion operations: leave the naive CPU rungs out."},
        Preset{"prime", 1021, kPrime},
    };
    const auto& presets = scene.demo.rate == LabRate::kCompute ? kMatrices : kVectors;
    const float gap = context.px(4);
    const auto count = static_cast<float>(presets.size());
    const float each = (ImGui::GetContentRegionAvail().x - gap * (count - 1)) / count;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{context.px(2), ImGui::GetStyle().FramePadding.y});
    for (const Preset& preset : presets) {
        if (&preset != &presets.front()) ImGui::SameLine(0, gap);
        if (ImGui::Button(preset.label, {each, 0})) take_n(scene, preset.n);
        tooltip(context, preset.about);
    }
    ImGui::PopStyleVar();
}

/// Asks now and then whether the host has the memory that the CPU rungs and the copies need.
void ask_memory(const PanelContext& context, ComputeScene& scene) {
    DemoChoice& choice = scene.choice;
    const bool known =
        choice.memory_n == choice.n && context.now - choice.memory_since < kMemoryAskSeconds;
    if (known) return;
    choice.memory_n = choice.n;
    choice.memory_since = context.now;
    choice.memory_about.clear();
    try {
        // Twice: the machine's peak is measured on arrays of the same size.
        lab::require_host_memory(scene.demo.name, choice.n, 2 * lab_bytes(scene.demo, choice.n));
    } catch (const LabError& error) {
        choice.memory_about = error.what();
    }
}

void size_section(PanelContext& context, ComputeScene& scene) {
    section(context,
            scene.demo.rate == LabRate::kCompute ? "Size: n by n matrices" : "Size: n elements");
    n_field(context, scene);
    n_presets(context, scene);
    if (!scene.choice.n_problem.empty()) note(context, scene.choice.n_problem);
    const double bytes = lab_bytes(scene.demo, scene.choice.n);
    value_row(context, "Memory", format_bytes(bytes),
              "Three arrays of float, once on the host and, for GPU rungs, once more on the GPU. "
              "What must cross memory at least once: the bandwidth demos are rated by it.");
    ask_memory(context, scene);
    if (!scene.choice.memory_about.empty()) note(context, scene.choice.memory_about);
    for (const CudaDevice& device : context.cuda.devices) {
        if (device.index != context.state.device) continue;
        if (bytes > static_cast<double>(device.memory_bytes)) {
            note(context, "More than the GPU has (" +
                              format_bytes(static_cast<double>(device.memory_bytes)) +
                              "): its rungs will say so; the CPU's run.");
        }
    }
}

std::string why_not_run(const PanelContext& context, const ComputeScene& scene,
                        const std::vector<LabRequest>& requests) {
    if (context.workshop.busy()) return "Another measurement runs: wait or stop it.";
    if (requests.empty()) return "No rung is chosen: tick at least one below.";
    return scene.choice.memory_about;
}

void run_section(PanelContext& context, ComputeScene& scene) {
    ImGui::Dummy({0, context.px(4)});
    if (context.workshop.lab.running()) {
        if (progress_with_stop(context, context.workshop.lab.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    const std::vector<LabRequest> requests = requests_of(
        scene.demo, scene.choice,
        {context.state.device, context.state.tuning.cpu_threads, context.ui.compute.cache});
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetColorU32(ImGuiCol_SliderGrab));
    ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(12, 12, 12, 255));
    const std::string label = "Run " + std::to_string(requests.size()) +
                              (requests.size() == 1 ? " rung###run" : " rungs###run");
    const std::string why = why_not_run(context, scene, requests);
    ImGui::BeginDisabled(!why.empty());
    const bool pressed = ImGui::Button(label.c_str(), {-1, context.px(32)});
    ImGui::EndDisabled();
    ImGui::PopStyleColor(2);
    mark(context, Control::kRunLab);
    tooltip(context, why.empty() ? "Fresh random data, outputs poisoned with NaN; every rung is "
                                   "timed and its result checked against a reference in double "
                                   "precision. The fractal rests meanwhile."
                                 : why.c_str());
    if (pressed) context.requests.emplace_back(StartLab{requests});
}

void rung_boxes(PanelContext& context, ComputeScene& scene) {
    section(context, "Rungs");
    std::string_view missing;
    for (const LabRung& rung : scene.choice.rungs) {
        const bool available = rung.unavailable.empty();
        bool wanted = available && scene.choice.choices[rung.name].wanted;
        ImGui::PushID(rung.name.c_str());
        ImGui::BeginDisabled(!available);
        if (ImGui::Checkbox(rung.title.c_str(), &wanted)) {
            scene.choice.choices[rung.name].wanted = wanted;
        }
        ImGui::EndDisabled();
        tooltip(context, (available ? rung.idea : "Cannot run here: " + rung.unavailable).c_str());
        ImGui::PopID();
        if (!available && rung.name != "cublas") missing = rung.unavailable;
    }
    if (!missing.empty()) {
        note(context, "GPU rungs cannot run here: " + std::string{missing} +
                          ". The Device tab says what to do; their source can be read all the "
                          "same.");
    }
}

void cache_section(PanelContext& context) {
    section(context, "Caches before each sample");
    ComputeUi& ui = context.ui.compute;
    int index = ui.cache == LabCache::kCold ? 0 : 1;
    const std::vector<SegmentChoice> choices{
        {"Cold",
         "Other data fill the caches before each sample, so that main memory is measured. Data "
         "that a real program comes back to after a while are cold."},
        {"Warm",
         "The same kernel ran just before. What fits into a cache is then faster than memory: "
         "above 100 % of memory's peak the figure is the cache's."}};
    if (segments(context, "cache", index, choices)) {
        ui.cache = index == 0 ? LabCache::kCold : LabCache::kWarm;
    }
}

}  // namespace

void compute_panel(PanelContext& context) {
    choose_demo(context);
    ComputeScene scene = compute_scene(context);
    note(context, std::string{scene.demo.idea});
    headline(context, scene);
    size_section(context, scene);
    run_section(context, scene);
    rung_boxes(context, scene);
    block_controls(context, scene);
    guard_section(context, scene);
    cache_section(context);
}

}  // namespace warpscope
