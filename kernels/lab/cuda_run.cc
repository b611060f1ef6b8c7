// SPDX-License-Identifier: MIT
// Device work is timed by CUDA events, allocation by the host's clock. The flush or the untimed run
// that is queued before each sample also keeps the GPU busy while the host queues events and
// kernel, so that launch latency is in no sample.
#include "kernels/lab/cuda_run.h"

#include <chrono>
#include <optional>
#include <utility>

#include "kernels/engine/cuda/check.h"
#include "kernels/engine/fma_meter.h"
#include "kernels/lab/cublas.h"
#include "kernels/lab/cuda_kernels.h"
#include "kernels/lab/fill.h"
#include "kernels/lab/verify.h"

namespace warpscope::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxGridX = 2147483647, kMaxGridY = 65535;  // all compute capabilities

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string mb(double bytes) { return std::to_string(static_cast<long long>(bytes / 1e6)) + " MB"; }

CudaDevice chosen_device(const LabRequest& request) {
    const CudaStatus status = cuda_status();
    if (!status.problem.empty()) throw LabError{"rung " + request.rung + ": " + status.problem};
    for (const CudaDevice& device : status.devices) {
        if (device.index == request.device) return device;
    }
    throw LabError{"there is no CUDA device " + std::to_string(request.device) + "; there are " +
                   std::to_string(status.devices.size()) + ", counted from 0"};
}

// Makes a device the thread's current one for a while.
class DeviceScope {
  public:
    explicit DeviceScope(int index) {
        CUDA_CHECK(cudaGetDevice(&previous_));
        CUDA_CHECK(cudaSetDevice(index));
    }
    ~DeviceScope() { ignore_cuda(cudaSetDevice(previous_)); }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

  private:
    int previous_ = 0;
};

// Null for the cuBLAS rung.
const CudaKernel* find_kernel(Demo demo, const std::string& rung) {
    const auto all = [demo] {
        if (demo == Demo::kMatmul) return matmul_kernels();
        return demo == Demo::kSaxpy ? saxpy_kernels() : vector_add_kernels();
    }();
    for (const CudaKernel& kernel : all) {
        if (kernel.name == rung) return &kernel;
    }
    return nullptr;
}

class CudaRun {
  public:
    CudaRun(Demo demo, const LabRequest& request, const std::stop_token& stop,
            const LabProgress& progress)
        : demo_{demo},
          request_{request},
          stop_{stop},
          progress_{progress},
          device_{chosen_device(request)},
          scope_{device_.index},
          kernel_{find_kernel(demo, request.rung)} {}

    LabResult run();

  private:
    void tell(double fraction, std::string_view label) const {
        if (progress_) progress_(fraction, label);
    }
    bool stopped() const { return stop_.stop_requested(); }
    bool cold() const { return request_.cache == LabCache::kCold; }
    std::size_t flush_floats() const;
    void require_memory() const;
    void describe(LabResult& result);
    void read_resources(LabResult& result) const;
    void allocate();
    void copy_in();
    void copy_out();
    void launch();
    void first_launch();
    template <typename Work>
    double timed(Work work);
    template <typename Work>
    Sampling sample_with_cache(const SamplingPlan& plan, Work work, double from, double to);
    void measure_peak(LabFigures& figures);
    LabFigures figures(Sampling timed);

    const Demo demo_;
    const LabRequest& request_;
    const std::stop_token& stop_;
    const LabProgress& progress_;
    const CudaDevice device_;
    const Clock::time_point started_ = Clock::now();  // before the context is made
    const DeviceScope scope_;
    const CudaKernel* const kernel_;
    CudaShape shape_;
    Stream stream_;
    Event begin_, end_;
    PinnedBuffer<float> host_a_, host_b_, host_out_;
    DeviceBuffer<float> a_, b_, out_, flush_, sink_{1};
    std::optional<Cublas> cublas_;
    LabStages stages_;
};

std::size_t CudaRun::flush_floats() const {
    return cold() ? 2 * device_.l2_bytes / sizeof(float) / 4 * 4 : 0;
}

void CudaRun::require_memory() const {
    const double arrays = compulsory_bytes(demo_, request_.n);
    const double needed = arrays + static_cast<double>(flush_floats() * sizeof(float));
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    if (needed > static_cast<double>(free)) {
        throw_short_of_memory(request_.demo, request_.n, needed, static_cast<double>(free),
                              device_.name);
    }
    require_host_memory(request_.demo, request_.n, arrays);
}

