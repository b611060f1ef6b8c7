// SPDX-License-Identifier: MIT
// What steps of the guided tour can name: one table of facts, how each is read and how it is set.
#pragma once

#include <complex>
#include <optional>

#include "app/panels.h"
#include "app/session/tour.h"

namespace warpscope {

/// What facts are read from. Borrowed.
struct TourScene {
    const State& state;
    const UiState& ui;
    const Workshop& workshop;
    bool on_gpu = false;  ///< whether the running backend is one
};

/// All facts and controls.
TourVocabulary tour_vocabulary();

/// What all readable facts are now.
TourFacts tour_facts(const TourScene& scene);

/// Where every step begins: the whole set, everything as it is by default, nothing laid over the
/// picture; then what the step sets itself. `gpu`: whether there is one.
void set_up(const TourFacts& facts, bool gpu, State& state, UiState& ui);

/// What a tour changes of the panels.
struct PanelsBefore {
    Tab tab = Tab::kExplore;
    bool panel_open = true, panels_hidden = false;
    OverlayChoice overlay;
    bool microscope = false;
    std::optional<std::complex<double>> pixel;
    std::optional<int> model_arch;
    int model_registers = 0, model_shared = 0;
    ComputeUi compute;
};
PanelsBefore panels_of(const UiState& ui);
void bring_back(UiState& ui, const PanelsBefore& before);

}  // namespace warpscope
