// SPDX-License-Identifier: MIT
// CUDA_CHECK and owners of CUDA's handles. Every handle has one owner that frees it; a failing call
// becomes a BackendError with place, call and CUDA's reason. Include from CUDA-built files only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/engine/backend.h"

/// Throws BackendError "file:line: call: reason" unless `call` (a cudaError_t) is cudaSuccess.
#define CUDA_CHECK(call) ::warpscope::check_cuda((call), #call, __FILE__, __LINE__)

namespace warpscope {

/// Throws BackendError unless `status` is cudaSuccess. Use through CUDA_CHECK.
inline void check_cuda(cudaError_t status, const char* call, std::string_view file, int line) {
    if (status == cudaSuccess) return;
    // Take the error out of the runtime, so that the next launch's check does not report it again.
    cudaGetLastError();
    const std::size_t slash = file.find_last_of('/');
    if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
    throw BackendError{std::string{file} + ":" + std::to_string(line) + ": " + call + ": " +
                       cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")"};
}

/// What destructors do with a failing call: go on, but leave no error behind for the next check.
inline void ignore_cuda(cudaError_t status) noexcept {
    if (status != cudaSuccess) cudaGetLastError();
}

/// Owns room for `count` values of T that Allocate gave; contents undefined at first.
template <typename T, cudaError_t (*Allocate)(void**, std::size_t), cudaError_t (*Free)(void*)>
class CudaMemory {
  public:
    CudaMemory() noexcept = default;
    /// Throws BackendError when there is no room. 0 owns nothing.
    explicit CudaMemory(std::size_t count) : count_{count} {
        if (count != 0) CUDA_CHECK(Allocate(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    }
    ~CudaMemory() { reset(); }
    CudaMemory(CudaMemory&& other) noexcept
        : data_{std::exchange(other.data_, nullptr)}, count_{std::exchange(other.count_, 0)} {}
    CudaMemory& operator=(CudaMemory&& other) noexcept {
        if (this == &other) return *this;
        reset();
        data_ = std::exchange(other.data_, nullptr);
        count_ = std::exchange(other.count_, 0);
        return *this;
    }

    /// Frees the memory now.
    void reset() noexcept {
        if (data_ != nullptr) ignore_cuda(Free(data_));
        data_ = nullptr;
        count_ = 0;
    }

    /// Gives the memory up without freeing it; that is then the caller's.
    T* release() noexcept {
        count_ = 0;
        return std::exchange(data_, nullptr);
    }

    T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }
    std::size_t bytes() const noexcept { return count_ * sizeof(T); }

  private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

/// In device memory.
template <typename T>
using DeviceBuffer = CudaMemory<T, cudaMalloc, cudaFree>;

/// In page-locked host memory.
template <typename T>
using PinnedBuffer = CudaMemory<T, cudaMallocHost, cudaFreeHost>;

/// Owns a stream of the current device that does not wait for the default stream.
class Stream {
  public:
    Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { reset(); }
    Stream(Stream&& other) noexcept : stream_{std::exchange(other.stream_, nullptr)} {}
    Stream& operator=(Stream&& other) noexcept {
        if (this == &other) return *this;
        reset();
        stream_ = std::exchange(other.stream_, nullptr);
        return *this;
    }

    cudaStream_t get() const noexcept { return stream_; }
    /// Waits for everything queued. Throws BackendError with what failed in it.
    void synchronize() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  private:
    void reset() noexcept {
        if (stream_ != nullptr) ignore_cuda(cudaStreamDestroy(stream_));
        stream_ = nullptr;
    }

    cudaStream_t stream_ = nullptr;
};

/// Owns an event with timing, of the current device.
class Event {
  public:
    Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
    ~Event() { reset(); }
    Event(Event&& other) noexcept : event_{std::exchange(other.event_, nullptr)} {}
    Event& operator=(Event&& other) noexcept {
        if (this == &other) return *this;
        reset();
        event_ = std::exchange(other.event_, nullptr);
        return *this;
    }

    cudaEvent_t get() const noexcept { return event_; }
    void record(const Stream& stream) const { record(stream.get()); }
    void record(cudaStream_t stream) const { CUDA_CHECK(cudaEventRecord(event_, stream)); }
    /// Waits until the device has passed it.
    void synchronize() const { CUDA_CHECK(cudaEventSynchronize(event_)); }
    /// Whether the device has passed it. Throws BackendError when the work before it failed.
    bool done() const {
        const cudaError_t status = cudaEventQuery(event_);
        if (status == cudaErrorNotReady) {
            cudaGetLastError();
            return false;
        }
        CUDA_CHECK(status);
        return true;
    }

  private:
    void reset() noexcept {
        if (event_ != nullptr) ignore_cuda(cudaEventDestroy(event_));
        event_ = nullptr;
    }

    cudaEvent_t event_ = nullptr;
};

/// Milliseconds of device time between two recorded events; waits for `end`. Resolution 0.5 us.
inline double elapsed_ms(const Event& begin, const Event& end) {
    end.synchronize();
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, begin.get(), end.get()));
    return static_cast<double>(ms);
}

}  // namespace warpscope
