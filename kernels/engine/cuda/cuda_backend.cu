// SPDX-License-Identifier: MIT
// A frame that is expected to fit the budget is one launch, and nobody waits for it: the GPU's own
// order (stream, then unmap) keeps the display behind it. A heavier one is cut by iterations: each
// launch takes all pixels of a band a number of steps on, so that no kernel runs long, whatever the
// limit, and the GPU stays full. Costs are read from events. Where orbits are packed between
// launches, a light frame is a few of them, queued at once.
#include "kernels/engine/cuda/cuda_backend.h"

#include <algorithm>

#include "kernels/engine/cuda/block_log.h"
#include "kernels/engine/cuda/launch_guess.h"
#include "kernels/engine/cuda/launch_log.h"
#include "kernels/engine/cuda/waiting_room.h"

namespace warpscope {
namespace {

constexpr double kLongestKernelMs = 9;    // keeps the desktop smooth and the watchdog asleep
constexpr double kRiskiestKernelMs = 40;  // if every pixel of a single launch ran to the limit
/// Orbits that a band keeps at once: 64 MiB of doubles, and two queues of 80 MiB.
constexpr std::size_t kWaitingPixels = std::size_t{1} << 22;

const CudaDevice& pick_device(const CudaStatus& status, int index) {
    if (!status.problem.empty()) throw BackendError{status.problem};
    for (const CudaDevice& device : status.devices) {
        if (device.index == index) return device;
    }
    throw BackendError{"there is no CUDA device " + std::to_string(index) + "; accepted: 0 to " +
                       std::to_string(status.devices.size() - 1)};
}

/// Blocks that fit on a multiprocessor of the current device.
int resident_blocks(const CudaKernel& kernel, const EscapeLaunch& launch,
                    SharedAllowance& allowance) {
    const int bytes = launch.what_if.shared_bytes;
    allowance.allow(kernel.function, bytes);
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.function,
                                                             launch.block.x * launch.block.y,
                                                             static_cast<std::size_t>(bytes)));
    return blocks;
}

/// Throws BackendError unless blocks of `kernel` can have what `what_if` wants for them.
void check_what_if(const CudaKernel& kernel, const EscapeLaunch& launch, int device) {
    const WhatIf& what_if = launch.what_if;
    const int threads = launch.block.x * launch.block.y;
    if (threads > most_threads(what_if.registers)) {
        throw BackendError{std::to_string(threads) + " threads per block with " +
                           std::to_string(most_registers(what_if.registers)) +
                           " registers each; accepted: up to " +
                           std::to_string(most_threads(what_if.registers)) + " threads"};
    }
    if (what_if.shared_bytes == 0) return;
    int most = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel.function));
    most -= static_cast<int>(attributes.sharedSizeBytes);
    if (what_if.shared_bytes < 0 || what_if.shared_bytes > most) {
        throw BackendError{std::to_string(what_if.shared_bytes) +
                           " bytes of dynamic shared memory per block; accepted: 0 to " +
                           std::to_string(most) + " on this device"};
    }
}

/// Makes `device` current before anything is created on it.
int selected(int device) {
    CUDA_CHECK(cudaSetDevice(device));
    return device;
}

/// Where the next launch of compacted orbits ends: each takes them thrice as far. On an H200 that
/// costs less than twice or four times for short and long orbits together.
std::uint32_t compact_until(std::uint32_t from, std::uint32_t limit) {
    constexpr std::uint32_t kFirst = 256, kFactor = 3;
    if (limit / kFactor < from) return limit;
    const std::uint32_t until = from == 0 ? kFirst : kFactor * from;
    // No launch for a rest that hardly needs one.
    return limit <= until || limit - until <= until / 2 ? limit : until;
}

class CudaBackend final : public Backend {
  public:
    explicit CudaBackend(const CudaDevice& device)
        : device_{selected(device.index)},
          sm_count_{device.sm_count},
          guess_{static_cast<double>(device.clock_khz), device.sm_count} {
        info_.name = "cuda";
        info_.device = device.name;
        info_.detail = "compute capability " + std::to_string(device.cc_major) + "." +
                       std::to_string(device.cc_minor) + ", " + std::to_string(device.sm_count) +
                       " SMs";
        info_.cuda_device = device.index;
    }

    ~CudaBackend() override { cancel(); }

    const BackendInfo& info() const noexcept override { return info_; }

