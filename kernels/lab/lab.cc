// SPDX-License-Identifier: MIT
#include "kernels/lab/lab.h"

#include <algorithm>
#include <random>

#include "kernels/lab/cpu_run.h"
#include "kernels/lab/cuda_run.h"
#include "kernels/lab/ladder.h"
#include "kernels/lab/sources.h"

namespace warpscope {
namespace {

using lab::RungSpec;

std::span<const RungSpec> ladder_of(std::string_view demo) {
    return lab::ladder(static_cast<std::size_t>(lab::demo_of(demo)));
}

std::string why_not(const RungSpec& spec, const CudaStatus& cuda) {
    if (spec.backend != "cuda") return {};
    if (!cuda.problem.empty()) return cuda.problem;
    return spec.name == "cublas" ? lab::cublas_problem() : std::string{};
}

template <typename Range, typename Name>
std::string joined(const Range& range, Name name) {
    std::string list;
    for (const auto& item : range) {
        if (!list.empty()) list += ", ";
        list += name(item);
    }
    return list;
}

const RungSpec& find_rung(std::string_view demo, std::string_view name) {
    for (const RungSpec& spec : ladder_of(demo)) {
        if (spec.name == name) return spec;
    }
    throw LabError{std::string{demo} + " has no rung '" + std::string{name} + "'; accepted: " +
                   joined(ladder_of(demo), [](const RungSpec& spec) { return spec.name; })};
}

void require_block(const RungSpec& spec, const LabRequest& request) {
    const bool flat = spec.block != LabBlock::kRectangle;
    const long long x = request.block_x, y = flat ? 1 : request.block_y;
    if (x >= 1 && y >= 1 && x * y <= 1024) return;
    const std::string shape =
        flat ? std::to_string(x) : std::to_string(x) + " by " + std::to_string(y);
    throw LabError{"rung " + request.rung + " takes 1 to 1024 threads per block, got " + shape};
}

// The request with every 0 replaced by what it stands for.
LabRequest completed(LabRequest request, const RungSpec& spec) {
    const LabDemo& demo = find_lab_demo(request.demo);
    if (request.n == 0) request.n = demo.default_n;
    if (request.n > demo.max_n) {
        throw LabError{request.demo + " takes n from 1 to " + std::to_string(demo.max_n) +
                       ", got " + std::to_string(request.n)};
    }
    if (request.block_x == 0) request.block_x = spec.block_x;
    if (request.block_y == 0) request.block_y = spec.block_y;
    if (spec.block == LabBlock::kFixed) request.block_x = spec.block_x;
    if (spec.block != LabBlock::kRectangle) request.block_y = 1;
    if (spec.block != LabBlock::kNone) require_block(spec, request);
    constexpr int kMostThreads = 4096;
    if (request.cpu_threads < 0 || request.cpu_threads > kMostThreads) {
        throw LabError{"CPU threads must be 0 (all) to " + std::to_string(kMostThreads) + ", got " +
                       std::to_string(request.cpu_threads)};
    }
    if (request.cpu_threads == 0) request.cpu_threads = cpu_thread_count();
    if (request.seed == 0) {
        std::random_device fresh;
        request.seed = (std::uint64_t{fresh()} << 32 | fresh()) | 1;
    }
    return request;
}

lab::CpuRung cpu_rung(lab::Demo demo, const RungSpec& spec, const LabRequest& request) {
    const bool simd = spec.backend == "cpu-simd" || spec.backend == "cpu";
    const bool all = spec.backend == "cpu-threads" || spec.backend == "cpu";
    return {simd ? lab::simd_kernel(demo) : lab::scalar_kernel(demo), all ? request.cpu_threads : 1,
            simd ? lab::simd_name() : "scalar"};
}

}  // namespace

const LabDemo& find_lab_demo(std::string_view name) {
    for (const LabDemo& demo : lab_demos()) {
        if (demo.name == name) return demo;
    }
    throw LabError{"there is no compute demo '" + std::string{name} + "'; accepted: " +
                   joined(lab_demos(), [](const LabDemo& demo) { return demo.name; })};
}

std::vector<LabRung> lab_rungs(std::string_view demo) {
    const CudaStatus cuda = cuda_status();
    std::vector<LabRung> rungs;
    for (const RungSpec& spec : ladder_of(demo)) {
        LabRung rung;
        rung.name = spec.name;
        rung.backend = spec.backend;
        rung.title = spec.title;
        rung.idea = spec.idea;
        rung.unavailable = why_not(spec, cuda);
        rung.block = spec.block;
        rung.default_block_x = spec.block_x;
        rung.default_block_y = spec.block_y;
        rung.source_file = spec.source_file;
        rung.source = lab::rung_source(spec.source_file, spec.marker);
        rungs.push_back(std::move(rung));
    }
    return rungs;
}

std::vector<std::string> select_lab_rungs(std::string_view demo, std::string_view filter) {
    const std::vector<LabRung> rungs = lab_rungs(demo);
    const auto works = [](const LabRung& rung) { return rung.unavailable.empty(); };
    std::string_view wanted = filter.empty() ? "all" : filter;
    if (wanted == "auto") {
        const bool cuda = std::ranges::any_of(
            rungs, [&](const LabRung& rung) { return rung.backend == "cuda" && works(rung); });
        wanted = cuda ? "cuda" : "cpu";
    }
    std::vector<std::string> names;
    std::string reason;
    for (const LabRung& rung : rungs) {
        if (wanted != "all" && wanted != rung.backend && wanted != rung.name) continue;
        if (works(rung)) names.push_back(rung.name);
        if (!works(rung)) reason = rung.name + " cannot run here: " + rung.unavailable;
    }
    if (!names.empty()) return names;
    if (!reason.empty()) throw LabError{reason};
    throw LabError{std::string{demo} + " has no backend or rung '" + std::string{filter} +
                   "'; accepted: all, auto, cuda, " +
                   joined(rungs, [](const LabRung& rung) { return rung.name; })};
}

LabResult run_rung(const LabRequest& request, std::stop_token stop, const LabProgress& progress) {
    const lab::Demo demo = lab::demo_of(request.demo);
    const RungSpec& spec = find_rung(request.demo, request.rung);
    const LabRequest complete = completed(request, spec);
    LabResult result = spec.backend == "cuda" ? lab::run_cuda(demo, complete, stop, progress)
                                              : lab::run_cpu(demo, cpu_rung(demo, spec, complete),
                                                             complete, stop, progress);
    result.demo = request.demo;
    result.rung = request.rung;
    result.backend = spec.backend;
    return result;
}

}  // namespace warpscope
