// SPDX-License-Identifier: MIT
// Sharing with CUDA. The contract: while a buffer is mapped OpenGL must not touch it; map and unmap
// order the two in the given stream. [cuda_runtime_api.h, cudaGraphicsMapResources]
#include "render/interop.h"
// GLAD comes first: it stands for the GL/gl.h that the next header asks for.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/interop_facts.h"
#include "render/objects.h"

namespace warpscope {
namespace {

std::string explained(cudaError_t status) {
    return std::string{cudaGetErrorString(status)} + " (" + cudaGetErrorName(status) + ")";
}

/// Throws InteropError naming the call; takes the error out of the runtime, or the next unrelated
/// check would report it (LichtFeld-Studio #406).
void check(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw InteropError{std::string{call} + ": " + explained(status)};
}

void ignore(cudaError_t status) noexcept {
    if (status != cudaSuccess) cudaGetLastError();
}

/// Makes `device` current, and the one before it again at the end.
class CurrentDevice {
  public:
    explicit CurrentDevice(int device) {
        check(cudaGetDevice(&before_), "cudaGetDevice");
        if (device != before_) check(cudaSetDevice(device), "cudaSetDevice");
        changed_ = device != before_;
    }
    ~CurrentDevice() {
        if (changed_) ignore(cudaSetDevice(before_));
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

  private:
    int before_ = 0;
    bool changed_ = false;
};

constexpr std::uint32_t kTrialWords = 4096;

/// A word that neither zeroed nor stale memory holds.
__host__ __device__ std::uint32_t trial_word(std::uint32_t index) {
    return (index + 1u) * 2654435761u;
}

__global__ void write_trial(std::uint32_t* words) {
    const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < kTrialWords) words[index] = trial_word(index);
}

}  // namespace

SharedBuffer::SharedBuffer(GLuint buffer, int cuda_device) : device_{cuda_device} {
    const CurrentDevice current{device_};
    // Not WriteDiscard: a frame may be filled over several maps.
    check(cudaGraphicsGLRegisterBuffer(&resource_, buffer, cudaGraphicsRegisterFlagsNone),
          "cudaGraphicsGLRegisterBuffer");
}

SharedBuffer::~SharedBuffer() { release(); }

SharedBuffer::SharedBuffer(SharedBuffer&& other) noexcept
    : resource_{std::exchange(other.resource_, nullptr)},
      device_{other.device_},
      mapped_{std::exchange(other.mapped_, false)} {}

SharedBuffer& SharedBuffer::operator=(SharedBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    resource_ = std::exchange(other.resource_, nullptr);
    device_ = other.device_;
    mapped_ = std::exchange(other.mapped_, false);
    return *this;
}

void* SharedBuffer::map(std::size_t bytes, void* stream) {
    const CurrentDevice current{device_};
    check(cudaGraphicsMapResources(1, &resource_, static_cast<cudaStream_t>(stream)),
          "cudaGraphicsMapResources");
    mapped_ = true;
    void* pointer = nullptr;
    std::size_t mapped_bytes = 0;
    check(cudaGraphicsResourceGetMappedPointer(&pointer, &mapped_bytes, resource_),
          "cudaGraphicsResourceGetMappedPointer");
    if (mapped_bytes < bytes) {
        throw InteropError{"cudaGraphicsResourceGetMappedPointer: " + std::to_string(mapped_bytes) +
                           " bytes where " + std::to_string(bytes) + " are needed"};
    }
    return pointer;
}

void SharedBuffer::unmap(void* stream) {
    const CurrentDevice current{device_};
    mapped_ = false;
    check(cudaGraphicsUnmapResources(1, &resource_, static_cast<cudaStream_t>(stream)),
          "cudaGraphicsUnmapResources");
}

void SharedBuffer::release() noexcept {
    if (resource_ == nullptr) return;
    if (mapped_) ignore(cudaGraphicsUnmapResources(1, &resource_, nullptr));
    ignore(cudaGraphicsUnregisterResource(resource_));
    resource_ = nullptr;
    mapped_ = false;
}

void ask_gl_devices(InteropFacts& facts) {
    std::array<int, 16> devices{};
    unsigned int count = 0;
    const cudaError_t status = cudaGLGetDevices(
        &count, devices.data(), static_cast<unsigned int>(devices.size()), cudaGLDeviceListAll);
    if (status != cudaSuccess) {
        cudaGetLastError();
        facts.gl_problem = "cudaGLGetDevices: " + explained(status);
        return;
    }
    facts.gl_devices.assign(devices.begin(), devices.begin() + count);
}

std::string try_sharing(int device) {
    try {
        const CurrentDevice current{device};
        constexpr std::size_t kBytes = kTrialWords * sizeof(std::uint32_t);
        std::vector<std::uint32_t> words(kTrialWords, 0);
        const GlBuffer buffer;
        GL_CHECK(glNamedBufferData(buffer.id(), kBytes, words.data(), GL_DYNAMIC_DRAW));
        SharedBuffer shared{buffer.id(), device};
        write_trial<<<kTrialWords / 256, 256>>>(
            static_cast<std::uint32_t*>(shared.map(kBytes, nullptr)));
        check(cudaGetLastError(), "write_trial");
        shared.unmap(nullptr);
        // Registration can succeed and the picture still stay black (instant-ngp #280).
        GL_CHECK(glGetNamedBufferSubData(buffer.id(), 0, kBytes, words.data()));
        for (std::uint32_t i = 0; i < kTrialWords; ++i) {
            if (words[i] != trial_word(i)) {
                return "OpenGL does not read what CUDA wrote (word " + std::to_string(i) + ")";
            }
        }
        return {};
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace warpscope
