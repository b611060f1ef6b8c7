// SPDX-License-Identifier: MIT
// What the SIMT microscope remembers from frame to frame.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "app/background.h"
#include "kernels/deep/view.h"
#include "kernels/engine/warp_study.h"

namespace warpscope {

/// A pixel's warp, and the pixel's orbit.
struct PixelStudy {
    WarpStudy warp;
    std::vector<std::complex<double>> orbit;
};

struct MicroscopeUi {
    bool on = false;                            ///< clicks on the fractal choose pixels
    std::optional<std::complex<double>> point;  ///< the chosen one's place in the plane
    Background<std::optional<PixelStudy>> work;
    View view, next_view;  ///< that the study's frame shows, and that of one being made
    FrameJob job;          ///< what `work` was started for, with the pixel
    BlockShape block;
    float step = 0;        ///< of the warp, from 0
    bool show = false;     ///< the panel must scroll to it
    bool fresh = false;    ///< a pixel was chosen and has not been studied yet
    bool playing = false;  ///< steps go by themselves

    bool busy() const noexcept { return playing || work.running(); }
};

}  // namespace warpscope
