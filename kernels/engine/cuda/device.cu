// SPDX-License-Identifier: MIT
// Asks the CUDA runtime what is there. Nothing here throws: no GPU is an ordinary case.
#include <cuda_runtime_api.h>

#include <array>

#include "kernels/engine/device_info.h"

namespace warpscope {
namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) cudaGetLastError();
    return value;
}

CudaDevice describe(int index, const cudaDeviceProp& properties) {
    CudaDevice device;
    device.index = index;
    device.name = properties.name;
    device.cc_major = properties.major;
    device.cc_minor = properties.minor;
    device.sm_count = properties.multiProcessorCount;
    device.memory_bytes = properties.totalGlobalMem;
    device.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    device.memory_bus_bits = properties.memoryBusWidth;
    // Not in the properties of every toolkit: asked as attributes.
    device.clock_khz = attribute(cudaDevAttrClockRate, index);
    device.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, index);
    device.kernel_timeout = attribute(cudaDevAttrKernelExecTimeout, index) != 0;
    std::array<char, 32> bus{};
    if (cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), index) == cudaSuccess) {
        device.pci_bus_id = bus.data();
    }
    return device;
}

std::string explain(cudaError_t error, int driver) {
    if (driver == 0) {
        return "no NVIDIA driver is running on this machine; install one to use a GPU";
    }
    if (error == cudaErrorInsufficientDriver) {
        return "the NVIDIA driver (CUDA " + std::to_string(driver / 1000) + "." +
               std::to_string(driver % 1000 / 10) + ") is older than this program's CUDA " +
               std::to_string(CUDART_VERSION / 1000) + "." +
               std::to_string(CUDART_VERSION % 1000 / 10) + "; update the driver";
    }
    return std::string{"CUDA reports: "} + cudaGetErrorString(error) + " (" +
           cudaGetErrorName(error) + ")";
}

}  // namespace

CudaStatus cuda_status() {
    CudaStatus status;
    status.built = true;
    status.toolkit = CUDART_VERSION;
    cudaDriverGetVersion(&status.driver);
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    for (int i = 0; error == cudaSuccess && i < count; ++i) {
        cudaDeviceProp properties{};
        error = cudaGetDeviceProperties(&properties, i);
        if (error == cudaSuccess) status.devices.push_back(describe(i, properties));
    }
    if (error != cudaSuccess) {
        status.problem = explain(error, status.driver);
    } else if (status.devices.empty()) {
        status.problem = "no CUDA device is visible (CUDA_VISIBLE_DEVICES may hide it)";
    }
    cudaGetLastError();  // leave no sticky error behind
    return status;
}

}  // namespace warpscope
