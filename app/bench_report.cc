// SPDX-License-Identifier: MIT
#include "app/bench_report.h"

#include <array>
#include <cstdio>
#include <iostream>

#include "app/format.h"
#include "app/json.h"
#include "app/text_table.h"

namespace warpscope {
namespace {

using nlohmann::json;

std::string plain(double value) {
    std::string text = format_si(value, "");
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

std::string block_text(BlockShape block) {
    return std::to_string(block.x) + "x" + std::to_string(block.y);
}

std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", seconds);
    return text.data();
}

json peak_json(const BenchPeak& peak) {
    return {{"backend", peak.backend},
            {"type", precision_name(peak.type)},
            {"fma_per_second", peak.fma_per_second},
            {"iterations_per_second", peak.iterations_per_second()},
            {"runs", peak.runs}};
}

json view_json(const BenchPlan& plan, const BenchView& view) {
    return {{"key", view.key},     {"title", view.title},  {"re", view.re},
            {"im", view.im},       {"zoom", view.zoom},    {"max_iter", view.limit},
            {"width", plan.width}, {"height", plan.height}};
}

json row_json(const BenchRow& row) {
    json out = {{"view", row.view},
                {"type", precision_name(row.type)},
                {"kernel", row.rung},
                {"backend", row.backend},
                {"block", block_text(row.block)},
                {"throttled_samples", row.throttled}};
    if (!row.problem.empty()) out["problem"] = row.problem;
    if (row.kernel.count == 0) return out;
    out["kernel_ms"] = to_json(row.kernel);
    out["stopped_by"] = stop_reason_name(row.stop);
    out["iterations"] = row.iterations;
    out["executed"] = row.executed;
    out["lane_steps"] = row.lane_steps;
    out["effective_per_second"] = row.effective_per_second();
    out["executed_per_second"] = row.executed_per_second();
    out["of_limit"] = row.of_limit;
    out["lane_efficiency"] = row.lane_efficiency();
    out["counts_hash"] = row.counts_hash;
    return out;
}

json plan_json(const BenchPlan& plan) {
    return {{"warm_up", plan.sampling.warm_up},
            {"min_samples", plan.sampling.min_samples},
            {"min_seconds", plan.sampling.min_seconds},
            {"max_seconds", plan.sampling.max_seconds},
            {"skipped_above_seconds", plan.slowest_s},
            {"throttled_below", kThrottledBelow},
            {"throttled", plan.throttled == Throttled::kDrop ? "dropped" : "kept"},
            {"scalar_everywhere", plan.scalar_everywhere},
            {"method", bench_method(plan)}};
}

std::vector<std::string> cells(const BenchPlan& plan, const BenchRow& row) {
    if (row.kernel.count == 0) return {row_name(plan, row), row.backend, row.problem};
    std::string count = std::to_string(row.kernel.count);
    if (row.throttled > 0) count += " (" + std::to_string(row.throttled) + " throttled)";
    return {row_name(plan, row),
            row.backend,
            spread(row.kernel),
            count,
            plain(row.executed_per_second()),
            plain(row.effective_per_second()),
            row.executed > 0 ? format_percent(row.of_limit) : "—",
            row.lane_steps > 0 ? format_percent(row.lane_efficiency()) : "—"};
}

void print_view(const BenchResult& result, const BenchView& view, Precision type) {
    std::vector<std::vector<std::string>> rows{{"kernel", "backend", "median ±IQR", "N",
                                                "executed/s", "effective/s", "of limit", "lanes"}};
    for (const BenchRow& row : result.rows) {
        if (row.view == view.key && row.type == type) rows.push_back(cells(result.plan, row));
    }
    if (rows.size() == 1) return;
    std::cout << '\n'
              << view.key << ", " << precision_name(type) << ": " << view.title << ", limit "
              << format_count(view.limit) << '\n';
    print_table(rows);
}

}  // namespace

std::string row_name(const BenchPlan& plan, const BenchRow& row) {
    return row.block == plan.blocks.front() ? row.rung : row.rung + " " + block_text(row.block);
}

std::string bench_method(const BenchPlan& plan) {
    const SamplingPlan& sampling = plan.sampling;
    const char* treated = plan.throttled == Throttled::kDrop ? "dropped" : "kept";
    return "Each figure is the median of at least " + std::to_string(sampling.min_samples) +
           " frames and " + seconds_text(sampling.min_seconds) +
           " s after a warm-up; the kernel alone, CUDA events on the GPU, first to last tile on "
           "the CPU. A loop of independent multiply-adds runs before and after every frame on the "
           "same processor. Where it is below " +
           format_percent(kThrottledBelow) +
           " of its peak the clock was lowered or others took the processor; the latter too where "
           "a CPU's threads had it for less than " +
           format_percent(kLeastShare) + " of a frame, or less than " +
           format_percent(kShareOfBest) + " of what they had in the best frame. Such a sample is " +
           treated +
           " and counted. The limit is that peak, the best of this run, divided by the four "
           "dependent instructions of a step; df64 is held against the limit of float. Processors "
           "that add in units of their own can exceed it, for one of the four is an addition. "
           "Executed counts the steps that were done, effective those that the counts stand for, "
           "lanes the share of lane steps that were not spent waiting. Figures are withheld where "
           "counts differ within a view and type.";
}

json to_json(const BenchResult& result, const CudaStatus& cuda, const std::string& commit) {
    json out = {{"commit", commit.empty() ? json(nullptr) : json(commit)},
                {"cpu", {{"name", cpu_name()}, {"threads", cpu_thread_count()}}},
                {"cuda", to_json(cuda)},
                {"sampling", plan_json(result.plan)},
                {"backends", json::array()},
                {"peaks", json::array()},
                {"views", json::array()},
                {"rows", json::array()}};
    for (const BackendInfo& backend : result.backends) {
        out["backends"].push_back(
            {{"name", backend.name}, {"device", backend.device}, {"detail", backend.detail}});
    }
    for (const BenchPeak& peak : result.peaks) out["peaks"].push_back(peak_json(peak));
    for (const BenchView& view : result.plan.views) {
        out["views"].push_back(view_json(result.plan, view));
    }
    for (const BenchRow& row : result.rows) out["rows"].push_back(row_json(row));
    return out;
}

void print_bench(const BenchResult& result) {
    for (const BackendInfo& backend : result.backends) {
        std::cout << backend.name << ": " << backend.device << " (" << backend.detail << ")\n";
    }
    std::vector<std::vector<std::string>> limits{{"limit of", "type", "FMA/s", "iterations/s"}};
    for (const BenchPeak& peak : result.peaks) {
        limits.push_back({peak.backend, std::string{precision_name(peak.type)},
                          plain(peak.fma_per_second), plain(peak.iterations_per_second())});
    }
    std::cout << '\n';
    print_table(limits);
    for (const BenchView& view : result.plan.views) {
        for (const Precision type : result.plan.types) print_view(result, view, type);
    }
    std::cout << '\n'
              << result.plan.width << "x" << result.plan.height << " pixels. "
              << bench_method(result.plan) << '\n';
}

}  // namespace warpscope
