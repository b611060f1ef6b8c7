// SPDX-License-Identifier: MIT
#include "render/sample_mover.h"

#include <algorithm>
#include <cstddef>

#include "render/program.h"

namespace warpscope {

void move_samples(const SampleShift& shift, const Sample* from, Sample* to) {
    const int left = std::max(0, -shift.dx), right = shift.width - std::max(0, shift.dx);
    const int top = std::max(0, -shift.dy), bottom = shift.height - std::max(0, shift.dy);
    if (left >= right) return;
    for (int y = top; y < bottom; ++y) {
        const std::ptrdiff_t row = std::ptrdiff_t{y} * shift.width + left;
        const std::ptrdiff_t moved = row + std::ptrdiff_t{shift.dy} * shift.width + shift.dx;
        std::copy_n(from + moved, right - left, to + row);
    }
}

SampleMover::SampleMover() : program_{compute_program("shaders/carry.comp.glsl")} {}

void SampleMover::move(const SampleShift& shift, GLuint from, GLuint to) {
    glUseProgram(program_.id());
    glUniform2i(0, shift.width, shift.height);
    glUniform2i(1, shift.dx, shift.dy);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, to);
    glDispatchCompute(groups(shift.width, 32), groups(shift.height, 8), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    check_gl("SampleMover::move", __FILE__, __LINE__);
}

}  // namespace warpscope
