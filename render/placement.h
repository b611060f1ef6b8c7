// SPDX-License-Identifier: MIT
// Where a grid of samples lies in a window, and which of its samples are there, as
// shaders/place.glsl reads it.
#pragma once

#include <array>
#include <optional>

#include "kernels/deep/view.h"
#include "kernels/engine/coverage.h"
#include "render/gl.h"

namespace warpscope {

/// A grid in a window. All of it is borrowed for the call.
struct Placement {
    int grid_width = 0, grid_height = 0;
    const Coverage* coverage = nullptr;  ///< which of its samples are there; null: all
    Reprojection reprojection = {};      ///< from the window's coordinates to the grid's
    int width = 0, height = 0;           ///< window in pixels
    std::optional<int> columns = {};     ///< so many of the window are drawn; absent: all
};

/// The uniform block of shaders/place.glsl (std140).
struct PlaceUniforms {
    float grid_from_window[4];
    GLint grid_size[2];
    GLint window_size[2];
    GLint offset[2] = {};
    GLint origin[2] = {};
    GLint corners[kMaxRegions][4] = {};
    GLint steps[kMaxRegions][4] = {};
    GLint region_count = 0;
    GLint padding = 0;
    GLint drawn_size[2] = {};
};
static_assert(sizeof(PlaceUniforms) == 64 + 32 * kMaxRegions);

PlaceUniforms place_uniforms(const Placement& placement);

/// Whole pixels by which the grid lies beside the window where nothing else lies between them.
std::optional<std::array<GLint, 2>> whole_offset(const Placement& placement);

}  // namespace warpscope
