// SPDX-License-Identifier: MIT
#include "kernels/engine/roof_meter.h"

#include <algorithm>

#include "kernels/engine/device_info.h"

namespace warpscope {
namespace {

constexpr double kFmaMs = 20;  // of one run
constexpr std::size_t kRuns = 5;

std::string mib(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

std::string gpu_name(int device) {
    for (const CudaDevice& one : cuda_status().devices) {
        if (one.index == device) return one.name;
    }
    throw BackendError{"there is no CUDA device " + std::to_string(device)};
}

}  // namespace

Traffic MachineRoofs::best_traffic() const noexcept {
    const auto best = std::ranges::max_element(bytes_per_second);
    return kTraffics[static_cast<std::size_t>(best - bytes_per_second.begin())];
}

Roofs MachineRoofs::roofs(Precision type) const noexcept {
    const double fma = made_of(type) == Precision::kDouble ? double_fma : float_fma;
    return {2 * fma, bytes_per_second[static_cast<std::size_t>(best_traffic())]};
}

RoofMeter::RoofMeter(const RoofSubject& subject) {
    if (subject.cuda_device >= 0) {
        found_.device = gpu_name(subject.cuda_device);
        fma_ = make_cuda_fma_meter(subject.cuda_device);
        bandwidth_ = make_cuda_bandwidth_meter(subject.cuda_device);
    } else {
        found_.device = cpu_name();
        found_.cpu_threads = subject.cpu_threads > 0 ? subject.cpu_threads : cpu_thread_count();
        fma_ = make_cpu_fma_meter(found_.cpu_threads);
        bandwidth_ = make_cpu_bandwidth_meter(found_.cpu_threads);
    }
    found_.array_bytes = bandwidth_->array_bytes();
    found_.cache_bytes = bandwidth_->cache_bytes();
}

void RoofMeter::measure(const std::stop_token& stop, const std::function<void(double)>& progress) {
    constexpr double kSteps = kRuns;
    for (std::size_t run = 0; run < kRuns && !stop.stop_requested(); ++run) {
        const auto raise = [](double& best, double rate) { best = std::max(best, rate); };
        raise(found_.float_fma, fma_->per_second(Precision::kFloat, kFmaMs));
        raise(found_.double_fma, fma_->per_second(Precision::kDouble, kFmaMs));
        for (const Traffic traffic : kTraffics) {
            if (stop.stop_requested()) return;
            const double bytes = static_cast<double>(found_.array_bytes) * traffic_arrays(traffic);
            raise(found_.bytes_per_second[static_cast<std::size_t>(traffic)],
                  bytes / (bandwidth_->run_ms(traffic) * 1e-3));
        }
        ++found_.runs;
        if (progress) progress(static_cast<double>(run + 1) / kSteps);
    }
}

std::string roofs_method(const MachineRoofs& roofs) {
    const std::string who = roofs.cpu_threads > 0
                                ? std::to_string(roofs.cpu_threads) + " threads at once"
                                : std::string{"all multiprocessors"};
    std::string text =
        "Compute roof: independent fused multiply-adds in registers on " + who +
        ", two operations each. Memory roof: the fastest of reading, writing, copying and adding "
        "arrays of " +
        mib(roofs.array_bytes) + " (here: " + std::string{traffic_name(roofs.best_traffic())} +
        "). The best of " + std::to_string(roofs.runs) + " runs each.";
    if (roofs.fits_cache()) {
        text += " The last-level cache (" + mib(roofs.cache_bytes) +
                ") may have held part of them: the memory roof can be too high.";
    }
    return text;
}

}  // namespace warpscope
