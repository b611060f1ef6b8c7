// SPDX-License-Identifier: MIT
#include "render/presenter.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

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
    GLint mean_count = 0;
    GLint offset[2] = {};
    GLint origin[2] = {};
    GLint corners[kMaxRegions][4] = {};
    GLint steps[kMaxRegions][4] = {};
    GLint region_count = 0;
    GLint padding[3] = {};
};
static_assert(sizeof(Uniforms) == 128 + 32 * kMaxRegions);

/// Whole pixels by which the grid lies beside the window where nothing else lies between them.
std::optional<std::array<GLint, 2>> whole_offset(const Picture& picture) {
    constexpr double kNear = 1.0 / 32;
    const Reprojection& map = picture.reprojection;
    const bool same_size =
        picture.grid.width == picture.width && picture.grid.height == picture.height;
    if (!same_size || std::abs(map.scale_x - 1) * picture.width > kNear ||
        std::abs(map.scale_y - 1) * picture.height > kNear) {
        return std::nullopt;
    }
    const double x = map.shift_x * picture.width, y = map.shift_y * picture.height;
    const double whole_x = std::round(x), whole_y = std::round(y);
    constexpr double kFar = 1e6;  // then nothing of the grid is to be seen
    if (std::abs(x - whole_x) > kNear || std::abs(y - whole_y) > kNear || std::abs(x) > kFar ||
        std::abs(y) > kFar) {
        return std::nullopt;
    }
    return std::array{static_cast<GLint>(whole_x), static_cast<GLint>(whole_y)};
}

bool is_coarse(const Picture& picture) {
    return picture.coverage != nullptr && !picture.coverage->complete();
}

void set_regions(Uniforms& uniforms, const Coverage& coverage) {
    uniforms.origin[0] = coverage.origin_x();
    uniforms.origin[1] = coverage.origin_y();
    for (const Region& region : coverage.regions()) {
        const GLint corners[] = {region.x0, region.y0, region.x1, region.y1};
        std::ranges::copy(corners, uniforms.corners[uniforms.region_count]);
        uniforms.steps[uniforms.region_count][0] = region.step;
        ++uniforms.region_count;
    }
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
    if (const auto offset = whole_offset(picture)) std::ranges::copy(*offset, uniforms.offset);
    if (is_coarse(picture)) set_regions(uniforms, *picture.coverage);
    return uniforms;
}

constexpr GLuint groups(int pixels, int group) {
    return static_cast<GLuint>((pixels + group - 1) / group);
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
    Uniforms uniforms = uniforms_of(picture);
    uniforms.mean_count = mean_count_;
    glNamedBufferSubData(uniforms_.id(), 0, sizeof(Uniforms), &uniforms);
}

void Presenter::dispatch(const Picture& picture, const GlProgram& program) {
    upload(picture);
    // Without a grid any buffer will do: every position lies outside, so none is read.
    const GLuint samples = picture.grid.width > 0 ? picture.grid.buffer : palette_buffer_.id();
    glUseProgram(program.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, samples);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, palette_buffer_.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_.id());
    if (sum_) glBindImageTexture(1, sum_->id(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    glDispatchCompute(groups(picture.width, 32), groups(picture.height, 8), 1);
}

void Presenter::show(const Picture& picture, const GlProgram& program) {
    if (picture.texture == 0) prepare_image(picture.width, picture.height);
    const GLuint image = picture.texture != 0 ? picture.texture : image_->id();
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    dispatch(picture, program);
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
    show(picture, whole_offset(picture) ? show_exact_ : show_filtered_);
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
