// SPDX-License-Identifier: MIT
#include "render/program.h"

#include "assets/assets.h"

namespace warpscope {
namespace {

constexpr std::string_view kInclude = "#include \"";

std::string shader_log(GLuint shader) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

std::string program_log(GLuint program) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

}  // namespace

std::string shader_source(std::string_view path) {
    std::string source{asset(path)};
    for (std::size_t at = source.find(kInclude); at != std::string::npos;
         at = source.find(kInclude, at)) {
        const std::size_t begin = at + kInclude.size();
        const std::size_t end = source.find('"', begin);
        const std::string included{asset(source.substr(begin, end - begin))};
        source.replace(at, end + 1 - at, included);
        at += included.size();
    }
    return source;
}

GlProgram compute_program(std::string_view path, std::string_view defines) {
    std::string source = shader_source(path);
    source.insert(source.find('\n') + 1, defines);
    const char* text = source.c_str();
    const GlComputeShader shader;
    glShaderSource(shader.id(), 1, &text, nullptr);
    glCompileShader(shader.id());
    GLint good = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &good);
    if (good != GL_TRUE) {
        throw GlError{std::string{path} + " does not compile: " + shader_log(shader.id())};
    }
    GlProgram program;
    glAttachShader(program.id(), shader.id());
    glLinkProgram(program.id());
    glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
    if (good != GL_TRUE) {
        throw GlError{std::string{path} + " does not link: " + program_log(program.id())};
    }
    glDetachShader(program.id(), shader.id());
    check_gl("compute_program", __FILE__, __LINE__);
    return program;
}

}  // namespace warpscope
