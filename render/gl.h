// SPDX-License-Identifier: MIT
// OpenGL 4.5 core through GLAD, with every error turned into an exception.
#pragma once

#include <glad/gl.h>

#include <stdexcept>
#include <string>
#include <string_view>

/// Runs `call` and throws GlError "file:line: call: reason" where OpenGL reports an error. Not for
/// every call of every frame: some drivers wait for their own thread to answer.
#define GL_CHECK(call) ((call), ::warpscope::check_gl(#call, __FILE__, __LINE__))

namespace warpscope {

/// OpenGL is missing, too old, or a call failed. The message names what was tried and why not.
struct GlError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Who draws, in the driver's own words.
struct GlIdentity {
    std::string vendor, renderer, version;
};

/// Finds OpenGL's functions through `find` (glfwGetProcAddress, eglGetProcAddress) for the current
/// context. Throws GlError where it offers less than OpenGL 4.5, naming the renderer.
GlIdentity load_gl(GLADloadfunc find);

/// What the current context says of itself.
GlIdentity gl_identity();

/// Throws GlError where an error is pending, with the driver's own message where the context keeps
/// one (KHR_debug). Use through GL_CHECK.
void check_gl(const char* call, std::string_view file, int line);

}  // namespace warpscope
