// SPDX-License-Identifier: MIT
#include "app/tour_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/pointers.h"
#include "kernels/lab/element_map.h"

namespace warpscope {
namespace {

constexpr std::string_view kPlaces = "assets/locations/";
constexpr std::array kTabNames{"explore", "parallelism", "compute", "colour", "device"};
constexpr int kKib = 1024;

bool flag(const FactValue& value) { return std::get<bool>(value); }
int whole(const FactValue& value) { return static_cast<int>(std::lround(std::get<double>(value))); }
const std::string& word(const FactValue& value) { return std::get<std::string>(value); }
FactValue number(int value) { return static_cast<double>(value); }

std::string place_name(std::string_view path) {
    path.remove_prefix(kPlaces.size());
    path.remove_suffix(std::string_view{".toml"}.size());
    return std::string{path};
}

std::vector<std::string> place_names() {
    std::vector<std::string> names{"home"};
    for (const Place& place : built_in_places()) names.push_back(place_name(place.id));
    return names;
}

void set_place(State& state, UiState&, const FactValue& value) {
    for (const Place& place : built_in_places()) {
        if (place_name(place.id) == word(value)) state.scene = place.location.scene;
    }
}

template <class Rows, class Name>
std::vector<std::string> names_of(const Rows& rows, Name name) {
    std::vector<std::string> names;
    for (const auto& row : rows) names.emplace_back(row.*name);
    return names;
}

/// Threads that the guard of the six-element example stops.
int stopped_threads(const UiState& ui) {
    const auto map = element_map(static_cast<int>(kExampleA.size()), ui.compute.example.block);
    return static_cast<int>(std::ranges::count(map, false, &ThreadElement::works));
}

bool lab_done(const TourScene& scene) {
    const LabRun& lab = scene.workshop.lab;
    const std::string_view demo = lab_demos()[scene.ui.compute.demo].name;
    return !lab.running() && std::ranges::any_of(lab.outcomes(), [demo](const LabOutcome& outcome) {
        return outcome.request.demo == demo && outcome.result && outcome.result->figures;
    });
}

std::string kernel_name(const State& state) {
    const MethodRung* rung = rung_of(state.tuning.method);
    return rung != nullptr ? std::string{rung->key} : "own";
}

std::string demo_name(const UiState& ui) { return std::string{lab_demos()[ui.compute.demo].name}; }

void set_demo(State&, UiState& ui, const FactValue& value) {
    for (std::size_t i = 0; i < lab_demos().size(); ++i) {
        if (lab_demos()[i].name == word(value)) ui.compute.demo = i;
    }
    ui.compute.demos[ui.compute.demo].n = lab_demos()[ui.compute.demo].default_n;
    ui.compute.scroll_to_top = true;
}

/// One fact. What cannot be read, or set, has no function for it.
struct Fact {
    const char* name;
    FactValue kind;
    std::vector<std::string> words;
    FactValue (*read)(const TourScene& scene) = nullptr;
    void (*set)(State& state, UiState& ui, const FactValue& value) = nullptr;
};

using Seen = const TourScene&;
using Value = const FactValue&;

/// All of them.
std::vector<Fact> make_facts() {
    return {
        {"place", std::string{}, place_names(), nullptr, set_place},
        {"zoom",
         0.0,
         {},
         [](Seen s) -> FactValue { return std::exp2(s.state.scene.view.zoom.log2_abs()); }},
        {"backend",
         std::string{},
         {"cpu", "gpu"},
         [](Seen s) -> FactValue { return std::string{s.on_gpu ? "gpu" : "cpu"}; },
         [](State& state, UiState&, Value v) {
             state.backend = word(v) == "gpu" ? "cuda" : "cpu";
         }},
        {"block_x",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.block.x); },
         [](State& state, UiState&, Value v) { state.tuning.block.x = whole(v); }},
        {"block_y",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.block.y); },
         [](State& state, UiState&, Value v) { state.tuning.block.y = whole(v); }},
        {"block_threads",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.block.x * s.state.tuning.block.y); }},
        {"cpu_threads",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.cpu_threads); },
         [](State& state, UiState&, Value v) { state.tuning.cpu_threads = whole(v); }},
        {"cpu_tile",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.cpu_tile); },
         [](State& state, UiState&, Value v) { state.tuning.cpu_tile = whole(v); }},
        {"kernel", std::string{}, names_of(kMethods, &MethodRung::key),
         [](Seen s) -> FactValue { return kernel_name(s.state); },
         [](State& state, UiState&, Value v) {
             state.tuning.method = find_method(word(v))->method;
         }},
        {"shared_kib",
         0.0,
         {},
         [](Seen s) { return number(s.state.tuning.what_if.shared_bytes / kKib); },
         [](State& state, UiState&, Value v) {
             state.tuning.what_if.shared_bytes = kKib * whole(v);
         }},
        {"model_registers",
         0.0,
         {},
         [](Seen s) { return number(s.ui.model_registers); },
         [](State&, UiState& ui, Value v) { ui.model_registers = whole(v); }},
        {"overlay", std::string{}, names_of(overlay_infos(), &OverlayInfo::key),
         [](Seen s) -> FactValue { return std::string{info(s.ui.overlay.kind).key}; },
         [](State&, UiState& ui, Value v) {
             for (const OverlayInfo& overlay : overlay_infos()) {
                 if (word(v) == overlay.key) ui.overlay.kind = overlay.kind;
             }
         }},
        {"timeline",
         false,
         {},
         [](Seen s) -> FactValue { return s.state.settings.timeline; },
         [](State& state, UiState&, Value v) { state.settings.timeline = flag(v); }},
        {"microscope",
         false,
         {},
         [](Seen s) -> FactValue { return s.ui.microscope.on; },
         [](State&, UiState& ui, Value v) { ui.microscope.on = ui.microscope.show = flag(v); }},
        {"pixel", false, {}, [](Seen s) -> FactValue { return s.ui.microscope.point.has_value(); }},
        {"tab",
         std::string{},
         {kTabNames.begin(), kTabNames.end()},
         [](Seen s) -> FactValue {
             return std::string{kTabNames[static_cast<std::size_t>(s.ui.tab)]};
         },
         [](State&, UiState& ui, Value v) {
             const auto found = std::ranges::find(kTabNames, word(v));
             ui.tab = static_cast<Tab>(found - kTabNames.begin());
         }},
        {"demo", std::string{}, names_of(lab_demos(), &LabDemo::name),
         [](Seen s) -> FactValue { return demo_name(s.ui); }, set_demo},
        {"rung",
         std::string{},
         {},
         [](Seen s) -> FactValue { return s.ui.compute.demos[s.ui.compute.demo].selected; },
         [](State&, UiState& ui, Value v) {
             ui.compute.demos[ui.compute.demo].selected = word(v);
         }},
        {"example_block",
         0.0,
         {},
         [](Seen s) { return number(s.ui.compute.example.block); },
         [](State&, UiState& ui, Value v) { ui.compute.example.block = whole(v); }},
        {"example_stopped", 0.0, {}, [](Seen s) { return number(stopped_threads(s.ui)); }},
        {"lab_done", false, {}, [](Seen s) -> FactValue { return lab_done(s); }},
        {"compared",
         false,
         {},
         [](Seen s) -> FactValue {
             return !s.workshop.compare.running() && s.workshop.compare.result();
         }},
    };
}

