// SPDX-License-Identifier: MIT
// The colouring of shaders/coloring.glsl without OpenGL: for PNG export, thumbnails and tests.
#pragma once

#include <cstdint>
#include <span>

#include "app/session/state.h"
#include "kernels/math/sample.h"
#include "shaders/coloring_params.h"

namespace warpscope {

/// What the shader needs for `settings` on a grid of `width` x `height` samples. `cycle_phase` in
/// turns, any finite number, is how far animated cycling has come.
ColoringParams coloring_params(const ColorSettings& settings, double cycle_phase, Formula formula,
                               int width, int height);

/// Colours a grid of params.width x params.height samples, row 0 on top, into RGBA (8 bits each,
/// sRGB, R in the lowest byte, A 255), the same as the window shows. Throws std::invalid_argument
/// where the sizes of grid, `samples` and `rgba` disagree.
void colorize(std::span<const Sample> samples, const ColoringParams& params,
              const PaletteTable& palette, std::span<std::uint32_t> rgba);

}  // namespace warpscope
