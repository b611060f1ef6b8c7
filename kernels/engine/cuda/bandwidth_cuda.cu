// SPDX-License-Identifier: MIT
// The peak of a GPU's device memory.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/engine/bandwidth_meter.h"
#include "kernels/engine/cuda/check.h"

namespace warpscope {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerSm = 8;  // all warp slots of any SM
constexpr int kUnroll = 4;            // loads of 16 bytes that a thread has on the way

struct Arrays {
    const float4 *a, *b;
    float4* out;
    std::size_t count;  // of each, a multiple of the grid's stride
    float* sink;
};

__device__ float4 plus(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// Neighbouring threads stream neighbouring 16 bytes; __ldcs and __stcs say that nothing is used
// twice. The store that never happens keeps the compiler from dropping the reads.
template <Traffic kTraffic>
__global__ void stream(Arrays arrays) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    float4 sum{0, 0, 0, 0};
    for (std::size_t i = first; i < arrays.count; i += kUnroll * stride) {
        float4 value[kUnroll];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
            value[k] = kTraffic == Traffic::kWrite ? float4{2, 2, 2, 2}
                                                   : __ldcs(arrays.a + i + k * stride);
        }
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
            if (kTraffic == Traffic::kAdd) {
                value[k] = plus(value[k], __ldcs(arrays.b + i + k * stride));
            }
            if (kTraffic == Traffic::kRead) sum = plus(sum, value[k]);
            if (kTraffic != Traffic::kRead) __stcs(arrays.out + i + k * stride, value[k]);
        }
    }
    if (kTraffic == Traffic::kRead && sum.x + sum.y + sum.z + sum.w == -1.0F) {
        *arrays.sink = sum.x;
    }
}

class CudaBandwidthMeter final : public BandwidthMeter {
  public:
    explicit CudaBandwidthMeter(int device) : device_{device} {
        CUDA_CHECK(cudaSetDevice(device_));
        int sm_count = 0, l2 = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device_));
        CUDA_CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device_));
        cache_ = static_cast<std::size_t>(std::max(l2, 0));
        blocks_ = static_cast<unsigned>(std::max(sm_count, 1)) * kBlocksPerSm;
        count_ = whole(wanted_bytes());
        own_.emplace(count_);
    }

    double run_ms(Traffic traffic) override {
        CUDA_CHECK(cudaSetDevice(device_));
        const Arrays arrays{own_->a.data(), own_->b.data(), own_->out.data(), count_,
                            own_->sink.data()};
        own_->begin.record(own_->stream);
        launch(traffic, arrays);
        CUDA_CHECK(cudaGetLastError());
        own_->end.record(own_->stream);
        return std::max(elapsed_ms(own_->begin, own_->end), 1e-4);
    }

    std::size_t array_bytes() const noexcept override { return count_ * sizeof(float4); }
    std::size_t cache_bytes() const noexcept override { return cache_; }

  private:
    /// Made once the device is the current one.
    struct Handles {
        explicit Handles(std::size_t count) : a{count}, b{count}, out{count} {
            // Another pattern than zeros, which memory may compress.
            CUDA_CHECK(cudaMemsetAsync(a.data(), 0x3d, a.bytes(), stream.get()));
            CUDA_CHECK(cudaMemsetAsync(b.data(), 0x3c, b.bytes(), stream.get()));
        }
        Stream stream;
        Event begin, end;
        DeviceBuffer<float4> a, b, out;
        DeviceBuffer<float> sink{1};
    };

    /// Bytes of an array: eight times the cache, as far as a quarter of the free memory goes.
    std::size_t wanted_bytes() const {
        constexpr std::size_t kLeast = std::size_t{256} << 20;
        std::size_t free = 0, total = 0;
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        return std::min(std::max(kLeast, 8 * cache_), free / 12);
    }

    /// The float4 of so many bytes, rounded down to whole turns of the grid, at least one.
    std::size_t whole(std::size_t bytes) const {
        const std::size_t turn = std::size_t{kThreads} * blocks_ * kUnroll;
        return std::max<std::size_t>(bytes / sizeof(float4) / turn, 1) * turn;
    }

    void launch(Traffic traffic, const Arrays& arrays) const {
        const cudaStream_t stream_of_this = own_->stream.get();
        switch (traffic) {
            case Traffic::kRead:
                return stream<Traffic::kRead><<<blocks_, kThreads, 0, stream_of_this>>>(arrays);
            case Traffic::kWrite:
                return stream<Traffic::kWrite><<<blocks_, kThreads, 0, stream_of_this>>>(arrays);
            case Traffic::kCopy:
                return stream<Traffic::kCopy><<<blocks_, kThreads, 0, stream_of_this>>>(arrays);
            case Traffic::kAdd:
                return stream<Traffic::kAdd><<<blocks_, kThreads, 0, stream_of_this>>>(arrays);
        }
    }

    int device_;
    unsigned blocks_ = 1;
    std::size_t cache_ = 0, count_ = 0;
    std::optional<Handles> own_;
};

}  // namespace

std::unique_ptr<BandwidthMeter> make_cuda_bandwidth_meter(int device) {
    return std::make_unique<CudaBandwidthMeter>(device);
}

}  // namespace warpscope
