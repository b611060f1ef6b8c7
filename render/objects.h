// SPDX-License-Identifier: MIT
// Owners of OpenGL's names: made with the object, deleted with it, moved but never copied. The
// context must be current whenever one of them begins or ends.
#pragma once

#include <utility>

#include "render/gl.h"

namespace warpscope {

/// Owns one OpenGL object of the kind that `Kind` makes and deletes.
template <class Kind>
class GlObject {
  public:
    GlObject() : id_{Kind::create()} { check_gl(Kind::kCall, __FILE__, __LINE__); }
    ~GlObject() { reset(); }
    GlObject(GlObject&& other) noexcept : id_{std::exchange(other.id_, 0)} {}
    GlObject& operator=(GlObject&& other) noexcept {
        if (this == &other) return *this;
        reset();
        id_ = std::exchange(other.id_, 0);
        return *this;
    }

    GLuint id() const noexcept { return id_; }

  private:
    void reset() noexcept {
        if (id_ != 0) Kind::destroy(id_);
        id_ = 0;
    }

    GLuint id_ = 0;
};

namespace gl_kinds {

struct Buffer {
    static constexpr const char* kCall = "glCreateBuffers";
    static GLuint create() {
        GLuint id = 0;
        glCreateBuffers(1, &id);
        return id;
    }
    static void destroy(GLuint id) { glDeleteBuffers(1, &id); }
};

struct Texture2d {
    static constexpr const char* kCall = "glCreateTextures(GL_TEXTURE_2D)";
    static GLuint create() {
        GLuint id = 0;
        glCreateTextures(GL_TEXTURE_2D, 1, &id);
        return id;
    }
    static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};

struct Framebuffer {
    static constexpr const char* kCall = "glCreateFramebuffers";
    static GLuint create() {
        GLuint id = 0;
        glCreateFramebuffers(1, &id);
        return id;
    }
    static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};

struct TimestampQuery {
    static constexpr const char* kCall = "glCreateQueries(GL_TIMESTAMP)";
    static GLuint create() {
        GLuint id = 0;
        glCreateQueries(GL_TIMESTAMP, 1, &id);
        return id;
    }
    static void destroy(GLuint id) { glDeleteQueries(1, &id); }
};

struct Program {
    static constexpr const char* kCall = "glCreateProgram";
    static GLuint create() { return glCreateProgram(); }
    static void destroy(GLuint id) { glDeleteProgram(id); }
};

struct ComputeShader {
    static constexpr const char* kCall = "glCreateShader(GL_COMPUTE_SHADER)";
    static GLuint create() { return glCreateShader(GL_COMPUTE_SHADER); }
    static void destroy(GLuint id) { glDeleteShader(id); }
};

}  // namespace gl_kinds

using GlBuffer = GlObject<gl_kinds::Buffer>;
using GlTexture = GlObject<gl_kinds::Texture2d>;
using GlFramebuffer = GlObject<gl_kinds::Framebuffer>;
using GlTimestamp = GlObject<gl_kinds::TimestampQuery>;
using GlProgram = GlObject<gl_kinds::Program>;
using GlComputeShader = GlObject<gl_kinds::ComputeShader>;

}  // namespace warpscope
