// SPDX-License-Identifier: MIT
#include "kernels/engine/landscape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

int column_of(const Tuning& tuning, bool gpu) { return gpu ? tuning.block.x : tuning.cpu_threads; }

int row_of(const Tuning& tuning, bool gpu) { return gpu ? tuning.block.y : tuning.cpu_tile; }

std::vector<int> sorted_unique(std::vector<int> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

std::string percents(double fast, double slow) {
    const auto whole = [](double share) { return number(std::round(100 * share)); };
    return whole(fast) + " against " + whole(slow) + " %";
}

/// Something that is better for the faster of two, by a factor.
struct Reason {
    double factor;
    std::string text;
};

std::vector<Reason> reasons(const ShapeFacts& fast, const ShapeFacts& slow) {
    std::vector<Reason> all;
    const auto add = [&all](double better, double worse, std::string text) {
        constexpr double kWorthSaying = 1.03;
        if (worse > 0 && better > kWorthSaying * worse) {
            all.push_back({better / worse, std::move(text)});
        }
    };
    const bool gpu = fast.occupancy && slow.occupancy;
    if (!gpu) {
        const int more = fast.tuning.cpu_threads, fewer = slow.tuning.cpu_threads;
        add(more, fewer,
            std::to_string(more) + " threads work instead of " + std::to_string(fewer));
    }
    add(fast.lane_efficiency, slow.lane_efficiency,
        "more lanes do something, " + percents(fast.lane_efficiency, slow.lane_efficiency));
    add(fast.covered, slow.covered,
        "more threads have a pixel, " + percents(fast.covered, slow.covered));
    if (gpu) {
        const double more = fast.occupancy->occupancy, fewer = slow.occupancy->occupancy;
        add(more, fewer, "more warps are resident, " + percents(more, fewer));
    }
    if (fast.waves && slow.waves) {
        add(fast.waves->tail_efficiency, slow.waves->tail_efficiency,
            std::string{gpu ? "the last wave of blocks" : "the last round of tiles"} +
                " is fuller (" + number(fast.waves->waves) + " against " +
                number(slow.waves->waves) + (gpu ? " waves)" : " rounds)"));
        // Equal shares of unequal work: many small ones even out, whoever takes them.
        if (fast.waves->waves > 2 * slow.waves->waves && slow.waves->waves < 16) {
            all.push_back({1.03, std::string{gpu ? "smaller blocks" : "smaller tiles"} +
                                     " even out unequal work"});
        }
    }
    if (gpu && fast.tuning.block.y == 1 && slow.tuning.block.y > 1 &&
        fast.tuning.method.test == Test::kBlocks) {
        all.push_back({1.02,
                       "with a single row all threads share c's imaginary part, which then "
                       "needs no register of each"});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Reason& a, const Reason& b) { return a.factor > b.factor; });
    return all;
}

}  // namespace

TimeMap time_map(const std::vector<TunePoint>& points, bool gpu) {
    if (points.empty()) throw std::invalid_argument{"a map of time needs at least one point"};
    TimeMap map;
    const std::size_t first = points.size() > 1 ? 1 : 0;
    for (std::size_t i = first; i < points.size(); ++i) {
        map.columns.push_back(column_of(points[i].tuning, gpu));
        map.rows.push_back(row_of(points[i].tuning, gpu));
    }
    map.columns = sorted_unique(std::move(map.columns));
    map.rows = sorted_unique(std::move(map.rows));
    map.cells.assign(map.columns.size() * map.rows.size(), -1);
    const auto index_of = [](const std::vector<int>& steps, int value) {
        return static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), value) -
                                        steps.begin());
    };
    for (std::size_t i = first; i < points.size(); ++i) {
        const std::size_t column = index_of(map.columns, column_of(points[i].tuning, gpu));
        const std::size_t row = index_of(map.rows, row_of(points[i].tuning, gpu));
        map.cells[row * map.columns.size() + column] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].kernel.median < points[map.best].kernel.median) map.best = i;
        if (points[i].kernel.median > points[map.slowest].kernel.median) map.slowest = i;
    }
    return map;
}

