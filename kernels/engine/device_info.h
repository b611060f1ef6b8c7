// SPDX-License-Identifier: MIT
// What is known of the machine's processors. Linked against CUDA or its stand-in (no_cuda.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpscope {

/// One CUDA device, as the runtime describes it.
struct CudaDevice {
    int index = 0;
    std::string name;
    int cc_major = 0, cc_minor = 0;  ///< compute capability
    int sm_count = 0;
    std::size_t memory_bytes = 0, l2_bytes = 0;
    int clock_khz = 0;  ///< boost clock of the SMs
    int memory_clock_khz = 0;
    int memory_bus_bits = 0;
    bool kernel_timeout = false;  ///< a watchdog ends long kernels
    std::string pci_bus_id;       ///< "0000:65:00.0"
};

/// Whether CUDA can be used, and with what.
struct CudaStatus {
    bool built = false;   ///< this program was built with CUDA
    int toolkit = 0;      ///< CUDART_VERSION at build, e.g. 13000; 0 without
    int driver = 0;       ///< newest CUDA the driver supports, e.g. 13000; 0 without
    std::string problem;  ///< empty when at least one device works
    std::vector<CudaDevice> devices;
};

/// Asks the CUDA runtime; never throws and leaves no sticky error behind.
CudaStatus cuda_status();

/// What a kernel of this program needs per block; from cudaFuncGetAttributes.
struct KernelResources {
    std::string name;
    int registers = 0;              ///< 32-bit registers per thread
    std::size_t static_shared = 0;  ///< bytes per block
    std::size_t local_bytes = 0;    ///< bytes of local memory (spills, stack) per thread
    int max_threads_per_block = 0;
};

/// "AMD EPYC 9xx4" or "unknown processor".
std::string cpu_name();

/// Logical processors that this process may use, at least 1.
int cpu_thread_count();

}  // namespace warpscope
