// SPDX-License-Identifier: MIT
// OpenGL without a window: through EGL on an NVIDIA GPU's device platform, else through Mesa's
// surfaceless platform.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "render/gl.h"

namespace warpscope {

/// kOn makes the driver check and report more.
enum class GlDebug : std::uint8_t { kOff, kOn };

struct OffscreenOptions {
    int width = 1920, height = 1080;  ///< pixels, 1 to 16384 each
    int cuda_device = -1;             ///< the CUDA device that shall draw if it can; -1: any
    GlDebug debug = GlDebug::kOff;
};

/// A context of OpenGL 4.5 core and a framebuffer with colour, depth and stencil to draw into.
/// With LIBGL_ALWAYS_SOFTWARE=1 in the environment it runs on the CPU, as windows do then.
class OffscreenContext {
  public:
    /// Makes it current. Throws GlError with every way that was tried and why it failed.
    explicit OffscreenContext(const OffscreenOptions& options);
    ~OffscreenContext();
    OffscreenContext(OffscreenContext&&) noexcept;
    OffscreenContext& operator=(OffscreenContext&&) noexcept;

    void make_current();
    int width() const noexcept;
    int height() const noexcept;
    /// Stands for the window's framebuffer 0.
    GLuint framebuffer() const noexcept;
    /// The RGBA8 texture behind it.
    GLuint texture() const noexcept;
    const GlIdentity& identity() const noexcept;

    /// The picture: RGBA, 8 bits each, R in the lowest byte, row 0 on top. Waits for the GPU.
    std::vector<std::uint32_t> read_pixels() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The pixels of any framebuffer (0 is the window's), `width` x `height`, in the same order. Waits
/// for the GPU. Throws GlError.
std::vector<std::uint32_t> read_framebuffer(GLuint framebuffer, int width, int height);

}  // namespace warpscope
