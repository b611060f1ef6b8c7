// SPDX-License-Identifier: MIT
#include "render/presenter.h"

#include <cassert>
#include <cstddef>
#include <string>

#include "render/program.h"

namespace warpscope {
namespace {

/// The uniform block of shaders/present.comp.glsl (std140).
struct Uniforms {
    ColoringParams coloring;
    float outside[3] = {0.055f, 0.059f, 0.067f};
    GLint mean_count = 0;
};
static_assert(sizeof(Uniforms) == 64);

/// Both uniform blocks, uploaded at once.
struct UniformBlocks {
    alignas(256) Uniforms present;  // no OpenGL asks for more than 256
    alignas(256) PlaceUniforms place;
};

Placement placement_of(const Picture& picture) {
    return {.grid_width = picture.grid.width,
            .grid_height = picture.grid.height,
            .coverage = picture.coverage,
            .reprojection = picture.reprojection,
            .width = picture.width,
            .height = picture.height,
            .columns = picture.columns};
}

bool is_coarse(const Picture& picture) {
    return picture.coverage != nullptr && !picture.coverage->complete();
}

Uniforms uniforms_of(const Picture& picture) {
    Uniforms uniforms{.coloring = picture.coloring};
    uniforms.coloring.width = static_cast<float>(picture.grid.width);
    uniforms.coloring.height = static_cast<float>(picture.grid.height);
    return uniforms;
}

/// What present.comp.glsl is compiled for: its macros.
struct Use {
    int grid, goal;
};

GlProgram program_for(Use use) {
    return compute_program("shaders/present.comp.glsl", "#define GRID " + std::to_string(use.grid) +
                                                            "\n#define GOAL " +
                                                            std::to_string(use.goal) + "\n");
}

}  // namespace

Presenter::Presenter()
    : show_filtered_{program_for({0, 0})},
      show_exact_{program_for({1, 0})},
      show_coarse_{program_for({2, 0})},
      begin_mean_{program_for({1, 1})},
      add_to_mean_{program_for({1, 2})},
      show_mean_{program_for({1, 3})} {
    GL_CHECK(glNamedBufferStorage(palette_buffer_.id(), sizeof(PaletteTable), nullptr,
                                  GL_DYNAMIC_STORAGE_BIT));
    GL_CHECK(glNamedBufferStorage(uniforms_.id(), sizeof(UniformBlocks), nullptr,
                                  GL_DYNAMIC_STORAGE_BIT));
}

void Presenter::prepare_image(int width, int height) {
    if (image_ && width == width_ && height == height_) return;
    image_.emplace();
    GL_CHECK(glTextureStorage2D(image_->id(), 1, GL_RGBA8, width, height));
    GL_CHECK(glNamedFramebufferTexture(source_.id(), GL_COLOR_ATTACHMENT0, image_->id(), 0));
    width_ = width;
    height_ = height;
}

void Presenter::prepare_sum(int width, int height) {
    if (sum_ && width == sum_width_ && height == sum_height_) return;
    sum_.emplace();
    GL_CHECK(glTextureStorage2D(sum_->id(), 1, GL_RGBA32F, width, height));
    sum_width_ = width;
    sum_height_ = height;
}

void Presenter::upload(const Picture& picture) {
    if (!palette_ || *palette_ != picture.palette) {
        palette_ = picture.palette;
        glNamedBufferSubData(palette_buffer_.id(), 0, sizeof(PaletteTable), palette_->data());
    }
    UniformBlocks blocks{uniforms_of(picture), place_uniforms(placement_of(picture))};
    blocks.present.mean_count = mean_count_;
    glNamedBufferSubData(uniforms_.id(), 0, sizeof blocks, &blocks);
}

void Presenter::dispatch(const Picture& picture, const GlProgram& program) {
    upload(picture);
    // Without a grid any buffer will do: every position lies outside, so none is read.
    const GLuint samples = picture.grid.width > 0 ? picture.grid.buffer : palette_buffer_.id();
    glUseProgram(program.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, samples);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, palette_buffer_.id());
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, uniforms_.id(), 0, sizeof(Uniforms));
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, uniforms_.id(), offsetof(UniformBlocks, place),
                      sizeof(PlaceUniforms));
    if (sum_) glBindImageTexture(1, sum_->id(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    glDispatchCompute(groups(picture.columns.value_or(picture.width), 32),
                      groups(picture.height, 8), 1);
}

void Presenter::show(const Picture& picture, const GlProgram& program) {
    if (picture.texture == 0) prepare_image(picture.width, picture.height);
    const GLuint image = picture.texture != 0 ? picture.texture : image_->id();
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    // It goes over what another dispatch has drawn.
    if (picture.columns) glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    dispatch(picture, program);
    if (picture.overlay != nullptr) {
        picture.overlay->paint(image, picture.grid.buffer, placement_of(picture));
    }
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
    glDisable(GL_SCISSOR_TEST);
    if (picture.texture == 0) {
        glBlitNamedFramebuffer(source_.id(), picture.framebuffer, 0, 0, picture.width,
                               picture.height, 0, 0, picture.width, picture.height,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    check_gl("Presenter::draw", __FILE__, __LINE__);
}

void Presenter::draw(const Picture& picture) {
    if (is_coarse(picture)) return show(picture, show_coarse_);
    show(picture, whole_offset(placement_of(picture)) ? show_exact_ : show_filtered_);
}

void Presenter::add_to_mean(const Picture& picture, Mean mean) {
    const bool begin = mean == Mean::kBegin;
    assert(begin || (sum_width_ == picture.width && sum_height_ == picture.height));
    if (begin) {
        prepare_sum(picture.width, picture.height);
        mean_count_ = 0;
    }
    dispatch(picture, begin ? begin_mean_ : add_to_mean_);
    ++mean_count_;
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    check_gl("Presenter::add_to_mean", __FILE__, __LINE__);
}

void Presenter::draw_mean(const Picture& picture) {
    assert(mean_count_ > 0 && sum_width_ == picture.width && sum_height_ == picture.height);
    show(picture, show_mean_);
}

}  // namespace warpscope
