// SPDX-License-Identifier: MIT
// The verdict on interop. Causes and remedies come from public reports: WSL2 (microsoft/WSL #7589),
// llvmpipe (NVIDIA/cuda-python #1166), laptops that draw on the other GPU (opencv #22546), several
// GPUs (gvdb-voxels #105), remote displays (VirtualGL #209).
#include "render/interop.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "render/interop_facts.h"

namespace warpscope {
namespace {

constexpr const char* kRelaunch =
    "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia warpscope";

std::string device_title(const CudaStatus& cuda, int index) {
    for (const CudaDevice& device : cuda.devices) {
        if (device.index == index) return device.name + " (device " + std::to_string(index) + ")";
    }
    return "device " + std::to_string(index);
}

bool contains(const std::vector<int>& devices, int device) {
    return std::ranges::find(devices, device) != devices.end();
}

InteropVerdict inactive(std::string reason, std::string remedy = {}) {
    return {.active = false, .reason = std::move(reason), .remedy = std::move(remedy)};
}

/// No CUDA device draws: the usual causes, the most certain first.
InteropVerdict other_renderer(const InteropFacts& facts) {
    const std::string gpu = device_title(facts.cuda, facts.wanted_device);
    if (facts.wsl) {
        return inactive("WSL2 does not support sharing between CUDA and OpenGL (OpenGL runs on " +
                            facts.gl.renderer + ", CUDA on " + gpu + ")",
                        "run Warpscope on Linux itself to share memory; the host copy works here");
    }
    if (is_software_renderer(facts.gl)) {
        return inactive("OpenGL runs on " + facts.gl.renderer +
                            ", a software renderer whose memory CUDA cannot share, CUDA on " + gpu,
                        "install the OpenGL part of NVIDIA's driver (libnvidia-gl), unset "
                        "LIBGL_ALWAYS_SOFTWARE, or relaunch with " +
                            std::string{kRelaunch});
    }
    if (facts.gl.vendor.find("NVIDIA") == std::string::npos) {
        return inactive("OpenGL runs on " + facts.gl.renderer + ", CUDA on " + gpu,
                        "relaunch on the NVIDIA GPU: " + std::string{kRelaunch} +
                            "; on a desktop, plug the monitor into the NVIDIA card");
    }
    return inactive("OpenGL runs on " + facts.gl.renderer +
                        ", but CUDA cannot share with this context: " + facts.gl_problem,
                    "start from a local session of the machine (not through a remote display), and "
                    "check CUDA_VISIBLE_DEVICES");
}

}  // namespace

bool is_software_renderer(const GlIdentity& gl) {
    constexpr std::array<std::string_view, 4> kNames{"llvmpipe", "softpipe", "swrast", "SWR"};
    return std::ranges::any_of(kNames, [&gl](std::string_view name) {
        return gl.renderer.find(name) != std::string::npos;
    });
}

InteropVerdict judge(const InteropFacts& facts, InteropChoice choice) {
    const std::string renderer = "OpenGL runs on " + facts.gl.renderer;
    if (choice == InteropChoice::kOff) {
        return inactive("switched off by request; " + renderer, "start with --interop auto");
    }
    if (!facts.cuda.built) {
        return inactive("this program was built without CUDA; " + renderer,
                        "install the CUDA toolkit (12.0 or newer) and build again");
    }
    if (!facts.cuda.problem.empty()) {
        return inactive("CUDA does not work here: " + facts.cuda.problem + "; " + renderer,
                        "install a driver for this CUDA version; nvidia-smi should list the GPU");
    }
    if (facts.gl_devices.empty()) return other_renderer(facts);
    if (!contains(facts.gl_devices, facts.wanted_device)) {
        const int drawing = facts.gl_devices.front();
        return inactive("OpenGL draws with " + device_title(facts.cuda, drawing) +
                            ", CUDA computes on " + device_title(facts.cuda, facts.wanted_device),
                        "start with --device " + std::to_string(drawing));
    }
    if (!facts.trial_problem.empty()) {
        return inactive("sharing a buffer with " + facts.gl.renderer +
                            " was tried and failed: " + facts.trial_problem,
                        "restart the program; if it fails again, update the driver");
    }
    return {.active = true,
            .reason = "CUDA writes into OpenGL's buffers on " +
                      device_title(facts.cuda, facts.wanted_device),
            .remedy = {},
            .cuda_device = facts.wanted_device};
}

InteropVerdict probe_interop(InteropChoice choice, int wanted_device) {
    InteropFacts facts;
    facts.gl = gl_identity();
    facts.wanted_device = wanted_device;
    if (choice == InteropChoice::kOff) return judge(facts, choice);
    // WSL2's GPU is a device file that no other Linux has.
    facts.wsl = access("/dev/dxg", F_OK) == 0;
    facts.cuda = cuda_status();
    if (!facts.cuda.built || !facts.cuda.problem.empty()) return judge(facts, choice);
    ask_gl_devices(facts);
    if (contains(facts.gl_devices, wanted_device)) {
        facts.trial_problem = try_sharing(wanted_device);
    }
    return judge(facts, choice);
}

}  // namespace warpscope
