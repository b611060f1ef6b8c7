// SPDX-License-Identifier: MIT
#include "render/count_differences.h"

#include <cassert>
#include <cstring>

#include "render/program.h"

namespace warpscope {
namespace {

/// The buffer `Result` of shaders/differences.comp.glsl (std430).
struct Result {
    GLuint differing = 0, escape_once = 0, most = 0;
};

}  // namespace

CountDifferences::CountDifferences() : program_{compute_program("shaders/differences.comp.glsl")} {
    GL_CHECK(glNamedBufferStorage(result_.id(), sizeof(Result), nullptr, GL_DYNAMIC_STORAGE_BIT));
}

void CountDifferences::measure(const SampleGrid& first, const SampleGrid& second) {
    assert(first.width == second.width && first.height == second.height);
    const Result empty;
    glNamedBufferSubData(result_.id(), 0, sizeof empty, &empty);
    glUseProgram(program_.id());
    const auto pixels = static_cast<GLuint>(first.width) * static_cast<GLuint>(first.height);
    glUniform1ui(0, pixels);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, first.buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, second.buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, result_.id());
    // As shaders/differences.comp.glsl says: so many pixels a group.
    constexpr GLuint kPixelsAGroup = 256 * 64;
    glDispatchCompute((pixels + kPixelsAGroup - 1) / kPixelsAGroup, 1, 1);
    readback_.begin(result_.id(), 0, sizeof empty);
    pixels_ = pixels;
}

std::optional<DifferenceSummary> CountDifferences::take() {
    const std::span<const std::byte> bytes = readback_.take();
    if (bytes.empty()) return std::nullopt;
    Result result;
    std::memcpy(&result, bytes.data(), sizeof result);
    return DifferenceSummary{pixels_, result.differing, result.escape_once, result.most};
}

}  // namespace warpscope
