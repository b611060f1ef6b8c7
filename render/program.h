// SPDX-License-Identifier: MIT
// Shader programs from packed sources.
#pragma once

#include <string>
#include <string_view>

#include "render/objects.h"

namespace warpscope {

/// The packed shader `path` with its lines `#include "path"` replaced by those files' text, which
/// GLSL itself cannot do. Throws std::out_of_range where a file is not packed.
std::string shader_source(std::string_view path);

/// Compiles and links one compute shader, with `defines` (whole lines) after its first line, which
/// must be #version. Throws GlError with `path` and the driver's log.
GlProgram compute_program(std::string_view path, std::string_view defines = {});

/// Work groups of `group` pixels that cover `pixels`.
constexpr GLuint groups(int pixels, int group) {
    return static_cast<GLuint>((pixels + group - 1) / group);
}

}  // namespace warpscope
