// SPDX-License-Identifier: MIT
// A finished frame as OpenGL sees it.
#pragma once

#include "render/gl.h"

namespace warpscope {

/// A borrowed buffer object of width * height samples, row 0 on top. Width 0: nothing there yet.
struct SampleGrid {
    GLuint buffer = 0;
    int width = 0, height = 0;
};

}  // namespace warpscope
