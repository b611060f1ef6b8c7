// SPDX-License-Identifier: MIT
#include "render/overlay.h"

#include <cassert>
#include <cmath>
#include <string>
#include <vector>

#include "render/program.h"

namespace warpscope {
namespace {

/// The uniform block of shaders/overlay.comp.glsl (std140).
struct Uniforms {
    float low, high;
    float opacity;
    GLint scale;
    GLint shape[2];
    GLint grid_count;
    float clock_us;
    GLint reach;
    GLint padding[3] = {};
};
static_assert(sizeof(Uniforms) == 48);

/// struct Grid of shaders/overlay.comp.glsl (std430).
struct Grid {
    GLint corners[4];
    GLint steps[2];
    GLint blocks[2];
    GLuint first;
    GLuint padding[3];
};
static_assert(sizeof(Grid) == 48);

/// OpenGL has no empty buffers that can be bound.
template <class T>
void fill(const GlBuffer& buffer, std::span<const T> content) {
    const T none{};
    if (content.empty()) content = {&none, 1};
    GL_CHECK(glNamedBufferData(buffer.id(), static_cast<GLsizeiptr>(content.size_bytes()),
                               content.data(), GL_STATIC_DRAW));
}

}  // namespace

Overlay::Overlay(const OverlayColors& colors) {
    fill(colors_, std::span{&colors, 1});
    GL_CHECK(
        glNamedBufferStorage(uniforms_.id(), sizeof(Uniforms), nullptr, GL_DYNAMIC_STORAGE_BIT));
    GL_CHECK(
        glNamedBufferStorage(place_.id(), sizeof(PlaceUniforms), nullptr, GL_DYNAMIC_STORAGE_BIT));
    fill(grids_, std::span<const Grid>{});
    fill(cells_, std::span<const Cell>{});
    fill(levels_, std::span<const GLuint>{});
}

const GlProgram& Overlay::program() {
    std::optional<GlProgram>& program = programs_[static_cast<std::size_t>(view_.source)];
    if (!program) {
        const bool counts = view_.source == OverlaySource::kCounts;
        program =
            compute_program("shaders/overlay.comp.glsl",
                            "#define SOURCE " + std::to_string(static_cast<int>(view_.source)) +
                                "\n#define GRID " + (counts ? "2" : "1") + "\n");
    }
    return *program;
}

void Overlay::set_cells(const Trace& trace, std::span<const Cell> cells) {
    const std::vector<std::size_t> first = first_cells(trace);
    assert(cells.size() == first.back());
    std::vector<Grid> grids;
    for (std::size_t i = 0; i < trace.grids.size(); ++i) {
        const TraceGrid& grid = trace.grids[i];
        if (!grid.part) continue;
        const Part& part = *grid.part;
        grids.push_back({.corners = {part.x0, part.y0, part.x1, part.y1},
                         .steps = {part.step_x, part.step_y},
                         .blocks = {grid.x, grid.y},
                         .first = static_cast<GLuint>(first[i]),
                         .padding = {}});
    }
    fill(grids_, std::span<const Grid>{grids});
    fill(cells_, cells);
    grid_count_ = static_cast<int>(grids.size());
    shape_ = trace.shape;
    cells_width_ = trace.job.width;
    cells_height_ = trace.job.height;
}

void Overlay::set_levels(std::span<const std::uint8_t> levels, int width, int height) {
    assert(levels.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    // The shader reads whole words.
    const auto bytes = static_cast<GLsizeiptr>(levels.size());
    GL_CHECK(glNamedBufferData(levels_.id(), (bytes + 3) / 4 * 4, nullptr, GL_STATIC_DRAW));
    glNamedBufferSubData(levels_.id(), 0, bytes, levels.data());
    levels_width_ = width;
    levels_height_ = height;
}

/// Where what the view shows lies: all of it over all of the window.
Placement Overlay::placement_over(const Placement& picture) const {
    Placement placement = picture;
    placement.columns.reset();
    if (view_.source == OverlaySource::kCounts) return placement;
    placement.coverage = nullptr;
    placement.reprojection = view_.reprojection;
    if (view_.source == OverlaySource::kCells) {
        placement.grid_width = cells_width_;
        placement.grid_height = cells_height_;
    } else if (view_.source == OverlaySource::kPixels) {
        placement.grid_width = levels_width_;
        placement.grid_height = levels_height_;
    } else {
        placement.grid_width = view_.first.width;
        placement.grid_height = view_.first.height;
    }
    return placement;
}

void Overlay::paint(GLuint image, GLuint samples, const Placement& picture) {
    const Placement placement = placement_over(picture);
    if (placement.grid_width == 0) return;
    const bool log = view_.scale == OverlayScale::kLog;
    const Uniforms uniforms{.low = log ? std::log2(view_.low) : view_.low,
                            .high = log ? std::log2(view_.high) : view_.high,
                            .opacity = view_.opacity,
                            .scale = static_cast<GLint>(view_.scale),
                            .shape = {shape_.x, shape_.y},
                            .grid_count = grid_count_,
                            .clock_us = view_.clock_us.value_or(-1),
                            .reach = view_.reach};
    glNamedBufferSubData(uniforms_.id(), 0, sizeof uniforms, &uniforms);
    const PlaceUniforms place = place_uniforms(placement);
    glNamedBufferSubData(place_.id(), 0, sizeof place, &place);
    glUseProgram(program().id());
    const GLuint source[] = {samples, cells_.id(), levels_.id(), view_.first.buffer};
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, source[static_cast<std::size_t>(view_.source)]);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, colors_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, grids_.id());
    if (view_.source == OverlaySource::kDifferences) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, view_.second.buffer);
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, place_.id());
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    glDispatchCompute(groups(picture.width, 32), groups(picture.height, 8), 1);
    check_gl("Overlay::paint", __FILE__, __LINE__);
}

}  // namespace warpscope
