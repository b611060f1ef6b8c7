// SPDX-License-Identifier: MIT
// The GPU's peak of fused multiply-adds.
#include <algorithm>
#include <optional>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/fma_meter.h"

namespace warpscope {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerSm = 8;  // with 256 threads all warp slots of any SM
constexpr int kChains = 8;            // more than the latency of 4 clocks, in case warps are few
constexpr int kUnroll = 16;           // rounds, so that the loop's counter costs nothing

// The chains settle at 1; the store that never happens keeps the compiler from dropping them.
template <class T>
__global__ void chains(int rounds, T factor, T term, T* sink) {
    T chain[kChains];
    for (int i = 0; i < kChains; ++i) chain[i] = static_cast<T>(threadIdx.x + i) * T(1e-3);
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < kUnroll; ++step) {
#pragma unroll
            for (int i = 0; i < kChains; ++i) chain[i] = fma(chain[i], factor, term);
        }
    }
    T sum = 0;
    for (int i = 0; i < kChains; ++i) sum += chain[i];
    if (sum == T(12345)) *sink = sum;
}

/// Rounds per millisecond of the last run of a type; 0 before it.
using Pace = double;

class CudaFmaMeter final : public FmaMeter {
  public:
    explicit CudaFmaMeter(int device) : device_{device} {
        CUDA_CHECK(cudaSetDevice(device_));
        int sm_count = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device_));
        blocks_ = static_cast<unsigned>(std::max(sm_count, 1)) * kBlocksPerSm;
        own_.emplace();
    }

    double per_second(Precision precision, double ms) override {
        CUDA_CHECK(cudaSetDevice(device_));
        if (precision == Precision::kDouble) return run<double>(double_, ms);
        return run<float>(float_, ms);
    }

  private:
    /// Made once the device is the current one.
    struct Handles {
        DeviceBuffer<double> sink{1};
        Stream stream;
        Event begin, end;
    };

    template <class T>
    double run(Pace& pace, double ms) {
        constexpr int kFirst = 64;
        if (pace == 0) {
            launch<T>(pace, kFirst);  // loads the kernel
            launch<T>(pace, kFirst);
        }
        return launch<T>(pace, static_cast<int>(std::clamp(pace * ms, 1.0, 1e8)));
    }

    /// One launch of so many rounds; the multiply-adds per second that it did.
    template <class T>
    double launch(Pace& pace, int rounds) {
        own_->begin.record(own_->stream);
        chains<T><<<blocks_, kThreads, 0, own_->stream.get()>>>(
            rounds, T(0.999), T(0.001), reinterpret_cast<T*>(own_->sink.data()));
        CUDA_CHECK(cudaGetLastError());
        own_->end.record(own_->stream);
        const double ms = std::max(elapsed_ms(own_->begin, own_->end), 1e-4);
        pace = rounds / ms;
        return pace * 1e3 * kUnroll * kChains * kThreads * blocks_;
    }

    int device_;
    unsigned blocks_ = 1;
    std::optional<Handles> own_;
    Pace float_ = 0, double_ = 0;
};

}  // namespace

std::unique_ptr<FmaMeter> make_cuda_fma_meter(int device) {
    return std::make_unique<CudaFmaMeter>(device);
}

}  // namespace warpscope
