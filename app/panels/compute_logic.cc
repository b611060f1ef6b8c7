// SPDX-License-Identifier: MIT
#include "app/panels/compute_logic.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/format.h"
#include "kernels/lab/element_map.h"

namespace warpscope {
namespace {

constexpr int kMostThreads = 1024;  // per block, on every GPU so far

std::uint64_t divide_up(std::uint64_t n, int by) noexcept {
    const auto d = static_cast<std::uint64_t>(by);
    return (n + d - 1) / d;
}

bool is_cpu(const LabResult& result) { return result.backend.starts_with("cpu"); }

/// Verified results of `demo`.
std::vector<const LabResult*> measured(std::span<const LabOutcome> outcomes,
                                       std::string_view demo) {
    std::vector<const LabResult*> results;
    for (const LabOutcome& outcome : outcomes) {
        if (outcome.request.demo != demo || !outcome.result || !outcome.result->figures) continue;
        results.push_back(&*outcome.result);
    }
    return results;
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::string digits;
    double factor = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ',' || c == '_' || c == ' ' || c == '\'') continue;
        // The prefix ends the number; anything after it is a typing error.
        const bool last = text.find_last_not_of(' ') == i;
        if (last && (c == 'k' || c == 'K')) factor = 1e3;
        if (last && (c == 'm' || c == 'M')) factor = 1e6;
        if (last && (c == 'g' || c == 'G')) factor = 1e9;
        if (factor != 1) break;
        digits += c;
    }
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (digits.empty() || error != std::errc{} || rest != end) return std::nullopt;
    value *= factor;
    if (!(value >= 0) || value > 1e15 || value != std::floor(value)) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

double lab_bytes(const LabDemo& demo, std::size_t n) noexcept {
    const auto size = static_cast<double>(n);
    return 3.0 * sizeof(float) * (demo.rate == LabRate::kCompute ? size * size : size);
}

GridCover cover(const LabDemo& demo, std::size_t n, int block_x, int block_y) noexcept {
    const bool square = demo.rate == LabRate::kCompute;
    GridCover grid;
    grid.block_x = block_x;
    grid.block_y = square ? block_y : 1;
    grid.blocks_x = divide_up(n, grid.block_x);
    grid.blocks_y = square ? divide_up(n, grid.block_y) : 1;
    const auto threads = static_cast<std::uint64_t>(grid.block_x * grid.block_y);
    grid.threads = grid.blocks() * threads;
    grid.idle = grid.threads - (square ? std::uint64_t{n} * n : n);
    const auto last = [n](int block) {
        const auto size = static_cast<std::size_t>(block);
        return static_cast<int>(n % size == 0 ? size : n % size);
    };
    const int last_x = last(grid.block_x), last_y = square ? last(grid.block_y) : 1;
    grid.last_block_works = last_x * last_y;
    const std::uint64_t cut_columns = last_x < grid.block_x ? 1 : 0;
    const std::uint64_t cut_rows = last_y < grid.block_y ? 1 : 0;
    grid.partial_blocks = cut_columns * grid.blocks_y + cut_rows * grid.blocks_x;
    if (cut_columns == 1 && cut_rows == 1) --grid.partial_blocks;  // the corner is in both
    return grid;
}

void clamp_block(const LabRung& rung, RungChoice& choice) noexcept {
    if (choice.block_x <= 0) choice.block_x = rung.default_block_x;
    if (choice.block_y <= 0) choice.block_y = rung.default_block_y;
    choice.block_x = std::clamp(choice.block_x, 1, kMostThreads);
    choice.block_y = std::clamp(choice.block_y, 1, kMostThreads);
    switch (rung.block) {
        case LabBlock::kNone:
            return;
        case LabBlock::kLinear:
            choice.block_y = 1;
            return;
        case LabBlock::kRectangle:
            choice.block_y = std::min(choice.block_y, kMostThreads / choice.block_x);
            return;
        case LabBlock::kSquare:
            choice.block_x = choice.block_x >= 32 ? 32 : choice.block_x >= 16 ? 16 : 8;
            choice.block_y = choice.block_x;
            return;
        case LabBlock::kFixed:
            choice.block_x = rung.default_block_x;
            choice.block_y = rung.default_block_y;
            return;
    }
}

std::vector<LabRequest> requests_of(const LabDemo& demo, const DemoChoice& choice,
                                    const LabCircumstances& where) {
    // Enough for a median with quartiles, and a ladder that ends while one watches.
    constexpr SamplingPlan kPlan{.min_samples = 10, .min_seconds = 0.3, .max_seconds = 5};
    constexpr std::size_t kMostCpuSamples = 25;
    std::vector<LabRequest> requests;
    for (const LabRung& rung : choice.rungs) {
        const auto found = choice.choices.find(rung.name);
        RungChoice wanted = found == choice.choices.end() ? RungChoice{} : found->second;
        if (!wanted.wanted || !rung.unavailable.empty()) continue;
        clamp_block(rung, wanted);
        LabRequest request;
        request.demo = demo.name;
        request.rung = rung.name;
        request.n = choice.n;
        request.block_x = wanted.block_x;
        request.block_y = wanted.block_y;
        request.device = where.device;
        request.cpu_threads = where.cpu_threads;
        request.cache = where.cache;
        request.plan = kPlan;
        // Emptying a processor's caches before a sample takes far longer than a short kernel.
        if (rung.backend != "cuda") request.plan.max_samples = kMostCpuSamples;
        requests.push_back(std::move(request));
    }
    return requests;
}

const LabResult* best_cpu(std::span<const LabOutcome> outcomes, std::string_view demo) {
    const LabResult* best = nullptr;
    for (const LabResult* result : measured(outcomes, demo)) {
        if (!is_cpu(*result)) continue;
        if (!best || result->figures->kernel.median < best->figures->kernel.median) best = result;
    }
    return best;
}

const LabResult* fastest(std::span<const LabOutcome> outcomes, std::string_view demo) {
    const LabResult* best = nullptr;
    for (const LabResult* result : measured(outcomes, demo)) {
        if (!best || result->figures->per_second > best->figures->per_second) best = result;
    }
    return best;
}

std::vector<RungRow> rows_of(const LabDemo& demo, const DemoChoice& choice, const LabRun& run) {
    const std::string name{demo.name};
    const std::string current = run.running() ? run.current() : std::string{};
    std::vector<RungRow> rows;
    for (const LabRung& rung : choice.rungs) {
        RungRow row{&rung, RungPhase::kIdle, nullptr, nullptr, {}};
        for (const LabOutcome& outcome : run.outcomes()) {
            if (outcome.request.demo != name || outcome.request.rung != rung.name) continue;
            row.phase = RungPhase::kFailed;
            row.problem = outcome.problem;
            if (!outcome.result) continue;
            row.result = &*outcome.result;
            row.phase = RungPhase::kWrong;
            row.problem = row.result->verification.failure;
            if (!row.result->figures) continue;
            row.figures = &*row.result->figures;
            row.phase = RungPhase::kMeasured;
        }
        if (row.phase == RungPhase::kIdle && run.asked_for(name, rung.name)) {
            row.phase = current == rung.name ? RungPhase::kRunning : RungPhase::kWaiting;
        }
        if (row.phase == RungPhase::kIdle && !rung.unavailable.empty()) {
            row.phase = RungPhase::kUnavailable;
            row.problem = rung.unavailable;
        }
        rows.push_back(row);
    }
    return rows;
}

double with_copies_ms(const LabFigures& figures) noexcept {
    return figures.stages.copy_in + figures.kernel.median + figures.stages.copy_out;
}

LabRatio ratio_to(const LabFigures& cpu, const LabFigures& rung) noexcept {
    const auto over = [](double a, double b) { return b > 0 ? a / b : 0; };
    LabRatio ratio;
    ratio.kernel = over(cpu.kernel.median, rung.kernel.median);
    ratio.with_copies = over(with_copies_ms(cpu), with_copies_ms(rung));
    ratio.end_to_end = over(cpu.end_to_end_ms, rung.end_to_end_ms);
    const double saved = cpu.kernel.median - rung.kernel.median;
    const double extra =
        (rung.end_to_end_ms - rung.kernel.median) - (cpu.end_to_end_ms - cpu.kernel.median);
    if (saved > 0) ratio.break_even = std::max(1.0, std::ceil(extra / saved));
    return ratio;
}

std::string rate_text(const LabFigures& figures) {
    return format_si(figures.per_second, figures.rate == LabRate::kBandwidth ? "B/s" : "FLOP/s");
}

std::string spread_text(const Distribution& kernel) {
    if (kernel.count < 2 || !(kernel.median > 0)) return "± —";  // one sample has no spread
    return "±" + format_percent(kernel.iqr() / kernel.median);
}

std::string share_text(double of_peak) {
    constexpr double kNoise = 1.02;
    return of_peak > kNoise ? "> 100 %" : format_percent(of_peak);
}

ExampleText example_text(ExampleStep step, int block_threads) {
    const std::vector<ThreadElement> map =
        element_map(static_cast<int>(kExampleA.size()), block_threads);
    const int launched = static_cast<int>(map.size());
    const int blocks = map.back().block + 1;
    const auto idle = static_cast<int>(
        std::ranges::count_if(map, [](const ThreadElement& thread) { return !thread.works; }));
    const std::string launch =
        "add<<<" + std::to_string(blocks) + ", " + std::to_string(block_threads) + ">>>";
    switch (step) {
        case ExampleStep::kLaunch:
            return {"1  Launch", launch + " starts " + std::to_string(blocks) +
                                     (blocks == 1 ? " block" : " blocks") + " of " +
                                     std::to_string(block_threads) + ": " +
                                     std::to_string(launched) +
                                     " threads for 6 elements, all at once."};
        case ExampleStep::kIndex:
            return {"2  Find the element",
                    "Every thread runs the same code and differs in its place only:\n"
                    "i = blockIdx.x · blockDim.x + threadIdx.x"};
        case ExampleStep::kGuard:
            return {"3  Guard",
                    idle == 0 ? "6 is a multiple of " + std::to_string(block_threads) +
                                    ": no thread is past the end, and if (i < n) stops none."
                              : "if (i < n) stops " + std::to_string(idle) +
                                    (idle == 1 ? " thread" : " threads") +
                                    " past the end; without it they would touch memory that is "
                                    "not theirs."};
        case ExampleStep::kLoad:
            return {"4  Load",
                    "Neighbouring threads read neighbouring elements: a warp's loads "
                    "become few wide ones."};
        case ExampleStep::kStore:
            return {"5  Add and store",
                    "Each thread writes one sum. One step for all six; a "
                    "scalar loop takes six, one after another."};
    }
    return {};
}

}  // namespace warpscope