    void start(const FrameJob& job, const Tuning& tuning, std::span<const Part> parts) override {
        check_job(job);
        check_parts(job, parts);
        check_block(tuning.block);
        CUDA_CHECK(cudaSetDevice(device_));
        const EscapeLaunch launch = escape_launch(job, tuning);
        check_what_if(escape_kernel(job, launch), launch, device_);
        if (active_) cancel();
        forget_cost(job, tuning);
        job_ = job;
        method_ = tuning.method;
        launch_ = launch;
        parts_.assign(parts.begin(), parts.end());
        if (parts_.empty()) parts_ = {whole(job)};
        pixels_ = 0;
        for (const Part& part : parts_) pixels_ += part.pixels();
        part_ = 0;
        row_ = 0;
        from_ = 0;
        done_pixels_ = 0;
        untouched_ = true;
        ++frame_;
        recorded_ = recording_ != Recording::kOff;
        if (recorded_) blocks_.open(recording_, width() * static_cast<std::size_t>(job.height));
        active_ = true;
    }

    Progress advance(Target target, double budget_ms) override {
        if (!active_) return {0, false};
        CUDA_CHECK(cudaSetDevice(device_));
        log_.harvest();
        learn_cost();
        const double budget = std::clamp(budget_ms, 1.0, kLongestKernelMs);
        bool done = true;
        if (untouched_ && fits(budget)) {
            launch_whole(target);
        } else {
            done = launch_slice(target, budget);
        }
        untouched_ = false;
        if (done) active_ = false;
        if (done && recorded_) keep_trace();
        return {done ? 1 : std::min(fraction(), 0.999), done};
    }

    void cancel() noexcept override {
        active_ = false;
        ignore_cuda(cudaSetDevice(device_));
        ignore_cuda(cudaStreamSynchronize(stream_.get()));
        log_.drain();
    }

    FrameStats stats() override {
        CUDA_CHECK(cudaSetDevice(device_));
        log_.harvest();
        return log_.finished();
    }

    bool record(Recording recording) override {
        recording_ = recording;
        return true;
    }

    std::optional<Trace> take_trace() override { return std::exchange(trace_, std::nullopt); }

    bool accepts(Memory) const noexcept override { return true; }

    HostSamples allocate_host(std::size_t count) override {
        CUDA_CHECK(cudaSetDevice(device_));
        PinnedBuffer<Sample> pinned{count};
        return {pinned.release(), [](Sample* samples) { ignore_cuda(cudaFreeHost(samples)); }};
    }

    void* stream() const noexcept override { return stream_.get(); }

  private:
    /// Costs measured on another kind of frame say nothing about this one.
    void forget_cost(const FrameJob& job, const Tuning& tuning) {
        if (job.formula != job_.formula || job.precision != job_.precision ||
            job.limit != job_.limit || job.julia != job_.julia || !(tuning.method == method_) ||
            !(tuning.what_if == launch_.what_if)) {
            ms_per_pixel_ = 0;
            first_costed_frame_ = frame_ + 1;
        }
    }

    void learn_cost() {
        const FrameStats& stats = log_.finished();
        if (stats.pixels > 0 && log_.finished_frame() >= first_costed_frame_) {
            ms_per_pixel_ = stats.kernel_ms / static_cast<double>(stats.pixels);
        }
    }

    Shortcuts shortcuts() const { return {method_.closed_form, method_.periodicity}; }

    /// Whether the frame may be one launch: it cannot take long, or it did not the last time and
    /// would not be a disaster if the view had moved to where it does.
    bool fits(double budget) const {
        const auto pixels = static_cast<double>(pixels_);
        const double worst = guess_.worst_ms(job_, pixels, job_.limit);
        if (worst <= budget) return true;
        return ms_per_pixel_ > 0 && 2 * ms_per_pixel_ * pixels <= budget &&
               worst <= kRiskiestKernelMs;
    }

    double fraction() const {
        const auto all = static_cast<double>(pixels_);
        const Part& part = parts_[part_];
        const double band = static_cast<double>(from_) / job_.limit * band_rows();
        return (static_cast<double>(done_pixels_) + (row_ + band) * part.columns()) / all;
    }

    std::size_t width() const { return static_cast<std::size_t>(job_.width); }

    Sample* device_samples(Target target) {
        if (target.memory == Memory::kDevice) return target.samples;
        const std::size_t count = width() * static_cast<std::size_t>(job_.height);
        if (own_.size() < count) own_ = DeviceBuffer<Sample>{count};
        return own_.data();
    }

    Launch take_launch() {
        Launch launch = log_.take(stream_);
        launch.job = job_;
        launch.pixels = pixels_;
        launch.frame = frame_;
        return launch;
    }

