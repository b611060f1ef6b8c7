// SPDX-License-Identifier: MIT
// Buffers that CUDA and OpenGL share. interop.cu implements this with CUDA, no_interop.cc without;
// which one is linked is the build's choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "render/gl.h"

struct cudaGraphicsResource;

namespace warpscope {

/// What the user asks for. kOn tries as kAuto does; that it must succeed is for the caller to say.
enum class InteropChoice : std::uint8_t { kAuto, kOn, kOff };

/// Whether CUDA can write into OpenGL's buffers here, and why not.
struct InteropVerdict {
    bool active = false;
    std::string reason;    ///< one sentence with the names of the GPUs, also where it is active
    std::string remedy;    ///< what the user can do; empty where nothing helps or is needed
    int cuda_device = -1;  ///< the device that shares memory with OpenGL; -1 where inactive
};

/// Sharing failed. The caller goes on with a host copy; no CUDA error is left behind.
struct InteropError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Tries it, with the OpenGL context current: asks which CUDA devices draw here, registers a small
/// buffer, writes it from `wanted_device`, reads it back through OpenGL and compares. Never throws
/// for want of a GPU; leaves no CUDA error behind.
InteropVerdict probe_interop(InteropChoice choice, int wanted_device);

/// Registers an OpenGL buffer object with CUDA for as long as it lives. Both may read and write it;
/// contents persist from map to map. The buffer object must outlive it, and the OpenGL context be
/// current in every call. Streams are cudaStream_t of the device.
class SharedBuffer {
  public:
    /// `buffer` keeps its size while registered. Throws InteropError.
    SharedBuffer(GLuint buffer, int cuda_device);
    ~SharedBuffer();
    SharedBuffer(SharedBuffer&& other) noexcept;
    SharedBuffer& operator=(SharedBuffer&& other) noexcept;

    /// A device pointer to at least `bytes` bytes, good until unmap(). Work in `stream` waits for
    /// earlier OpenGL calls. OpenGL must not touch the buffer meanwhile. Throws InteropError.
    void* map(std::size_t bytes, void* stream);

    /// Gives the buffer back to OpenGL, whose later calls wait for earlier work in `stream`. It
    /// counts as unmapped even where this throws InteropError.
    void unmap(void* stream);

    bool mapped() const noexcept { return mapped_; }

  private:
    void release() noexcept;

    cudaGraphicsResource* resource_ = nullptr;
    int device_ = -1;
    bool mapped_ = false;
};

}  // namespace warpscope
