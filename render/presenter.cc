// SPDX-License-Identifier: MIT
#include "render/presenter.h"

#include "render/program.h"

namespace warpscope {
namespace {

/// The uniform block of shaders/present.comp.glsl (std140).
struct Uniforms {
    ColoringParams coloring;
    float grid_from_window[4];
    GLint grid_size[2];
    GLint window_size[2];
    float outside[3] = {0.055f, 0.059f, 0.067f};
    GLint exact = 0;
};
static_assert(sizeof(Uniforms) == 96);

bool is_exact(const Picture& picture) {
    const Reprojection& map = picture.reprojection;
    return map.scale_x == 1 && map.scale_y == 1 && map.shift_x == 0 && map.shift_y == 0 &&
           picture.grid.width == picture.width && picture.grid.height == picture.height;
}

Uniforms uniforms_of(const Picture& picture) {
    const Reprojection& map = picture.reprojection;
    const double width = picture.grid.width, height = picture.grid.height;
    Uniforms uniforms{
        .coloring = picture.coloring,
        .grid_from_window = {static_cast<float>(map.scale_x * width / picture.width),
                             static_cast<float>(map.scale_y * height / picture.height),
                             static_cast<float>(map.shift_x * width),
                             static_cast<float>(map.shift_y * height)},
        .grid_size = {picture.grid.width, picture.grid.height},
        .window_size = {picture.width, picture.height}};
    uniforms.coloring.width = static_cast<float>(picture.grid.width);
    uniforms.coloring.height = static_cast<float>(picture.grid.height);
    uniforms.exact = is_exact(picture) ? 1 : 0;
    return uniforms;
}

constexpr GLuint groups(int pixels, int group) {
    return static_cast<GLuint>((pixels + group - 1) / group);
}

}  // namespace

Presenter::Presenter() : program_{compute_program("shaders/present.comp.glsl")} {
    GL_CHECK(glNamedBufferStorage(palette_buffer_.id(), sizeof(PaletteTable), nullptr,
                                  GL_DYNAMIC_STORAGE_BIT));
    GL_CHECK(
        glNamedBufferStorage(uniforms_.id(), sizeof(Uniforms), nullptr, GL_DYNAMIC_STORAGE_BIT));
}

void Presenter::prepare_image(int width, int height) {
    if (image_ && width == width_ && height == height_) return;
    image_.emplace();
    GL_CHECK(glTextureStorage2D(image_->id(), 1, GL_RGBA8, width, height));
    GL_CHECK(glNamedFramebufferTexture(source_.id(), GL_COLOR_ATTACHMENT0, image_->id(), 0));
    width_ = width;
    height_ = height;
}

void Presenter::upload(const Picture& picture) {
    if (!palette_ || *palette_ != picture.palette) {
        palette_ = picture.palette;
        glNamedBufferSubData(palette_buffer_.id(), 0, sizeof(PaletteTable), palette_->data());
    }
    const Uniforms uniforms = uniforms_of(picture);
    glNamedBufferSubData(uniforms_.id(), 0, sizeof(Uniforms), &uniforms);
}

void Presenter::draw(const Picture& picture) {
    if (picture.texture == 0) prepare_image(picture.width, picture.height);
    upload(picture);
    // Without a grid any buffer will do: every position lies outside, so none is read.
    const GLuint samples = picture.grid.width > 0 ? picture.grid.buffer : palette_buffer_.id();
    glUseProgram(program_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, samples);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, palette_buffer_.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_.id());
    const GLuint image = picture.texture != 0 ? picture.texture : image_->id();
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(groups(picture.width, 32), groups(picture.height, 8), 1);
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
    glDisable(GL_SCISSOR_TEST);
    if (picture.texture == 0) {
        glBlitNamedFramebuffer(source_.id(), picture.framebuffer, 0, 0, picture.width,
                               picture.height, 0, 0, picture.width, picture.height,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    check_gl("Presenter::draw", __FILE__, __LINE__);
}

}  // namespace warpscope
