// SPDX-License-Identifier: MIT
// Brings what the GPU has written back to the host without waiting for it: some frames later.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "render/objects.h"

namespace warpscope {

/// One copy under way at a time. The context must be current in every call.
class Readback {
  public:
    /// Orders a copy of `bytes` from `offset` of `buffer`, as earlier calls of OpenGL leave it. An
    /// older copy under way is given up.
    void begin(GLuint buffer, std::size_t offset, std::size_t bytes);

    /// Whether a copy is under way.
    bool pending() const noexcept { return fence_ != nullptr; }

    /// The copy, once, as soon as it is there; empty before. Valid until the next begin().
    std::span<const std::byte> take();

  private:
    struct Delete {
        void operator()(GLsync fence) const noexcept { glDeleteSync(fence); }
    };
    using Fence = std::unique_ptr<std::remove_pointer_t<GLsync>, Delete>;

    GlBuffer staging_;
    std::vector<std::byte> content_;
    Fence fence_;
};

}  // namespace warpscope