void CudaRun::read_resources(LabResult& result) const {
    cudaFuncAttributes attributes{};
    const void* const function = kernel_->function(request_.n, shape_.block);
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, function));
    result.resources.name = request_.rung;
    result.resources.registers = attributes.numRegs;
    result.resources.static_shared = attributes.sharedSizeBytes;
    result.resources.local_bytes = attributes.localSizeBytes;
    result.resources.max_threads_per_block = attributes.maxThreadsPerBlock;
    const int threads = shape_.block.x * shape_.block.y;
    if (threads > attributes.maxThreadsPerBlock) {
        throw LabError{"rung " + request_.rung + " can have at most " +
                       std::to_string(attributes.maxThreadsPerBlock) +
                       " threads per block on this GPU, got " + std::to_string(threads)};
    }
}

void CudaRun::describe(LabResult& result) {
    result.n = request_.n;
    result.seed = request_.seed;
    result.device = device_.name + ", compute capability " + std::to_string(device_.cc_major) +
                    "." + std::to_string(device_.cc_minor) + ", " +
                    std::to_string(device_.sm_count) + " SMs";
    const std::string sizes = "working set " + mb(compulsory_bytes(demo_, request_.n)) + ", L2 " +
                              mb(static_cast<double>(device_.l2_bytes));
    result.cache = (cold() ? "cold: L2 was filled with other, clean data before each sample; "
                           : "warm: the same kernel ran just before each sample; ") +
                   sizes;
    if (kernel_ == nullptr) return;
    shape_ = kernel_->shape(request_.n, {request_.block_x, request_.block_y}, device_);
    if (shape_.grid_x > kMaxGridX || shape_.grid_y > kMaxGridY) {
        throw LabError{request_.demo + " with n = " + std::to_string(request_.n) +
                       " needs a grid of " + std::to_string(shape_.grid_x) + " by " +
                       std::to_string(shape_.grid_y) + " blocks, at most 2147483647 by 65535 are " +
                       "accepted; choose larger blocks"};
    }
    result.block_x = shape_.block.x;
    result.block_y = shape_.block.y;
    result.grid_blocks = shape_.grid_x * shape_.grid_y;
    result.guard_waste = shape_.covered - elements(demo_, request_.n);
    result.shared_bytes = shape_.shared;
    read_resources(result);
}

void CudaRun::allocate() {
    const std::size_t count = elements(demo_, request_.n);
    const Clock::time_point host = Clock::now();
    for (PinnedBuffer<float>* buffer : {&host_a_, &host_b_, &host_out_}) {
        *buffer = PinnedBuffer<float>{count};
    }
    stages_.allocate_host = ms_since(host);
    Team team{cpu_thread_count()};
    fill_random(team, {host_a_.data(), count}, request_.seed, 0, stop_);
    fill_random(team, {host_b_.data(), count}, request_.seed, 1, stop_);
    poison({host_out_.data(), count});

    stream_.synchronize();
    const Clock::time_point device = Clock::now();
    for (DeviceBuffer<float>* buffer : {&a_, &b_, &out_}) *buffer = DeviceBuffer<float>{count};
    stages_.allocate = ms_since(device);
    if (!cold()) return;
    flush_ = DeviceBuffer<float>{flush_floats()};
    CUDA_CHECK(cudaMemsetAsync(flush_.data(), 0, flush_.bytes(), stream_.get()));
}

// Milliseconds of device time that `work` takes once queued.
template <typename Work>
double CudaRun::timed(Work work) {
    begin_.record(stream_);
    work();
    end_.record(stream_);
    return elapsed_ms(begin_, end_);
}

constexpr SamplingPlan kCopyPlan{
    .warm_up = 1, .min_samples = 5, .min_seconds = 0, .max_samples = 5, .max_seconds = 2};

void CudaRun::copy_in() {
    const auto copy = [this](DeviceBuffer<float>& to, const PinnedBuffer<float>& from) {
        CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyHostToDevice,
                                   stream_.get()));
    };
    const auto both = [&] {
        copy(a_, host_a_);
        copy(b_, host_b_);
    };
    stages_.copy_in = sample(
                          kCopyPlan, [&] { return timed(both); }, stop_)
                          .distribution.median;
}

void CudaRun::copy_out() {
    const auto copy = [this] {
        CUDA_CHECK(cudaMemcpyAsync(host_out_.data(), out_.data(), out_.bytes(),
                                   cudaMemcpyDeviceToHost, stream_.get()));
    };
    stages_.copy_out = sample(
                           kCopyPlan, [&] { return timed(copy); }, stop_)
                           .distribution.median;
}

void CudaRun::launch() {
    if (kernel_ == nullptr) {
        cublas_->multiply(a_.data(), b_.data(), out_.data(), request_.n, stream_.get());
        return;
    }
    const Arrays data{a_.data(), b_.data(), out_.data(), request_.n, random_alpha(request_.seed)};
    kernel_->launch(data, shape_, stream_.get());
    CUDA_CHECK(cudaGetLastError());
}

void CudaRun::first_launch() {
    stream_.synchronize();
    const Clock::time_point begin = Clock::now();
    if (kernel_ == nullptr) cublas_.emplace();
    launch();
    stream_.synchronize();
    stages_.first_launch += ms_since(begin);
}

