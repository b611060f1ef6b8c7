// SPDX-License-Identifier: MIT
// The table of backends.
#include "kernels/engine/cpu/cpu_backend.h"
#include "kernels/engine/cuda/cuda_backend.h"

namespace warpscope {

std::vector<BackendChoice> backend_choices() {
    return {{"cpu-scalar", ""},
            {"cpu-simd", ""},
            {"cpu-threads", ""},
            {"cpu", ""},
            {"cuda", cuda_status().problem}};
}

std::unique_ptr<Backend> make_backend(std::string_view name, int device) {
    if (name == "cpu-scalar") return make_cpu_backend(CpuLoop::kScalar, CpuThreads::kOne);
    if (name == "cpu-simd") return make_cpu_backend(CpuLoop::kSimd, CpuThreads::kOne);
    if (name == "cpu-threads") return make_cpu_backend(CpuLoop::kScalar, CpuThreads::kAll);
    if (name == "cpu") return make_cpu_backend(CpuLoop::kSimd, CpuThreads::kAll);
    if (name == "cuda") return make_cuda_backend(device);
    if (name != "auto") {
        throw BackendError{"unknown backend '" + std::string{name} +
                           "'; accepted: auto, cuda, cpu, cpu-threads, cpu-simd, cpu-scalar"};
    }
    if (cuda_status().problem.empty()) {
        try {
            return make_cuda_backend(device);
        } catch (const BackendError&) {
            // auto promises a working backend, not a GPU; the Device panel tells why.
        }
    }
    return make_backend("cpu");
}

}  // namespace warpscope
