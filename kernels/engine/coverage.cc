// SPDX-License-Identifier: MIT
#include "kernels/engine/coverage.h"

#include <algorithm>
#include <cmath>

#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

/// The first x >= from with (x + origin) mod step = rest.
int first_at(int from, int origin, int step, int rest) {
    const int past = ((from + origin - rest) % step + step) % step;
    return past == 0 ? from : from + step - past;
}

/// The region's pixels on columns and rows with the given rests, if any.
struct Comb {
    int step_x, rest_x, step_y, rest_y;
};

class PartList {
  public:
    PartList(int origin_x, int origin_y) : origin_x_{origin_x}, origin_y_{origin_y} {}

    void add(const Region& region, Comb comb) {
        const int x = first_at(region.x0, origin_x_, comb.step_x, comb.rest_x);
        const int y = first_at(region.y0, origin_y_, comb.step_y, comb.rest_y);
        if (x >= region.x1 || y >= region.y1) return;
        parts.push_back({x, y, region.x1, region.y1, comb.step_x, comb.step_y});
    }

    std::vector<Part> parts;

  private:
    int origin_x_, origin_y_;
};

Region intersection(const Region& a, const Region& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1),
            a.step};
}

bool is_empty(const Region& region) { return region.x0 >= region.x1 || region.y0 >= region.y1; }

}  // namespace

Coverage::Coverage(const FrameJob& job)
    : width_{job.width},
      height_{job.height},
      origin_x_{static_cast<int>(std::floor(job.shift_x))},
      origin_y_{static_cast<int>(std::floor(job.shift_y))},
      regions_{{0, 0, job.width, job.height, 0}} {}

std::optional<Coverage> Coverage::moved(const FrameJob& before, const FrameJob& job) const {
    const std::optional<std::vector<Part>> fresh = uncovered(before, job);
    if (!fresh || (fresh->size() == 1 && fresh->front() == whole(job))) return std::nullopt;
    Coverage result{job};
    result.regions_.clear();
    const int dx = result.origin_x_ - origin_x_, dy = result.origin_y_ - origin_y_;
    const Region window{0, 0, width_, height_, 0};
    for (Region region : regions_) {
        region = {region.x0 - dx, region.y0 - dy, region.x1 - dx, region.y1 - dy, region.step};
        region = intersection(region, window);
        if (!is_empty(region)) result.regions_.push_back(region);
    }
    if (result.regions_.size() + fresh->size() > kMaxRegions) {
        result.keep_only(*std::ranges::max_element(result.regions_, {}, &Region::area));
        return result;
    }
    for (const Part& part : *fresh) {
        result.regions_.push_back({part.x0, part.y0, part.x1, part.y1, 0});
    }
    return result;
}

/// Pans that come faster than strips are filled leave too many: the largest region stays, the
/// frame around it begins anew.
void Coverage::keep_only(Region kept) {
    regions_ = {kept};
    for (const Region& around : {Region{0, 0, width_, kept.y0},
                                 {0, kept.y1, width_, height_},
                                 {0, kept.y0, kept.x0, kept.y1},
                                 {kept.x1, kept.y0, width_, kept.y1}}) {
        if (!is_empty(around)) regions_.push_back(around);
    }
}

std::optional<Pass> Coverage::next(int first_step) const {
    // Two parts a region at most, and a backend takes kMaxParts.
    constexpr std::size_t kMostRefined = kMaxParts / 2;
    const bool begins = !visible();
    int coarsest = 1;
    for (const Region& region : regions_) coarsest = std::max(coarsest, region.step);
    if (!begins && coarsest == 1) return std::nullopt;
    Pass pass;
    pass.after = regions_;
    pass.step = begins ? first_step : coarsest / 2;
    PartList list{origin_x_, origin_y_};
    std::size_t chosen = 0;
    for (Region& region : pass.after) {
        if (region.step != (begins ? 0 : coarsest) || (!begins && chosen == kMostRefined)) continue;
        ++chosen;
        region.step = pass.step;
        if (begins) {
            list.add(region, {pass.step, 0, pass.step, 0});
        } else {
            list.add(region, {coarsest, pass.step, coarsest, 0});
            list.add(region, {pass.step, 0, coarsest, pass.step});
        }
    }
    pass.parts = std::move(list.parts);
    for (const Part& part : pass.parts) pass.pixels += part.pixels();
    return pass;
}

void Coverage::finish(const Pass& pass) {
    take(pass);
    // What is left of a region after pans may be so small that a finer lattice adds no pixel to it.
    std::optional<Pass> following = next(1);
    while (following && following->parts.empty()) {
        take(*following);
        following = next(1);
    }
}

void Coverage::take(const Pass& pass) {
    regions_ = pass.after;
    const int step = regions_.front().step;
    if (std::ranges::all_of(regions_, [step](const Region& r) { return r.step == step; })) {
        regions_ = {{0, 0, width_, height_, step}};
    }
}

bool Coverage::complete() const noexcept {
    return !regions_.empty() &&
           std::ranges::all_of(regions_, [](const Region& r) { return r.step == 1; });
}

bool Coverage::visible() const noexcept {
    return !regions_.empty() &&
           std::ranges::none_of(regions_, [](const Region& r) { return r.step == 0; });
}

std::int64_t Coverage::missing() const noexcept {
    std::int64_t pixels = 0;
    for (const Region& region : regions_) {
        pixels += region.area();
        if (region.step == 0) continue;
        const int x = first_at(region.x0, origin_x_, region.step, 0);
        const int y = first_at(region.y0, origin_y_, region.step, 0);
        if (x >= region.x1 || y >= region.y1) continue;
        pixels -= Part{x, y, region.x1, region.y1, region.step, region.step}.pixels();
    }
    return pixels;
}

std::int64_t Coverage::empty() const noexcept {
    std::int64_t pixels = 0;
    for (const Region& region : regions_) {
        if (region.step == 0) pixels += region.area();
    }
    return pixels;
}

}  // namespace warpscope
