// SPDX-License-Identifier: MIT
#include "render/sample_buffer.h"

#include <chrono>
#include <stdexcept>

namespace warpscope {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

bool can_share(const Backend& backend, const InteropVerdict& verdict) {
    return verdict.active && backend.accepts(Memory::kDevice) &&
           backend.info().cuda_device == verdict.cuda_device;
}

}  // namespace

void SampleBuffer::use(Backend& backend, const InteropVerdict& verdict) {
    release();
    backend_ = &backend;
    path_ = can_share(backend, verdict) ? SamplePath::kShared : SamplePath::kHostCopy;
    cuda_device_ = verdict.cuda_device;
}

void SampleBuffer::release() noexcept {
    for (Slot& slot : slots_) slot.shared.reset();
    host_ = {};
    backend_ = nullptr;
    path_ = SamplePath::kHostCopy;
    fresh_frame_ = true;
}

void SampleBuffer::resize(int width, int height) {
    if (width < 1 || height < 1 || width > 32768 || height > 32768) {
        throw std::invalid_argument{"SampleBuffer::resize: width and height must be 1 to 32768, " +
                                    std::string{"got "} + std::to_string(width) + " x " +
                                    std::to_string(height)};
    }
    if (width == width_ && height == height_) return;
    back().shared.reset();
    host_ = {};
    width_ = width;
    height_ = height;
    fresh_frame_ = true;
}

std::size_t SampleBuffer::bytes() const noexcept {
    return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * sizeof(Sample);
}

void SampleBuffer::prepare_back() {
    Slot& slot = back();
    if (slot.width != width_ || slot.height != height_) {
        slot.shared.reset();  // a registered buffer must not change its size
        slot.width = slot.height = 0;
        // A hint where the memory should be: written by the GPU itself, or by the CPU.
        const GLenum usage = path_ == SamplePath::kShared ? GL_DYNAMIC_COPY : GL_DYNAMIC_DRAW;
        GL_CHECK(
            glNamedBufferData(slot.buffer.id(), static_cast<GLsizeiptr>(bytes()), nullptr, usage));
        slot.width = width_;
        slot.height = height_;
    }
    if (path_ == SamplePath::kShared && !slot.shared) {
        slot.shared.emplace(slot.buffer.id(), cuda_device_);
    }
    if (path_ == SamplePath::kHostCopy && !host_) {
        host_ = backend_->allocate_host(bytes() / sizeof(Sample));
    }
}

Target SampleBuffer::map() {
    if (backend_ == nullptr || width_ == 0) {
        throw std::logic_error{"SampleBuffer::map: use() and resize() come first"};
    }
    if (fresh_frame_) current_ = {};
    fresh_frame_ = false;
    prepare_back();
    if (path_ == SamplePath::kHostCopy) return {host_.get(), Memory::kHost};
    const Clock::time_point begin = Clock::now();
    void* samples = back().shared->map(bytes(), backend_->stream());
    current_.map_ms += ms_since(begin);
    return {static_cast<Sample*>(samples), Memory::kDevice};
}

void SampleBuffer::unmap() {
    if (path_ == SamplePath::kHostCopy || !back().shared || !back().shared->mapped()) return;
    const Clock::time_point begin = Clock::now();
    back().shared->unmap(backend_->stream());
    current_.unmap_ms += ms_since(begin);
}

void SampleBuffer::publish() {
    if (fresh_frame_) throw std::logic_error{"SampleBuffer::publish: nothing was mapped before"};
    unmap();
    if (path_ == SamplePath::kHostCopy) {
        const Clock::time_point begin = Clock::now();
        GL_CHECK(glNamedBufferSubData(back().buffer.id(), 0, static_cast<GLsizeiptr>(bytes()),
                                      host_.get()));
        current_.upload_ms = ms_since(begin);
        current_.bytes_uploaded = bytes();
    }
    stats_ = current_;
    front_ = 1 - front_;
    fresh_frame_ = true;
}

SampleGrid SampleBuffer::front() const noexcept {
    const Slot& slot = slots_[front_];
    return {slot.buffer.id(), slot.width, slot.height};
}

std::vector<Sample> SampleBuffer::read_front() const {
    const SampleGrid grid = front();
    std::vector<Sample> samples(static_cast<std::size_t>(grid.width) *
                                static_cast<std::size_t>(grid.height));
    if (!samples.empty()) {
        GL_CHECK(glGetNamedBufferSubData(grid.buffer, 0,
                                         static_cast<GLsizeiptr>(samples.size() * sizeof(Sample)),
                                         samples.data()));
    }
    return samples;
}

}  // namespace warpscope
