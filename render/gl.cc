// SPDX-License-Identifier: MIT
#include "render/gl.h"

#include <array>

namespace warpscope {
namespace {

std::string error_name(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "GL_INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "GL_INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "GL_INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "GL_INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "GL_OUT_OF_MEMORY";
        case GL_CONTEXT_LOST:
            return "GL_CONTEXT_LOST";
        default:
            return "error " + std::to_string(error);
    }
}

/// The errors that the context has logged since the last look, oldest first.
std::string logged_errors() {
    std::string text;
    std::array<char, 1024> message{};
    GLenum type = 0;
    // Bounded: a driver that never runs out of messages must not hang the program.
    for (int i = 0; i < 64; ++i) {
        const GLuint count = glGetDebugMessageLog(1, static_cast<GLsizei>(message.size()), nullptr,
                                                  &type, nullptr, nullptr, nullptr, message.data());
        if (count == 0) break;
        if (type == GL_DEBUG_TYPE_ERROR) text += std::string{"; "} + message.data();
    }
    return text;
}

std::string gl_string(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "unknown";
}

}  // namespace

GlIdentity load_gl(GLADloadfunc find) {
    const int version = gladLoadGL(find);
    if (version == 0) {
        throw GlError{"no OpenGL context is current, or its functions cannot be found"};
    }
    GlIdentity identity = gl_identity();
    if (version < GLAD_MAKE_VERSION(4, 5)) {
        throw GlError{"OpenGL 4.5 is needed, but " + identity.renderer + " offers " +
                      identity.version};
    }
    return identity;
}

GlIdentity gl_identity() {
    return {gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION)};
}

void check_gl(const char* call, std::string_view file, int line) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    // One call can leave several flags; a lost context reports one for ever.
    for (int i = 0; i < 8 && glGetError() != GL_NO_ERROR; ++i) continue;
    const std::size_t slash = file.find_last_of('/');
    if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
    throw GlError{std::string{file} + ":" + std::to_string(line) + ": " + call + ": " +
                  error_name(error) + logged_errors()};
}

}  // namespace warpscope
