// SPDX-License-Identifier: MIT
#include "app/path_log.h"

#include <algorithm>

namespace warpscope {
namespace {

constexpr std::size_t kFewest = 8;  // frames that make a median worth showing

double median_of(const std::vector<FrameCost>& frames, double (*part)(const FrameCost&)) {
    std::vector<double> values;
    values.reserve(frames.size());
    for (const FrameCost& frame : frames) values.push_back(part(frame));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double handover(const FrameCost& cost) {
    return cost.map.value_or(0) + cost.unmap.value_or(0) + cost.copy.value_or(0) +
           cost.upload.value_or(0);
}

}  // namespace

void PathLog::Series::clear(const FrameJob& fresh) {
    job = fresh;
    frames.clear();
    next = 0;
}

void PathLog::Series::add(const FrameCost& cost) {
    if (frames.size() < kFrames) {
        frames.push_back(cost);
        return;
    }
    frames[next] = cost;
    next = (next + 1) % kFrames;
}

void PathLog::add(SamplePath path, const FrameJob& job, const FrameCost& cost) {
    if (!cost.kernel) return;
    Series& series = series_[static_cast<std::size_t>(path)];
    if (last_path_ != path || !(series.job == job)) {
        settling_ = kSettle;
        if (!(series.job == job)) series.clear(job);
        last_path_ = path;
    }
    if (settling_ > 0) {
        --settling_;
        return;
    }
    series.add(cost);
}

std::optional<PathFigures> PathLog::figures(SamplePath path) const {
    const Series& series = series_[static_cast<std::size_t>(path)];
    if (series.frames.size() < kFewest) return std::nullopt;
    PathFigures figures;
    figures.job = series.job;
    figures.frames = series.frames.size();
    figures.kernel =
        median_of(series.frames, [](const FrameCost& cost) { return cost.kernel.value_or(0); });
    figures.handover = median_of(series.frames, &handover);
    figures.draw =
        median_of(series.frames, [](const FrameCost& cost) { return cost.draw.value_or(0); });
    figures.total = median_of(series.frames, [](const FrameCost& cost) { return cost.total; });
    return figures;
}

std::optional<PathGain> PathLog::gain() const {
    const std::optional<PathFigures> shared = figures(SamplePath::kShared);
    const std::optional<PathFigures> copied = figures(SamplePath::kHostCopy);
    if (!shared || !copied || !(shared->job == copied->job) || !(shared->delivery() > 0)) {
        return std::nullopt;
    }
    return PathGain{copied->delivery() / shared->delivery(),
                    copied->delivery() - shared->delivery()};
}

}  // namespace warpscope
