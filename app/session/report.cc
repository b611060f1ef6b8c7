// SPDX-License-Identifier: MIT
#include "app/session/report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/session/atomic_file.h"
#include "kernels/engine/timing.h"

namespace warpscope {
namespace {

nlohmann::json view_json(const FrameReport& report) {
    const Scene& scene = report.scene;
    const FormulaInfo& formula = info(scene.formula);
    nlohmann::json view = {{"re", scene.view.re.to_string()},
                           {"im", scene.view.im.to_string()},
                           {"zoom", scene.view.zoom.to_string()},
                           {"formula", formula.key},
                           {"power", formula.power},
                           {"julia", nullptr},
                           {"max_iter", scene.limit},
                           {"bailout", scene.bailout},
                           {"width", report.width},
                           {"height", report.height}};
    if (scene.julia) {
        view["julia"] = {{"re", scene.julia_re.to_string()}, {"im", scene.julia_im.to_string()}};
    }
    return view;
}

}  // namespace

double percentile(std::vector<double> values, double percent) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const auto is_nan = [](double value) { return std::isnan(value); };
    if (values.empty() || std::any_of(values.begin(), values.end(), is_nan)) return kNan;
    std::sort(values.begin(), values.end());
    const double place =
        std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

nlohmann::json summary_json(const std::vector<double>& values) {
    if (values.empty()) {
        return {{"median", nullptr}, {"p99", nullptr}, {"max", nullptr},
                {"min", nullptr},    {"iqr", nullptr}, {"n", 0}};
    }
    const Distribution summary = summarize(values);
    return {{"median", summary.median}, {"p99", percentile(values, 99)}, {"max", summary.max},
            {"min", summary.min},       {"iqr", summary.iqr()},          {"n", summary.count}};
}

nlohmann::json to_json(const FrameReport& report) {
    nlohmann::json json = {
        {"frames", report.frame_ms.size()},
        {"frame_ms", summary_json(report.frame_ms)},
        {"kernel_ms", summary_json(report.kernel_ms)},
        {"backend", report.backend},
        {"device", report.device},
        {"precision", report.precision},
        {"interop", {{"active", report.interop_active}, {"reason", report.interop_reason}}},
        {"view", view_json(report)}};
    if (!report.extras.is_object()) return json;
    for (const auto& [key, value] : report.extras.items()) {
        if (!json.contains(key)) json[key] = value;
    }
    return json;
}

void write_json(const std::filesystem::path& path, const nlohmann::json& json) {
    // Device names come from drivers: what is not UTF-8 must not stop a report.
    constexpr int kIndent = 2;
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    write_file(path, json.dump(kIndent, ' ', false, kReplace) + "\n");
}

}  // namespace warpscope
