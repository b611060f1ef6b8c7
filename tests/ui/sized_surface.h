// SPDX-License-Identifier: MIT
// A surface without a window that changes its size, as windows do.
#pragma once

#include <vector>

#include "app/surface.h"
#include "render/offscreen.h"

namespace warpscope {

/// Draws into a corner of an offscreen picture. Nothing is waited for, and there is no input.
class SizedSurface final : public Surface {
  public:
    /// Sizes up to `most`, which it begins with. Throws GlError.
    explicit SizedSurface(Extent most)
        : context_{{.width = most.width,
                    .height = most.height,
                    .cuda_device = 0,
                    .debug = GlDebug::kOn}},
          size_{most} {}

    /// 0 x 0 stands for a minimised window.
    void resize(Extent size) { size_ = size; }

    /// What is shown, row 0 on top.
    std::vector<std::uint32_t> read_pixels() const {
        return read_framebuffer(framebuffer(), size_.width, size_.height);
    }

    SurfaceEvents begin_frame(double) override { return {}; }
    void present() override { glFlush(); }
    Extent framebuffer_size() const override { return size_; }
    Extent window_size() const override { return size_; }
    GLuint framebuffer() const override { return context_.framebuffer(); }
    GLuint texture() const override { return 0; }  // it has another size
    float content_scale() const override { return 1; }
    bool attended() const override { return true; }
    void set_vsync(bool) override {}
    void toggle_fullscreen() override {}
    bool fullscreen() const override { return false; }
    const GlIdentity& identity() const override { return context_.identity(); }

  private:
    OffscreenContext context_;
    Extent size_;
};

}  // namespace warpscope
