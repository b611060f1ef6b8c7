// SPDX-License-Identifier: MIT
// Moves the samples of a frame when the window has moved by whole pixels: in host memory, or from
// buffer object to buffer object without leaving the GPU.
#pragma once

#include "kernels/math/sample.h"
#include "render/objects.h"

namespace warpscope {

/// Sample (x, y) of one frame is (x + dx, y + dy) of the frame before, both of this size.
struct SampleShift {
    int width = 0, height = 0;
    int dx = 0, dy = 0;
};

/// Copies what both frames have; leaves the others alone. The two must not overlap.
void move_samples(const SampleShift& shift, const Sample* from, Sample* to);

/// The same with buffer objects, by a compute shader. The context must be current in every call.
class SampleMover {
  public:
    /// Throws GlError where the shader does not compile.
    SampleMover();

    /// Later calls of OpenGL and mappings by CUDA see the result. Throws GlError.
    void move(const SampleShift& shift, GLuint from, GLuint to);

  private:
    GlProgram program_;
};

}  // namespace warpscope
