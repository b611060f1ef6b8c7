// SPDX-License-Identifier: MIT
// From what a machine says of itself to the verdict on interop: plain values, so that every cause
// can be tested without the machine that has it.
#pragma once

#include <string>
#include <vector>

#include "kernels/engine/device_info.h"
#include "render/interop.h"

namespace warpscope {

/// What is known when the verdict is given. Each later field is asked for only if those before it
/// leave hope.
struct InteropFacts {
    GlIdentity gl;
    bool wsl = false;  ///< Windows Subsystem for Linux, where GPUs draw but do not share
    CudaStatus cuda;
    int wanted_device = 0;
    std::vector<int> gl_devices;  ///< CUDA devices that this OpenGL context draws with
    std::string gl_problem;       ///< what CUDA said when asked for them
    std::string trial_problem;    ///< what failed when a buffer was shared; empty where it worked
};

/// The verdict that follows from `facts`.
InteropVerdict judge(const InteropFacts& facts, InteropChoice choice);

/// Whether OpenGL runs on the CPU, by its renderer's name.
bool is_software_renderer(const GlIdentity& gl);

/// Fills `gl_devices` and `gl_problem`. Implemented by interop.cu and no_interop.cc.
void ask_gl_devices(InteropFacts& facts);

/// Shares a small buffer with `device` and compares what OpenGL reads with what CUDA wrote; returns
/// the problem, empty where there is none. Implemented by interop.cu and no_interop.cc.
std::string try_sharing(int device);

}  // namespace warpscope