    void launch_whole(Target target) {
        Sample* samples = device_samples(target);
        Launch launch = take_launch();
        launch.last = true;
        launch.copies = target.memory == Memory::kHost;
        launch.begin.record(stream_);
        for (part_ = 0, row_ = 0; part_ < parts_.size();) {
            const bool keeps = launch_.loop == CudaLoop::kCompact;
            Band band = next_band(samples, launch, keeps ? band_rows() : parts_[part_].rows());
            band.until = job_.limit;
            if (keeps) {
                launch_compact(band);
            } else {
                run(band);
            }
            end_band(band.last_row - band.first_row);
        }
        launch.end.record(stream_);
        if (launch.copies) copy_to(target.samples);
        launch.copied.record(stream_);
        const bool wait = launch.copies;
        log_.add(std::move(launch));
        if (!wait) return;
        log_.wait(stream_);
        scatter(target.samples);
    }

    /// All of a band's launches.
    void launch_compact(Band band) {
        open_waiting_room(band);
        for (band.from = 0; band.from < job_.limit; band.from = band.until) {
            band.until = compact_until(band.from, job_.limit);
            waiting_.turn(band);
            run(band);
        }
    }

    void run(const Band& band) {
        launch_band(job_, launch_, band, stream_.get(), recorded_ ? &blocks_ : nullptr, allowance_);
    }

