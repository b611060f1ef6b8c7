// SPDX-License-Identifier: MIT
// The roofline: a processor can do no more arithmetic than its units allow, and no more than its
// memory feeds. Which of the two roofs is above a kernel follows from how many operations it does
// on each byte. [Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009]
// Pure arithmetic; roof_meter.h measures the roofs.
#pragma once

#include <string>
#include <vector>

#include "kernels/engine/backend.h"

namespace warpscope {

/// The limits of a processor for one number type. Both above 0.
struct Roofs {
    double flops_per_second = 0;  ///< a fused multiply-add counts as two operations
    double bytes_per_second = 0;  ///< of main memory, of a GPU its own
    /// Operations per byte from which on the arithmetic units are the limit, not memory.
    double ridge() const noexcept { return flops_per_second / bytes_per_second; }
};

/// What a kernel did in a run.
struct KernelWork {
    double flops = 0;  ///< operations; a fused multiply-add counts as two
    double bytes = 0;  ///< that must cross memory at least once
    double ms = 0;     ///< of the kernel alone
    /// Instructions that the operations are done in. Half of them where all are multiply-adds, as
    /// the compute roof assumes.
    double instructions = 0;

    double intensity() const noexcept { return flops / bytes; }  ///< operations per byte
    double flops_per_second() const noexcept { return flops / (ms * 1e-3); }
    double bytes_per_second() const noexcept { return bytes / (ms * 1e-3); }
    /// Share of the compute roof that its mix of instructions allows, 1/2 to 1.
    double mix() const noexcept { return instructions > 0 ? flops / (2 * instructions) : 1; }
};

/// The work of a frame that was computed so: iterations executed times the operations of a step
/// (and of the test, where every step is tested), and one sample written per pixel. Tests once per
/// block, replayed blocks and what a launch keeps for the next are left out: they are not the
/// problem's. Nothing where nothing was executed.
KernelWork escape_work(const Method& method, const FrameStats& stats);

/// The roof above a kernel.
enum class Roof : std::uint8_t { kMemory, kCompute };

/// Operations per second that a kernel of this intensity can reach: the lower of the two roofs.
double attainable(const Roofs& roofs, double intensity) noexcept;

/// Where a kernel stands.
struct RoofVerdict {
    Roof roof = Roof::kCompute;
    double attainable = 0;  ///< operations per second under that roof
    double fraction = 0;    ///< reached of it; above 1 only where a cache stands in for memory
};

/// Needs work with flops, bytes and ms above 0.
RoofVerdict judge(const Roofs& roofs, const KernelWork& work) noexcept;

/// What limits the kernel and how close it comes, in one to three sentences.
std::string roof_sentence(const Roofs& roofs, const KernelWork& work);

/// A place on the roof.
struct RoofPoint {
    double intensity = 0, flops_per_second = 0;
};

/// The roof from one intensity to another, `count` >= 2 places evenly on a logarithmic scale and
/// the ridge where it lies between.
std::vector<RoofPoint> roof_line(const Roofs& roofs, double from, double to, int count);

}  // namespace warpscope