const std::vector<Fact>& all_facts() {
    static const std::vector<Fact> facts = make_facts();
    return facts;
}

}  // namespace

TourVocabulary tour_vocabulary() {
    TourVocabulary vocabulary;
    for (const Fact& fact : all_facts()) {
        const FactUse use = fact.read == nullptr  ? FactUse::kSet
                            : fact.set == nullptr ? FactUse::kRead
                                                  : FactUse::kBoth;
        vocabulary.facts.push_back({fact.name, fact.kind, use, fact.words});
    }
    for (const ControlInfo& control : controls()) vocabulary.controls.emplace_back(control.name);
    return vocabulary;
}

TourFacts tour_facts(const TourScene& scene) {
    TourFacts facts;
    for (const Fact& fact : all_facts()) {
        if (fact.read != nullptr) facts[fact.name] = fact.read(scene);
    }
    return facts;
}

void set_up(const TourFacts& facts, bool gpu, State& state, UiState& ui) {
    const UiState usual;
    state.scene = Scene{};
    state.backend = gpu ? "cuda" : "cpu";
    state.tuning = Tuning{};
    state.paused = false;
    state.settings.timeline = false;
    ui.overlay = usual.overlay;
    ui.microscope.on = ui.microscope.playing = false;
    ui.microscope.point.reset();
    ui.model_arch.reset();
    ui.model_registers = usual.model_registers;
    ui.model_shared = usual.model_shared;
    ui.compute.example = usual.compute.example;
    ui.panel_open = true;
    ui.panels_hidden = false;
    // In the order of the table: a rung is one of the demo that was set before.
    for (const Fact& fact : all_facts()) {
        const auto found = facts.find(fact.name);
        if (found != facts.end()) fact.set(state, ui, found->second);
    }
}

PanelsBefore panels_of(const UiState& ui) {
    return {ui.tab,           ui.panel_open,       ui.panels_hidden, ui.overlay,
            ui.microscope.on, ui.microscope.point, ui.model_arch,    ui.model_registers,
            ui.model_shared,  ui.compute};
}

void bring_back(UiState& ui, const PanelsBefore& before) {
    ui.tab = before.tab;
    ui.panel_open = before.panel_open;
    ui.panels_hidden = before.panels_hidden;
    ui.overlay = before.overlay;
    ui.microscope.on = before.microscope;
    ui.microscope.point = before.pixel;
    ui.model_arch = before.model_arch;
    ui.model_registers = before.model_registers;
    ui.model_shared = before.model_shared;
    ui.compute = before.compute;
}

}  // namespace warpscope