template <typename Work>
Sampling CudaRun::sample_with_cache(const SamplingPlan& plan, Work work, double from, double to) {
    const auto one = [&] {
        if (cold()) {
            launch_flush(flush_.data(), flush_.size(), sink_.data(), stream_.get());
        } else {
            work();
        }
        return timed(work);
    };
    return sample(plan, one, stop_,
                  [&](double part) { tell(from + (to - from) * part, "timing"); });
}

constexpr SamplingPlan kPeakPlan{
    .warm_up = 1, .min_samples = 10, .min_seconds = 0.1, .max_samples = 300, .max_seconds = 3};

void CudaRun::measure_peak(LabFigures& figures) {
    if (figures.rate == LabRate::kCompute) {
        constexpr double kRunMs = 1;
        const std::unique_ptr<FmaMeter> meter = make_cuda_fma_meter(device_.index);
        std::vector<double> rates;
        const auto one = [&] {
            rates.push_back(meter->per_second(Precision::kFloat, kRunMs));
            return kRunMs;
        };
        sample(kPeakPlan, one, stop_);
        figures.peak = 2 * summarize(std::move(rates)).median;  // a multiplication and an addition
        figures.peak_how = "independent fused multiply-adds in registers on all SMs, median";
        return;
    }
    // As many bytes as the demo moves, half read and half written; the arrays' memory is free
    // again.
    const std::size_t count = std::max<std::size_t>(elements(demo_, request_.n) * 3 / 2, 1);
    DeviceBuffer<float> from{count}, to{count};
    CUDA_CHECK(cudaMemsetAsync(from.data(), 0, from.bytes(), stream_.get()));
    const auto copy = [&] {
        CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                                   stream_.get()));
    };
    const Sampling copies = sample_with_cache(kPeakPlan, copy, 0.9, 1);
    figures.peak = 2 * static_cast<double>(from.bytes()) / (copies.distribution.median / 1000);
    figures.peak_how = "device-to-device copy of " + mb(static_cast<double>(from.bytes())) +
                       " (read and written), same cache state, median";
}

LabFigures CudaRun::figures(Sampling timed) {
    LabFigures figures;
    figures.kernel = timed.distribution;
    figures.stop = timed.stop;
    figures.samples = std::move(timed.samples);
    figures.stages = stages_;
    figures.bytes = compulsory_bytes(demo_, request_.n);
    figures.flops = flops(demo_, request_.n);
    figures.rate = find_lab_demo(request_.demo).rate;
    const double work = figures.rate == LabRate::kBandwidth ? figures.bytes : figures.flops;
    figures.per_second = work / (figures.kernel.median / 1000);
    figures.end_to_end_ms = stages_.allocate + stages_.copy_in + figures.kernel.median +
                            stages_.copy_out + stages_.free;
    measure_peak(figures);
    figures.of_peak = figures.per_second / figures.peak;
    return figures;
}

LabResult CudaRun::run() {
    LabResult result;
    describe(result);  // asks the runtime about the kernel, which loads it
    stages_.first_launch = ms_since(started_);
    require_memory();
    tell(0, "allocating and filling with random numbers");
    allocate();
    tell(0.1, "copying in");
    if (!stopped()) copy_in();
    tell(0.15, "first launch");
    if (!stopped()) first_launch();
    // All bits set is a NaN: an entry that the timed launches do not write stays visible.
    CUDA_CHECK(cudaMemsetAsync(out_.data(), 0xff, out_.bytes(), stream_.get()));
    SamplingPlan plan = request_.plan;
    plan.warm_up = 0;  // the first launch was it
    Sampling timed = sample_with_cache(
        plan, [this] { launch(); }, 0.2, 0.8);
    if (!stopped()) copy_out();
    result.cancelled = stopped();
    if (result.cancelled) return result;

    tell(0.8, "verifying");
    const Arrays host{host_a_.data(), host_b_.data(), host_out_.data(), request_.n,
                      random_alpha(request_.seed)};
    result.verification = verify(demo_, host, request_.seed);
    const Clock::time_point begin = Clock::now();
    for (DeviceBuffer<float>* buffer : {&a_, &b_, &out_}) buffer->reset();
    stages_.free = ms_since(begin);
    if (!result.verification.passed) return result;
    tell(0.9, "measuring the GPU's peak");
    LabFigures measured = figures(std::move(timed));
    result.cancelled = stopped();
    if (result.cancelled) return result;
    result.figures = std::move(measured);
    tell(1, "done");
    return result;
}

}  // namespace

LabResult run_cuda(Demo demo, const LabRequest& request, const std::stop_token& stop,
                   const LabProgress& progress) {
    return CudaRun{demo, request, stop, progress}.run();
}

}  // namespace warpscope::lab
