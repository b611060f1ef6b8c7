// SPDX-License-Identifier: MIT
#include "render/readback.h"

namespace warpscope {

void Readback::begin(GLuint buffer, std::size_t offset, std::size_t bytes) {
    const auto size = static_cast<GLsizeiptr>(bytes);
    if (content_.size() != bytes) {
        glNamedBufferData(staging_.id(), size, nullptr, GL_STREAM_READ);
        content_.resize(bytes);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glCopyNamedBufferSubData(buffer, staging_.id(), static_cast<GLintptr>(offset), 0, size);
    fence_ = Fence{glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)};
    check_gl("Readback::begin", __FILE__, __LINE__);
}

std::span<const std::byte> Readback::take() {
    if (!fence_) return {};
    const GLenum state = glClientWaitSync(fence_.get(), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    if (state == GL_TIMEOUT_EXPIRED) return {};
    fence_.reset();
    glGetNamedBufferSubData(staging_.id(), 0, static_cast<GLsizeiptr>(content_.size()),
                            content_.data());
    check_gl("Readback::take", __FILE__, __LINE__);
    return content_;
}

}  // namespace warpscope
