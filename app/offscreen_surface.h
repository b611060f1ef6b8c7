// SPDX-License-Identifier: MIT
// The same frame loop without a window.
#pragma once

#include "app/surface.h"
#include "render/offscreen.h"

namespace warpscope {

/// A picture of fixed size. There is no input; time runs as it does outside.
class OffscreenSurface final : public Surface {
  public:
    /// Throws GlError.
    explicit OffscreenSurface(const OffscreenOptions& options);

    SurfaceEvents begin_frame(double wait_seconds) override;
    void present() override;  ///< waits until the GPU has drawn, as a frame time must
    Extent framebuffer_size() const override { return size_; }
    Extent window_size() const override { return size_; }
    GLuint framebuffer() const override { return context_.framebuffer(); }
    GLuint texture() const override { return context_.texture(); }
    float content_scale() const override { return 1; }
    bool attended() const override { return true; }
    void set_vsync(bool) override {}
    void toggle_fullscreen() override {}
    bool fullscreen() const override { return false; }
    const GlIdentity& identity() const override { return context_.identity(); }

  private:
    OffscreenContext context_;
    Extent size_;
    double last_ = 0;
};

}  // namespace warpscope
