// SPDX-License-Identifier: MIT
#include "app/machine_report.h"

#include "app/format.h"

namespace warpscope {
namespace {

std::string line(const std::string& name, const std::string& value) {
    constexpr std::size_t kColumn = 14;
    return name + std::string(kColumn > name.size() ? kColumn - name.size() : 1, ' ') + value +
           "\n";
}

std::string device_text(const CudaDevice& device) {
    return device.name + ", compute capability " + std::to_string(device.cc_major) + "." +
           std::to_string(device.cc_minor) + ", " + std::to_string(device.sm_count) + " SMs, " +
           format_bytes(static_cast<double>(device.memory_bytes)) + ", L2 " +
           format_bytes(static_cast<double>(device.l2_bytes)) + ", PCI " + device.pci_bus_id +
           (device.kernel_timeout ? ", watchdog on" : ", no watchdog");
}

std::string path_text(const PathFigures& figures) {
    return "kernel " + format_ms(figures.kernel) + ", hand-over " + format_ms(figures.handover) +
           ", draw " + format_ms(figures.draw) + ", frame " + format_ms(figures.total) + " (" +
           std::to_string(figures.job.width) + "x" + std::to_string(figures.job.height) +
           ", median of " + std::to_string(figures.frames) + ")";
}

}  // namespace

std::string cuda_version(int number) {
    if (number <= 0) return "none";
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

double model_bandwidth(const CudaDevice& device) {
    constexpr double kTransfersPerClock = 2, kBitsPerByte = 8;
    return kTransfersPerClock * device.memory_clock_khz * 1e3 * device.memory_bus_bits /
           kBitsPerByte;
}

std::string command_in(const std::string& remedy) {
    const std::size_t begin = remedy.find("__NV_PRIME_RENDER_OFFLOAD");
    if (begin == std::string::npos) return {};
    return remedy.substr(begin, remedy.find(';', begin) - begin);
}

std::string machine_report(const MachineFacts& facts) {
    std::string text = line("Warpscope", facts.version);
    text += line("Computes now", facts.running.empty() ? "nothing yet" : facts.running);
    text += line("CPU", facts.cpu + ", " + facts.isa + ", " + std::to_string(facts.threads) +
                            (facts.threads == 1 ? " thread" : " threads"));
    for (const CudaDevice& device : facts.cuda.devices) {
        text += line("GPU " + std::to_string(device.index), device_text(device));
    }
    text += line("CUDA", facts.cuda.problem.empty() ? "works" : facts.cuda.problem);
    text += line("Toolkit", cuda_version(facts.cuda.toolkit));
    text += line("Driver", "up to CUDA " + cuda_version(facts.cuda.driver));
    text += line("OpenGL", facts.gl.renderer + ", " + facts.gl.vendor + ", " + facts.gl.version);
    text += line("Interop", (facts.interop.active ? "on: " : "off: ") + facts.interop.reason);
    if (!facts.interop.remedy.empty()) text += line("Remedy", facts.interop.remedy);
    if (facts.shared) text += line("Shared", path_text(*facts.shared));
    if (facts.copied) text += line("Host copy", path_text(*facts.copied));
    if (facts.gain) {
        text += line("Sharing", format_ratio(facts.gain->ratio) + " as fast, " +
                                    format_ms(facts.gain->saved_ms) + " less per frame");
    }
    for (const BackendChoice& choice : facts.backends) {
        text += line(choice.name, choice.unavailable.empty() ? "works" : choice.unavailable);
    }
    return text;
}

}  // namespace warpscope
