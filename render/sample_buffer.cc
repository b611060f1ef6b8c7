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
    for (Slot& slot : slots_) {
        slot.shared.reset();
        slot.host = {};
    }
    backend_ = nullptr;
    path_ = SamplePath::kHostCopy;
    fresh_frame_ = true;
    filled_by_this_ = false;
}

void SampleBuffer::resize(int width, int height) {
    if (width < 1 || height < 1 || width > 32768 || height > 32768) {
        throw std::invalid_argument{"SampleBuffer::resize: width and height must be 1 to 32768, " +
                                    std::string{"got "} + std::to_string(width) + " x " +
                                    std::to_string(height)};
    }
    if (width == width_ && height == height_) return;
    slot(Side::kBack).shared.reset();
    slot(Side::kBack).host = {};
    width_ = width;
    height_ = height;
    fresh_frame_ = true;
}

std::size_t SampleBuffer::bytes() const noexcept {
    return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * sizeof(Sample);
}

void SampleBuffer::prepare(Slot& slot) {
    if (slot.width != width_ || slot.height != height_) {
        slot.shared.reset();  // a registered buffer must not change its size
        slot.host = {};
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
    if (path_ == SamplePath::kHostCopy && !slot.host) {
        slot.host = backend_->allocate_host(bytes() / sizeof(Sample));
    }
}

void SampleBuffer::begin_mapping() noexcept {
    if (fresh_frame_) current_ = {};
    fresh_frame_ = false;
}

bool SampleBuffer::can_carry() const noexcept {
    const Slot& front = slots_[front_];
    return filled_by_this_ && front.width == width_ && front.height == height_;
}

void SampleBuffer::carry_over(int dx, int dy) {
    if (!can_carry()) throw std::logic_error{"SampleBuffer::carry_over: nothing can be carried"};
    begin_mapping();
    Slot &from = slot(Side::kFront), &to = slot(Side::kBack);
    prepare(to);
    const SampleShift shift{width_, height_, dx, dy};
    if (path_ == SamplePath::kHostCopy) {
        move_samples(shift, from.host.get(), to.host.get());
        return;
    }
    if (!mover_) mover_.emplace();
    mover_->move(shift, from.buffer.id(), to.buffer.id());
}

Target SampleBuffer::map(Side side) {
    if (backend_ == nullptr || width_ == 0) {
        throw std::logic_error{"SampleBuffer::map: use() and resize() come first"};
    }
    begin_mapping();
    prepare(slot(side));
    mapped_ = side;
    if (path_ == SamplePath::kHostCopy) return {slot(side).host.get(), Memory::kHost};
    const Clock::time_point begin = Clock::now();
    void* samples = slot(side).shared->map(bytes(), backend_->stream());
    current_.map_ms += ms_since(begin);
    return {static_cast<Sample*>(samples), Memory::kDevice};
}

void SampleBuffer::unmap() {
    Slot& mapped = slot(mapped_);
    if (path_ == SamplePath::kHostCopy || !mapped.shared || !mapped.shared->mapped()) return;
    const Clock::time_point begin = Clock::now();
    mapped.shared->unmap(backend_->stream());
    current_.unmap_ms += ms_since(begin);
}

void SampleBuffer::upload(Slot& slot) {
    unmap();
    if (path_ == SamplePath::kHostCopy) {
        const Clock::time_point begin = Clock::now();
        GL_CHECK(glNamedBufferSubData(slot.buffer.id(), 0, static_cast<GLsizeiptr>(bytes()),
                                      slot.host.get()));
        current_.upload_ms = ms_since(begin);
        current_.bytes_uploaded = bytes();
    }
    stats_ = current_;
    fresh_frame_ = true;
    filled_by_this_ = true;
}

void SampleBuffer::publish() {
    if (fresh_frame_) throw std::logic_error{"SampleBuffer::publish: nothing was mapped before"};
    upload(slot(Side::kBack));
    front_ = 1 - front_;
}

void SampleBuffer::refresh() {
    if (fresh_frame_) throw std::logic_error{"SampleBuffer::refresh: nothing was mapped before"};
    upload(slot(Side::kFront));
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
