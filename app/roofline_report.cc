// SPDX-License-Identifier: MIT
#include "app/roofline_report.h"

#include <iostream>

#include "app/format.h"
#include "app/json.h"
#include "app/session/job_json.h"
#include "app/text_table.h"

namespace warpscope {
namespace {

using nlohmann::json;

constexpr std::array kTypes{Precision::kFloat, Precision::kDouble};

const char* roof_name(Roof roof) { return roof == Roof::kMemory ? "memory" : "compute"; }

json point_json(const RooflinePoint& point, const MachineRoofs& machine) {
    json out = {
        {"kernel", point.kernel}, {"variant", point.variant}, {"type", precision_name(point.type)}};
    if (!point.problem.empty()) {
        out["problem"] = point.problem;
        return out;
    }
    const Roofs roofs = machine.roofs(point.type);
    const RoofVerdict verdict = judge(roofs, point.work);
    out["kernel_ms"] = to_json(point.time);
    out["flops"] = point.work.flops;
    out["bytes"] = point.work.bytes;
    out["flops_per_byte"] = point.work.intensity();
    out["flops_per_second"] = point.work.flops_per_second();
    out["bytes_per_second"] = point.work.bytes_per_second();
    out["attainable_flops_per_second"] = verdict.attainable;
    out["limited_by"] = roof_name(verdict.roof);
    out["of_roof"] = verdict.fraction;
    out["mix_allows"] = point.work.mix();
    out["verdict"] = roof_sentence(roofs, point.work);
    return out;
}

std::vector<std::string> cells(const RooflinePoint& point, const MachineRoofs& machine) {
    std::vector<std::string> row{point.kernel, point.variant,
                                 std::string{precision_name(point.type)}};
    if (!point.problem.empty()) {
        row.push_back(point.problem);
        return row;
    }
    const RoofVerdict verdict = judge(machine.roofs(point.type), point.work);
    row.push_back(spread(point.time));
    row.push_back(format_number(point.work.intensity()));
    row.push_back(format_si(point.work.flops_per_second(), "FLOP/s"));
    row.push_back(format_si(point.work.bytes_per_second(), "B/s"));
    row.push_back(roof_name(verdict.roof));
    row.push_back(format_percent(verdict.fraction));
    return row;
}

void print_roofs(const RooflineReport& report) {
    const MachineRoofs& machine = report.machine;
    std::cout << report.backend.name << ": " << report.backend.device << " ("
              << report.backend.detail << ")\n\n";
    std::vector<std::vector<std::string>> rows{{"roof", "rate", "ridge"}};
    for (const Precision type : kTypes) {
        const Roofs roofs = machine.roofs(type);
        rows.push_back({"compute, " + std::string{precision_name(type)},
                        format_si(roofs.flops_per_second, "FLOP/s"),
                        format_number(roofs.ridge()) + " flop/byte"});
    }
    for (std::size_t i = 0; i < kTraffics.size(); ++i) {
        rows.push_back({"memory, " + std::string{traffic_name(kTraffics[i])},
                        format_si(machine.bytes_per_second[i], "B/s"),
                        kTraffics[i] == machine.best_traffic() ? "the roof" : ""});
    }
    print_table(rows);
}

}  // namespace

json roofs_json(const MachineRoofs& machine) {
    json out = {{"device", machine.device},
                {"cpu_threads", machine.cpu_threads},
                {"float_flops_per_second", machine.roofs(Precision::kFloat).flops_per_second},
                {"double_flops_per_second", machine.roofs(Precision::kDouble).flops_per_second},
                {"bytes_per_second", machine.roofs(Precision::kFloat).bytes_per_second},
                {"float_ridge", machine.roofs(Precision::kFloat).ridge()},
                {"double_ridge", machine.roofs(Precision::kDouble).ridge()},
                {"array_bytes", machine.array_bytes},
                {"cache_bytes", machine.cache_bytes},
                {"may_be_from_cache", machine.fits_cache()},
                {"runs", machine.runs}};
    for (std::size_t i = 0; i < kTraffics.size(); ++i) {
        out["streams"][traffic_name(kTraffics[i])] = machine.bytes_per_second[i];
    }
    return out;
}

std::string roofline_method(const RooflineReport& report) {
    return roofs_method(report.machine) +
           " Roofs are measured before and after the kernels. A view's operations are the "
           "iterations that were executed times those of a step, counted from the formula's code; "
           "its bytes the 8 of each pixel's sample. A demo's are what the problem needs. Df64 "
           "counts its operations on floats. Kernels alone are timed, median.";
}

json to_json(const RooflineReport& report) {
    json out = {{"backend",
                 {{"name", report.backend.name},
                  {"device", report.backend.device},
                  {"detail", report.backend.detail}}},
                {"job", to_json(report.request.job)},
                {"roofs", roofs_json(report.machine)},
                {"points", json::array()},
                {"method", roofline_method(report)}};
    for (const RooflinePoint& point : report.points) {
        out["points"].push_back(point_json(point, report.machine));
    }
    return out;
}

void print_roofline(const RooflineReport& report) {
    print_roofs(report);
    std::vector<std::vector<std::string>> rows{{"kernel", "variant", "type", "median ±IQR",
                                                "flop/byte", "operations", "bytes", "limit",
                                                "of roof"}};
    for (const RooflinePoint& point : report.points) rows.push_back(cells(point, report.machine));
    std::cout << '\n';
    print_table(rows);
    const RooflinePoint& view = report.points.front();
    if (view.problem.empty()) {
        std::cout << "\nThis view. " << roof_sentence(report.machine.roofs(view.type), view.work)
                  << '\n';
    }
    std::cout << '\n' << roofline_method(report) << '\n';
}

}  // namespace warpscope