    /// Waits for the frame.
    void keep_trace() {
        log_.wait(stream_);
        Trace trace;
        if (!blocks_.close_into(trace, stream_)) return;
        trace.backend = info_.name;
        trace.device = info_.device;
        trace.detail = info_.detail;
        const CudaKernel kernel = escape_kernel(job_, launch_, Instance::kRecording);
        trace.kernel = kernel.name;
        trace.job = job_;
        trace.shape = launch_.block;
        trace.unit = TraceUnit::kMultiprocessor;
        trace.units = sm_count_;
        int threads = 0;
        CUDA_CHECK(
            cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device_));
        trace.slots = resident_blocks(kernel, launch_, allowance_);
        trace.unit_warps = threads / kWarpThreads;
        trace.kernel_ms = log_.finished().kernel_ms;
        trace_ = std::move(trace);
    }

    void open_waiting_room(const Band& band) {
        waiting_.open(launch_.loop, static_cast<std::size_t>(band.pixels()), job_.precision,
                      stream_.get());
    }

    /// The `rows` rows that are next.
    Band next_band(Sample* samples, const Launch& launch, int rows) const {
        const Part& part = parts_[part_];
        return {samples, part,    row_,        row_ + rows, launch.slots.data(),
                0,       0,       shortcuts(), nullptr,     {},
                {},      nullptr, nullptr,     nullptr};
    }

    /// Queues the copy of the parts' samples, and no other, to the host; those of strided parts
    /// travel with their rows and are put in place by scatter().
    void copy_to(Sample* host) {
        for (const Part& part : parts_) {
            const std::size_t offset = offset_of(part.x0, part.y0);
            Sample* to = host;
            if (strided(part)) {
                if (staging_.size() < own_.size()) staging_ = PinnedBuffer<Sample>{own_.size()};
                to = staging_.data();
            }
            CUDA_CHECK(
                cudaMemcpy2DAsync(to + offset, width() * sizeof(Sample), own_.data() + offset,
                                  width() * sizeof(Sample),
                                  static_cast<std::size_t>(part.x1 - part.x0) * sizeof(Sample),
                                  static_cast<std::size_t>(part.y1 - part.y0),
                                  cudaMemcpyDeviceToHost, stream_.get()));
        }
    }

    /// After the copy has ended.
    void scatter(Sample* host) const {
        for (const Part& part : parts_) {
            if (!strided(part)) continue;
            for (int y = part.y0; y < part.y1; y += part.step_y) {
                for (int x = part.x0; x < part.x1; x += part.step_x) {
                    host[offset_of(x, y)] = staging_.data()[offset_of(x, y)];
                }
            }
        }
    }

    static bool strided(const Part& part) { return part.step_x != 1 || part.step_y != 1; }

    std::size_t offset_of(int x, int y) const {
        return width() * static_cast<std::size_t>(y) + static_cast<std::size_t>(x);
    }

    /// The frame is computed: the rest of a sliced one.
    void end_frame(Target target) {
        if (target.memory == Memory::kHost) {
            const Event begin, end;
            begin.record(stream_);
            copy_to(target.samples);
            end.record(stream_);
            log_.add_copy(elapsed_ms(begin, end));
            scatter(target.samples);
        }
        log_.finish_frame();
    }

    /// Rows whose orbits are kept at once.
    int band_rows() const {
        const Part& part = parts_[part_];
        const auto columns = static_cast<std::size_t>(part.columns());
        const auto most = static_cast<int>(std::max<std::size_t>(kWaitingPixels / columns, 1));
        return std::min(part.rows() - row_, most);
    }

    /// Takes the band's pixels as many steps on as fit the budget, and waits. Returns whether the
    /// frame is done.
    bool launch_slice(Target target, double budget) {
        Launch launch = take_launch();
        Band band = next_band(device_samples(target), launch, band_rows());
        if (from_ == 0) open_waiting_room(band);
        band.from = from_;
        band.until = from_ + std::min(steps_within(band.pixels(), budget), job_.limit - from_);
        if (launch_.loop == CudaLoop::kCompact) {
            band.until = std::min(band.until, compact_until(from_, job_.limit));
            waiting_.turn(band);
        } else {
            band.waiting = waiting_.places();
        }
        launch.begin.record(stream_);
        run(band);
        launch.end.record(stream_);
        launch.copied.record(stream_);
        log_.add(std::move(launch));
        log_.wait(stream_);
        ms_per_step_ = log_.newest_ms() / (band.until - from_);
        from_ = band.until;
        // A launch in which no pixel took a step found them all done.
        if (from_ == job_.limit || log_.newest_executed() == 0) {
            end_band(band.last_row - band.first_row);
        }
        if (part_ < parts_.size()) return false;
        end_frame(target);
        return true;
    }

    /// By the slice before, at most four times as many as it took; the first at a guess.
    std::uint32_t steps_within(std::int64_t pixels, double budget) const {
        constexpr double kLeast = 64;
        const double guess = budget / guess_.worst_ms(job_, static_cast<double>(pixels), 1);
        const double steps =
            from_ == 0 ? guess
                       : std::min(budget / ms_per_step_, 4.0 * log_.newest_ms() / ms_per_step_);
        return static_cast<std::uint32_t>(std::clamp(steps, kLeast, 1e9));
    }

    void end_band(int rows) {
        row_ += rows;
        from_ = 0;
        if (row_ < parts_[part_].rows()) return;
        done_pixels_ += parts_[part_].pixels();
        ++part_;
        row_ = 0;
    }

    int device_, sm_count_;
    BackendInfo info_;
    LaunchGuess guess_;
    Stream stream_;
    LaunchLog log_;
    DeviceBuffer<Sample> own_;      // for host targets
    PinnedBuffer<Sample> staging_;  // for strided parts on their way to the host

    FrameJob job_;
    Method method_;
    EscapeLaunch launch_;
    SharedAllowance allowance_;
    std::vector<Part> parts_;
    std::int64_t pixels_ = 0;
    bool active_ = false, untouched_ = true;
    std::uint64_t frame_ = 0, first_costed_frame_ = 0;
    double ms_per_pixel_ = 0;

    // The rows of part_ before row_ are done, the band there is from_ steps on.
    std::size_t part_ = 0;
    int row_ = 0;
    std::uint32_t from_ = 0;
    std::int64_t done_pixels_ = 0;
    double ms_per_step_ = 0;
    WaitingRoom waiting_;

    Recording recording_ = Recording::kOff;
    bool recorded_ = false;  // the frame that was started last
    BlockLog blocks_;
    std::optional<Trace> trace_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device) {
    const CudaStatus status = cuda_status();
    return std::make_unique<CudaBackend>(pick_device(status, device));
}

KernelResources cuda_kernel_resources(const FrameJob& job, const Tuning& tuning, int device) {
    CUDA_CHECK(cudaSetDevice(device));
    const CudaKernel kernel = escape_kernel(job, escape_launch(job, tuning));
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel.function));
    return {kernel.name, attributes.numRegs, attributes.sharedSizeBytes, attributes.localSizeBytes,
            attributes.maxThreadsPerBlock};
}

std::vector<RegisterUse> cuda_register_uses(const FrameJob& job, const Tuning& tuning) {
    std::vector<RegisterUse> uses;
    Tuning asked = tuning;
    for (const RegisterUse use : kRegisterUses) {
        asked.what_if.registers = use;
        if (escape_launch(job, asked).what_if.registers == use) uses.push_back(use);
    }
    return uses;
}

int cuda_max_active_blocks(const FrameJob& job, const Tuning& tuning, int device) {
    check_block(tuning.block);
    CUDA_CHECK(cudaSetDevice(device));
    const EscapeLaunch launch = escape_launch(job, tuning);
    const CudaKernel kernel = escape_kernel(job, launch);
    check_what_if(kernel, launch, device);
    SharedAllowance allowance;
    return resident_blocks(kernel, launch, allowance);
}

}  // namespace warpscope
