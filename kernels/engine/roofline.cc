// SPDX-License-Identifier: MIT
#include "kernels/engine/roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "kernels/math/operations.h"

namespace warpscope {
namespace {

// A kernel is said to be at the roof from here on, and held back by something else below.
constexpr double kNearRoof = 0.6;
// Measurements scatter: only what is above by more is above the roof.
constexpr double kAboveRoof = 1.05;

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), value >= 1000 ? "%.0f" : "%.3g", value);
    return text.data();
}

std::string percent(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

std::string limit_text(const Roofs& roofs, const KernelWork& work, Roof roof) {
    const std::string intensity = number(work.intensity()), ridge = number(roofs.ridge());
    if (roof == Roof::kMemory) {
        return "Memory is the limit: " + intensity +
               " operations come with each byte, and below the ridge at " + ridge +
               " the units wait for data.";
    }
    return "Arithmetic is the limit: " + intensity +
           " operations come with each byte, and above the ridge at " + ridge +
           " memory keeps up with the units.";
}

/// What stands between the kernel and its roof.
std::string gap_text(const KernelWork& work, const RoofVerdict& verdict) {
    if (verdict.fraction > kAboveRoof) {
        return verdict.roof == Roof::kMemory
                   ? " More than memory can give: part of the data came from a cache."
                   : " More than the measured peak: the processor was slower while that was "
                     "measured, or does additions in units of their own.";
    }
    const bool mixed = verdict.roof == Roof::kCompute && work.mix() < 0.995;
    const double within = mixed ? verdict.fraction / work.mix() : verdict.fraction;
    std::string text;
    if (mixed) {
        text = " Its operations are not all multiply-adds: that mix allows " + percent(work.mix()) +
               " at most.";
    }
    if (within >= kNearRoof) return text;
    return text +
           " What is missing goes into waiting and bookkeeping: idle lanes or threads, latency, "
           "tests, the start and end of a short kernel.";
}

}  // namespace

KernelWork escape_work(const Method& method, const FrameStats& stats) {
    Operations step = step_operations(stats.job.formula, stats.job.precision);
    if (method.test == Test::kEveryStep) {
        step.flops += kEscapeTest.flops;
        step.instructions += kEscapeTest.instructions;
    }
    const auto executed = static_cast<double>(stats.executed);
    return {executed * step.flops, static_cast<double>(stats.pixels) * sizeof(Sample),
            stats.kernel_ms, executed * step.instructions};
}

double attainable(const Roofs& roofs, double intensity) noexcept {
    return std::min(roofs.flops_per_second, roofs.bytes_per_second * intensity);
}

RoofVerdict judge(const Roofs& roofs, const KernelWork& work) noexcept {
    RoofVerdict verdict;
    verdict.roof = work.intensity() < roofs.ridge() ? Roof::kMemory : Roof::kCompute;
    verdict.attainable = attainable(roofs, work.intensity());
    verdict.fraction = work.flops_per_second() / verdict.attainable;
    return verdict;
}

std::string roof_sentence(const Roofs& roofs, const KernelWork& work) {
    const RoofVerdict verdict = judge(roofs, work);
    const char* roof = verdict.roof == Roof::kMemory ? "memory roof" : "compute roof";
    return limit_text(roofs, work, verdict.roof) + " It reaches " + percent(verdict.fraction) +
           " of the " + roof + "." + gap_text(work, verdict);
}

std::vector<RoofPoint> roof_line(const Roofs& roofs, double from, double to, int count) {
    const double ridge = roofs.ridge();
    std::vector<RoofPoint> line;
    for (int i = 0; i < count; ++i) {
        const double intensity = from * std::pow(to / from, i / static_cast<double>(count - 1));
        const bool passed = !line.empty() && line.back().intensity < ridge && ridge < intensity;
        if (passed) line.push_back({ridge, roofs.flops_per_second});
        line.push_back({intensity, attainable(roofs, intensity)});
    }
    return line;
}

}  // namespace warpscope
