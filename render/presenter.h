// SPDX-License-Identifier: MIT
// Puts samples on the screen: a compute shader colours them straight from their buffer into the
// picture where that is a texture, else into an image that is then copied to the framebuffer. The
// copy is drawn by the few graphics units that a data-centre GPU has, so it is worth avoiding.
#pragma once

#include <optional>

#include "kernels/deep/view.h"
#include "kernels/engine/coverage.h"
#include "render/objects.h"
#include "render/overlay.h"
#include "render/sample_grid.h"
#include "shaders/coloring_params.h"

namespace warpscope {

/// Everything one picture follows from. All of it is borrowed for the call.
struct Picture {
    SampleGrid grid;                     ///< what to show; an empty one shows the calm shade alone
    const Coverage* coverage = nullptr;  ///< which of its samples are there; null: all
    ColoringParams coloring;             ///< width and height are taken from the grid
    const PaletteTable& palette;
    Reprojection reprojection;  ///< from the window's coordinates to the grid's, y down in both
    int width = 0, height = 0;  ///< window in pixels, 1 to 32768 each
    GLuint framebuffer = 0;     ///< where to draw; 0 is the window's own
    GLuint texture = 0;  ///< RGBA8 of this size behind the framebuffer; 0 where there is none
    /// So many columns from the left are drawn: others keep what they showed. Absent: all.
    std::optional<int> columns = {};
    Overlay* overlay = nullptr;  ///< painted over what is drawn; null: nothing is
};

/// Owns the shader, the palette and the image. The context must be current in every call.
class Presenter {
  public:
    /// Throws GlError where the shader does not compile.
    Presenter();

    /// Draws over the whole of the framebuffer; leaves its program and bindings bound and the
    /// scissor test off. The grid's pixels appear untouched where the reprojection moves them by
    /// whole pixels (to 1/32) and the sizes agree; else colours are filtered bilinearly. While the
    /// grid is still coarse, the nearest sample stands for a pixel. Throws GlError.
    void draw(const Picture& picture);

    /// Adds a picture that is complete and of the window's size, unmoved, to a mean, in linear
    /// light, kept apart from what is drawn. kBegin forgets what was added before, as a change of
    /// the window's size must.
    enum class Mean : std::uint8_t { kBegin, kContinue };
    void add_to_mean(const Picture& picture, Mean mean);

    /// Pictures that the mean is of.
    int mean_count() const noexcept { return mean_count_; }

    /// Draws the mean in place of the picture's grid. Only where mean_count() is not 0 and the
    /// window has the size it was begun with.
    void draw_mean(const Picture& picture);

  private:
    void prepare_image(int width, int height);
    void prepare_sum(int width, int height);
    void upload(const Picture& picture);
    void dispatch(const Picture& picture, const GlProgram& program);
    void show(const Picture& picture, const GlProgram& program);

    GlProgram show_filtered_, show_exact_, show_coarse_;
    GlProgram begin_mean_, add_to_mean_, show_mean_;
    GlBuffer palette_buffer_, uniforms_;
    GlFramebuffer source_;
    std::optional<GlTexture> image_, sum_;
    int width_ = 0, height_ = 0;
    int sum_width_ = 0, sum_height_ = 0, mean_count_ = 0;
    std::optional<PaletteTable> palette_;
};

}  // namespace warpscope
