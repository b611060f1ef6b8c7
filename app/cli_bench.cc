// SPDX-License-Identifier: MIT
// `warpscope bench`.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "app/bench_report.h"
#include "app/cli.h"
#include "app/final_steps.h"
#include "app/format.h"
#include "app/session/report.h"
#include "kernels/deep/precision.h"

namespace warpscope {
namespace {

/// The names in `text`, which commas part.
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        names.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

/// The items whose names `text` lists, in the order of `all`; all of them where it is empty. Throws
/// UsageError naming the accepted ones.
template <class Item, class NameOf>
std::vector<Item> pick(const char* option, const std::string& text, const std::vector<Item>& all,
                       NameOf name_of) {
    if (text.empty()) return all;
    const std::vector<std::string> names = split(text);
    std::string accepted;
    std::vector<Item> picked;
    for (const Item& item : all) {
        const std::string name{name_of(item)};
        accepted += (accepted.empty() ? "" : ", ") + name;
        if (std::find(names.begin(), names.end(), name) != names.end()) picked.push_back(item);
    }
    for (const std::string& name : names) {
        const bool known = std::any_of(all.begin(), all.end(),
                                       [&](const Item& item) { return name_of(item) == name; });
        if (!known) {
            throw UsageError{std::string{option} + ": '" + name + "' is not among " + accepted};
        }
    }
    return picked;
}

std::vector<std::string> usual_backends(bool quick) {
    std::vector<std::string> names{"cpu"};
    if (!quick) names = {"cpu-scalar", "cpu-simd", "cpu"};
    if (cuda_status().problem.empty()) names.emplace_back("cuda");
    return names;
}

std::vector<std::string> chosen_backends(const BenchOptions& options) {
    if (options.backends.empty()) return usual_backends(options.quick);
    std::vector<std::string> all;
    for (const BackendChoice& choice : backend_choices()) all.push_back(choice.name);
    return pick("--backends", options.backends, all, [](const std::string& name) { return name; });
}

/// Why none of `backends` runs here; empty where one does.
std::string complain_of_all(const std::vector<std::string>& backends) {
    std::string why;
    for (const BackendChoice& choice : backend_choices()) {
        if (std::ranges::find(backends, choice.name) == backends.end()) continue;
        if (choice.unavailable.empty()) return {};
        why = choice.name + ": " + choice.unavailable;
    }
    return why;
}

/// "RE,IM,ZOOM,LIMIT".
BenchView parse_view(const std::string& text) {
    const std::vector<std::string> parts = split(text);
    std::vector<double> numbers;
    for (const std::string& part : parts) {
        char* end = nullptr;
        numbers.push_back(std::strtod(part.c_str(), &end));
        if (part.empty() || *end != '\0' || !std::isfinite(numbers.back())) numbers.clear();
    }
    const bool good = parts.size() == 4 && numbers.size() == 4 && numbers[2] > 0 &&
                      numbers[3] >= 1 && numbers[3] <= 1e9 && numbers[3] == std::floor(numbers[3]);
    if (!good) {
        throw UsageError{"--at: '" + text +
                         "' is not RE,IM,ZOOM,LIMIT with a whole LIMIT from 1 to 1000000000"};
    }
    return {"given",    "a given view", numbers[0],
            numbers[1], numbers[2],     static_cast<std::uint32_t>(numbers[3])};
}

std::vector<BenchView> chosen_views(const BenchOptions& options) {
    if (!options.at.empty()) {
        if (!options.views.empty()) throw UsageError{"--at and --views exclude each other"};
        return {parse_view(options.at)};
    }
    const std::span<const BenchView> views = bench_views();
    const std::string few = options.quick ? "home,boundary,interior" : "";
    return pick("--views", options.views.empty() ? few : options.views,
                std::vector<BenchView>{views.begin(), views.end()},
                [](const BenchView& view) { return view.key; });
}

void refuse_beyond_double(const BenchView& view, int height) {
    const View place{BigFloat{view.re}, BigFloat{view.im}, BigFloat{view.zoom}};
    if (choose_precision(place, height)) return;
    throw UsageError{"--at: neighbouring pixels of this view are the same number, in double too"};
}

BenchPlan bench_plan(const BenchOptions& options) {
    BenchPlan plan;
    plan.views = chosen_views(options);
    plan.types =
        pick("--types", options.types,
             std::vector{Precision::kFloat, Precision::kDf64, Precision::kDouble}, precision_name);
    plan.rungs = pick("--kernels", options.kernels,
                      std::vector<MethodRung>{kMethods.begin(), kMethods.end()},
                      [](const MethodRung& rung) { return rung.key; });
    plan.backends = chosen_backends(options);
    plan.scalar_everywhere = !options.backends.empty();
    const Extent size = parse_size(options.size);
    plan.width = size.width;
    plan.height = size.height;
    for (const BenchView& view : plan.views) refuse_beyond_double(view, plan.height);
    plan.cuda_device = checked_device(options.device);
    if (!options.blocks.empty()) {
        plan.blocks.clear();
        for (const std::string& text : split(options.blocks)) {
            if (text.empty()) throw UsageError{"--blocks: a shape is missing, such as 8x16,128x1"};
            const BlockShape block = parse_block(text, "--blocks");
            if (std::ranges::find(plan.blocks, block) == plan.blocks.end()) {
                plan.blocks.push_back(block);
            }
        }
    }
    plan.slowest_s = options.slowest.value_or(options.quick ? 0.5 : 1);
    if (!(plan.slowest_s > 0 && plan.slowest_s <= 1000)) {
        throw UsageError{"--skip-above must be a number of seconds above 0, at most 1000"};
    }
    if (options.quick) {
        plan.sampling.min_samples = 3;
        plan.sampling.min_seconds = 0.05;
    }
    plan.sampling.max_seconds = 1e6;  // slow frames are skipped as a whole, never cut short
    plan.throttled = options.keep_throttled ? Throttled::kKeep : Throttled::kDrop;
    return plan;
}

/// "[12/216] home float naive cpu: 1.24 ms" on standard error.
void report(const BenchPlan& plan, const BenchRow& row, std::size_t at, std::size_t of) {
    const bool done = row.kernel.count > 0 || !row.problem.empty();
    if (!done) return;
    std::cerr << "[" << at << "/" << of << "] " << row.view << ' ' << precision_name(row.type)
              << ' ' << row_name(plan, row) << ' ' << row.backend << ": "
              << (row.problem.empty() ? format_ms(row.kernel.median) : row.problem) << '\n';
}

}  // namespace

void run_bench(const BenchOptions& options) {
    const BenchPlan plan = bench_plan(options);
    const std::string none = complain_of_all(plan.backends);
    if (!none.empty()) throw BackendError{"nothing can be measured: " + none};
    check_outputs({options.json});
    std::cerr << "measuring the limits …\n";
    const BenchResult result = bench(
        plan, {},
        [&](const BenchRow& row, std::size_t at, std::size_t of) { report(plan, row, at, of); });
    print_bench(result);
    if (!options.json.empty()) {
        write_json(options.json, to_json(result, cuda_status(), options.commit));
    }
    const bool measured =
        std::ranges::any_of(result.rows, [](const BenchRow& row) { return row.kernel.count > 0; });
    if (!measured) {
        throw std::runtime_error{"no figure was measured: " + result.rows.front().problem};
    }
}

}  // namespace warpscope
