// SPDX-License-Identifier: MIT
// Overlays that compare two frames of the view: which two are there, in what they differ.
#include "app/overlay_director.h"

namespace warpscope {
namespace {

/// A frame that may be one of a pair.
struct Candidate {
    const std::optional<ShownFrame>& shown;
    SampleGrid grid;
    std::uint64_t frames;
};

FrameJob with(FrameJob job, Precision precision) {
    job.precision = precision;
    return job;
}

bool is_all_of(const Candidate& candidate, const FrameJob& job) {
    return candidate.shown && candidate.shown->complete() && candidate.shown->job == job;
}

}  // namespace

const DifferenceSummary* OverlayDirector::differences() const noexcept {
    const bool known = pair_ && compared_ && differences_ && pair_->same_jobs(*compared_);
    return known ? &*differences_ : nullptr;
}

/// The two frames as far as they are complete, and of the view that is wanted.
std::optional<OverlayDirector::Pair> OverlayDirector::find_pair(const OverlayChoice& choice,
                                                                const OverlayScene& scene) {
    const FrameLoop& loop = scene.loop;
    if (!loop.explorer().has_backend() || loop.companions().empty()) return std::nullopt;
    const FrameJob& wanted = loop.explorer().wanted();
    const PairContext context =
        pair_context(loop.explorer(), scene.state, scene.window.height, Gpu::kAbsent);
    const bool split = choice.kind == OverlayKind::kSplit;
    const TypePair types =
        split ? TypePair{wanted.precision, wanted.precision} : types_of(choice, context);
    std::vector<Candidate> candidates{{loop.shown(), loop.grid(), loop.frames_computed()}};
    for (std::size_t i = 0; i < loop.companions().size(); ++i) {
        const SecondPicture& other = loop.companions().picture(i);
        candidates.push_back({other.shown(), other.grid(), other.frames()});
    }
    Pair pair;
    bool all = true;
    for (std::size_t side = 0; side < 2; ++side) {
        const FrameJob job = with(wanted, types[side]);
        sides_[side].name = split
                                ? (side == 0 ? context.running : loop.companions().wish(0).backend)
                                : std::string{precision_name(types[side])};
        const Candidate* found = nullptr;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (split && i != side) continue;
            if (is_all_of(candidates[i], job)) found = found ? found : &candidates[i];
        }
        all = all && found != nullptr;
        if (found == nullptr) continue;
        pair.jobs[side] = job;
        pair.grids[side] = found->grid;
        if (split) pair.frames[side] = found->frames;
    }
    return all ? std::optional{pair} : std::nullopt;
}

bool OverlayDirector::prepare_pair(const OverlayChoice& choice, const OverlayScene& scene,
                                   OverlayView& view) {
    pair_ = find_pair(choice, scene);
    if (!pair_) {
        for (PairSide& side : sides_) side.count_at_cursor.reset();
        problem_ = scene.loop.companions().problem();
        if (problem_.empty()) {
            problem_ = scene.state.paused ? "Paused: nothing is computed a second time."
                                          : "Computing the view a second time.";
        }
        return false;
    }
    measure_pair();
    probe_pair(scene);
    const bool split = choice.kind == OverlayKind::kSplit;
    if (split && (differences() == nullptr || differences()->differing == 0)) return false;
    constexpr int kLoudReach = 3;
    view.source = OverlaySource::kDifferences;
    view.first = pair_->grids[0];
    view.second = pair_->grids[1];
    view.opacity = split ? 0 : choice.opacity;
    view.reach = split ? kLoudReach : 0;
    const ShownFrame& shown = *scene.loop.shown();
    view.reprojection = reproject(shown.view, shown.aspect(), scene.state.scene.view,
                                  static_cast<double>(scene.window.width) / scene.window.height);
    return true;
}

/// Equal jobs of one backend have equal counts; of two, every frame is looked at anew.
void OverlayDirector::measure_pair() {
    if (!differing_) differing_.emplace();
    if (auto summary = differing_->take()) differences_ = *summary;
    if (!differing_->pending() && !(compared_ && compared_->same(*pair_))) {
        if (!compared_ || !compared_->same_jobs(*pair_)) differences_.reset();
        differing_->measure(pair_->grids[0], pair_->grids[1]);
        compared_ = pair_;
    }
    moving_ = moving_ || differing_->pending();
}

void OverlayDirector::probe_pair(const OverlayScene& scene) {
    const std::optional<std::size_t> index = sample_under_cursor(scene);
    for (std::size_t side = 0; side < 2; ++side) {
        probe({pair_probes_[side], sides_[side].count_at_cursor}, index, pair_->grids[side]);
    }
}

}  // namespace warpscope
