// SPDX-License-Identifier: MIT
#include "app/json.h"

#include "app/session/job_json.h"

namespace warpscope {

using nlohmann::json;

namespace {

json limit_json(const std::optional<int>& limit) { return limit ? json(*limit) : json(nullptr); }

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// A rung's key, or null where the switches are combined freely.
json method_json(const Method& method) {
    const MethodRung* rung = rung_of(method);
    return rung != nullptr ? json(rung->key) : json(nullptr);
}

json row_json(const CompareRow& row) {
    json out = {{"backend", row.backend}};
    if (!row.info.device.empty()) {
        out["device"] = row.info.device;
        out["detail"] = row.info.detail;
    }
    if (!row.problem.empty()) out["problem"] = row.problem;
    if (row.kernel.count == 0) return out;
    out["kernel_ms"] = to_json(row.kernel);
    out["with_copy_ms"] = to_json(row.with_copy);
    out["end_to_end_ms"] = to_json(row.end_to_end);
    out["first_launch_ms"] = row.first_launch;
    out["stopped_by"] = stop_reason_name(row.stop);
    out["iterations"] = row.iterations;
    out["executed"] = row.executed;
    out["lane_efficiency"] = row.lane_efficiency;
    out["iterations_per_second"] = row.iterations_per_second();
    out["counts_hash"] = row.counts_hash;
    out["differing_pixels"] = row.differing;
    return out;
}

json stages_json(const LabFigures& figures) {
    const LabStages& stages = figures.stages;
    return {{"allocate_host_ms", stages.allocate_host},
            {"allocate_ms", stages.allocate},
            {"copy_in_ms", stages.copy_in},
            {"first_launch_ms", stages.first_launch},
            {"kernel_ms", to_json(figures.kernel)},
            {"copy_out_ms", stages.copy_out},
            {"free_ms", stages.free},
            {"end_to_end_ms", figures.end_to_end_ms}};
}

}  // namespace

json to_json(const Distribution& distribution) {
    return {{"median", distribution.median},
            {"iqr", distribution.iqr()},
            {"min", distribution.min},
            {"max", distribution.max},
            {"n", distribution.count}};
}

json to_json(const Comparison& comparison) {
    json out = {{"view", to_json(comparison.job)},
                {"kernel", method_json(comparison.tuning.method)},
                {"block", {comparison.tuning.block.x, comparison.tuning.block.y}},
                {"rows", json::array()}};
    for (const CompareRow& row : comparison.rows) out["rows"].push_back(row_json(row));
    std::string why;
    if (const std::optional<Ratio> ratio = gpu_ratio(comparison, why)) {
        out["ratio"] = {{"cpu_rung", ratio->cpu_rung},
                        {"kernel", ratio->kernel},
                        {"with_copy", ratio->with_copy},
                        {"end_to_end", ratio->end_to_end}};
        if (ratio->break_even_frames) {
            out["ratio"]["break_even_frames"] = *ratio->break_even_frames;
        }
    } else {
        out["ratio"] = nullptr;
        out["ratio_withheld"] = why;
    }
    return out;
}

json to_json(const CudaStatus& status) {
    json out = {{"built", status.built},
                {"toolkit", status.built ? json(version_text(status.toolkit)) : json(nullptr)},
                {"driver", status.driver > 0 ? json(version_text(status.driver)) : json(nullptr)},
                {"problem", status.problem},
                {"devices", json::array()}};
    for (const CudaDevice& device : status.devices) {
        out["devices"].push_back({{"index", device.index},
                                  {"name", device.name},
                                  {"compute_capability", std::to_string(device.cc_major) + "." +
                                                             std::to_string(device.cc_minor)},
                                  {"sm_count", device.sm_count},
                                  {"memory_bytes", device.memory_bytes},
                                  {"l2_bytes", device.l2_bytes},
                                  {"clock_khz", device.clock_khz},
                                  {"memory_clock_khz", device.memory_clock_khz},
                                  {"memory_bus_bits", device.memory_bus_bits},
                                  {"kernel_timeout", device.kernel_timeout},
                                  {"pci_bus_id", device.pci_bus_id}});
    }
    return out;
}

json to_json(const InteropVerdict& verdict) {
    return {{"active", verdict.active}, {"reason", verdict.reason}, {"remedy", verdict.remedy}};
}

json to_json(const Occupancy& occupancy) {
    json limiters = json::array();
    for (const Limiter limiter : occupancy.limiters) limiters.push_back(limiter_name(limiter));
    return {{"blocks_per_sm", occupancy.blocks_per_sm},
            {"warps_per_block", occupancy.warps_per_block},
            {"warps_per_sm", occupancy.warps_per_sm},
            {"max_warps_per_sm", occupancy.max_warps_per_sm},
            {"occupancy", occupancy.occupancy},
            {"limiters", limiters},
            {"limit_warps", limit_json(occupancy.limit_warps)},
            {"limit_registers", limit_json(occupancy.limit_registers)},
            {"limit_shared", limit_json(occupancy.limit_shared)},
            {"limit_blocks", limit_json(occupancy.limit_blocks)}};
}

json to_json(const LabResult& result) {
    json out = {{"demo", result.demo},
                {"rung", result.rung},
                {"backend", result.backend},
                {"device", result.device},
                {"n", result.n},
                {"block", {result.block_x, result.block_y}},
                {"grid_blocks", result.grid_blocks},
                {"guard_waste", result.guard_waste},
                {"seed", result.seed},
                {"cache", result.cache},
                {"cancelled", result.cancelled},
                {"verification",
                 {{"passed", result.verification.passed},
                  {"checked", result.verification.checked},
                  {"wrong", result.verification.wrong},
                  {"not_finite", result.verification.not_finite},
                  {"worst", result.verification.worst},
                  {"tolerance", result.verification.tolerance},
                  {"failure", result.verification.failure}}}};
    if (!result.figures) return out;
    const LabFigures& figures = *result.figures;
    const bool bandwidth = figures.rate == LabRate::kBandwidth;
    out["stages"] = stages_json(figures);
    out["bytes"] = figures.bytes;
    out["flops"] = figures.flops;
    out["unit"] = bandwidth ? "byte/s" : "flop/s";
    out["per_second"] = figures.per_second;
    out["peak"] = figures.peak;
    out["peak_how"] = figures.peak_how;
    out["of_peak"] = figures.of_peak;
    return out;
}

json to_json(const TraceSummary& summary) {
    json out = {{"spans", summary.spans},
                {"span_us", summary.span_us},
                {"sum_us", summary.sum_us},
                {"busy", summary.busy},
                {"least_busy", summary.least_busy},
                {"most_busy", summary.most_busy},
                {"mean_warps", summary.mean_warps},
                {"tail", {{"duration_us", summary.tail_us}, {"share", summary.tail_share}}},
                {"waves", nullptr},
                {"lane_efficiency", summary.lane_efficiency},
                {"achieved_occupancy", nullptr},
                {"duration_us", to_json(summary.durations_us)}};
    if (summary.waves) out["waves"] = summary.waves->waves;
    if (summary.achieved_occupancy) out["achieved_occupancy"] = *summary.achieved_occupancy;
    return out;
}

}  // namespace warpscope