double place_among(const std::vector<int>& steps, int value) {
    if (value <= steps.front()) return 0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        if (value > steps[i]) continue;
        const double low = std::log(steps[i - 1]), high = std::log(steps[i]);
        return static_cast<double>(i - 1) + (std::log(value) - low) / (high - low);
    }
    return static_cast<double>(steps.size() - 1);
}

ShapeFacts facts_of(const TunePoint& point, const FrameJob& job,
                    const std::optional<KernelOnGpu>& gpu, int threads) {
    ShapeFacts facts{point.tuning, point.kernel, point.lane_efficiency, 1, {}, {}};
    if (facts.tuning.cpu_threads == 0) facts.tuning.cpu_threads = threads;
    if (!gpu) {
        const int edge = point.tuning.cpu_tile;
        const GridShape tiles = grid_for(job.width, job.height, {edge, edge});
        facts.waves = waves(tiles.blocks(), 1, facts.tuning.cpu_threads);
        return facts;
    }
    const BlockShape block = point.tuning.block;
    BlockNeeds needs = gpu->needs;
    needs.threads = block.x * block.y;
    facts.occupancy = occupancy(*gpu->arch, needs);
    const GridShape grid = grid_for(job.width, job.height, block);
    facts.covered = static_cast<double>(job.width) * job.height /
                    (static_cast<double>(grid.blocks()) * needs.threads);
    // Launches over packed orbits follow the first: no wave of the grid is the last then.
    const bool one_launch = point.tuning.method.schedule == Schedule::kWait;
    if (one_launch && facts.occupancy->blocks_per_sm > 0) {
        facts.waves = waves(grid.blocks(), facts.occupancy->blocks_per_sm, gpu->sm_count);
    }
    return facts;
}

Landscape landscape(const std::vector<TunePoint>& points, const FrameJob& job,
                    const std::optional<KernelOnGpu>& gpu, int threads) {
    Landscape all{job, gpu.has_value(), {}, time_map(points, gpu.has_value())};
    for (const TunePoint& point : points) all.points.push_back(facts_of(point, job, gpu, threads));
    return all;
}

std::string shape_name(const ShapeFacts& facts) {
    if (facts.occupancy) {
        return std::to_string(facts.tuning.block.x) + "×" + std::to_string(facts.tuning.block.y);
    }
    const int threads = facts.tuning.cpu_threads;
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", tiles of " +
           std::to_string(facts.tuning.cpu_tile);
}

bool differ(const Distribution& a, const Distribution& b) {
    const double apart = std::abs(a.median - b.median);
    return apart > 0.02 * std::min(a.median, b.median) && apart > a.iqr() / 2 &&
           apart > b.iqr() / 2;
}

std::string why_faster(const ShapeFacts& fast, const ShapeFacts& slow) {
    if (!differ(fast.kernel, slow.kernel)) {
        return shape_name(fast) + " and " + shape_name(slow) +
               " are equally fast within the spread of the samples.";
    }
    std::string text = shape_name(slow) + " takes " +
                       number(slow.kernel.median / fast.kernel.median) + " times as long as " +
                       shape_name(fast);
    const std::vector<Reason> all = reasons(fast, slow);
    if (all.empty()) {
        return text + ", and neither lanes nor residents nor the last wave tell why.";
    }
    text += ": with the latter, ";
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) text += i + 1 < all.size() ? ", " : " and ";
        text += all[i].text;
    }
    text += ".";
    if (fast.occupancy && slow.occupancy && slow.occupancy->occupancy > fast.occupancy->occupancy) {
        text += " That it keeps fewer warps resident (" +
                percents(fast.occupancy->occupancy, slow.occupancy->occupancy) +
                ") costs less: what are there hide most of the waiting.";
    }
    return text;
}

}  // namespace warpscope
