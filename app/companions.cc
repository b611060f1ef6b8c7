// SPDX-License-Identifier: MIT
#include "app/companions.h"

#include <algorithm>

#include "app/clock.h"
#include "app/sample_work.h"

namespace warpscope {
namespace {

constexpr double kRestSeconds = 0.15;  // without a change for so long, the view is at rest

PrecisionChoice choice_of(Precision precision) {
    switch (precision) {
        case Precision::kFloat:
            return PrecisionChoice::kFloat;
        case Precision::kDf64:
            return PrecisionChoice::kDf64;
        case Precision::kDouble:
            break;
    }
    return PrecisionChoice::kDouble;
}

FrameJob job_of(const Companion& companion, FrameJob lead) {
    lead.precision = companion.precision.value_or(lead.precision);
    return lead;
}

bool is_live(const Companion& companion, const Lead& lead) {
    return companion.live && lead.state.settings.pace == Pace::kLive && lead.viewport.attended;
}

}  // namespace

SecondPicture::SecondPicture(Effort effort, const InteropVerdict& verdict)
    : verdict_{verdict}, explorer_{effort, [this](Backend& fresh) {
                                       buffer_.use(fresh, verdict_);
                                   }} {}

SecondPicture::~SecondPicture() {
    explorer_.cancel();
    buffer_.release();
}

void SecondPicture::lend(const InteropVerdict& verdict) {
    explorer_.forget();
    verdict_ = verdict;
    if (explorer_.has_backend()) buffer_.use(explorer_.backend(), verdict_);
}

bool SecondPicture::compute(const State& state, const Viewport& viewport, double budget_ms) {
    const Stopwatch watch;
    bool work = explorer_.submit(state, viewport), fresh = false;
    try {
        while (work && work_into(buffer_, explorer_, budget_ms - watch.ms())) {
            fresh = true;
            shown_ = explorer_.front();
            if (shown_->complete()) ++frames_;
            work = budget_ms > watch.ms() && explorer_.continue_frame();
        }
    } catch (const InteropError& error) {
        InteropVerdict inactive = verdict_;
        inactive.active = false;
        inactive.reason = error.what();
        lend(inactive);
    }
    return fresh;
}

void Companions::want(const std::vector<Companion>& wanted, const InteropVerdict& verdict) {
    members_.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Member& member = members_[i];
        if (!member.picture) member.picture = std::make_unique<SecondPicture>(effort_, verdict);
        if (!(member.wish == wanted[i])) member.problem.clear();
        member.wish = wanted[i];
    }
    if (members_.empty()) working_ = false;
}

bool Companions::behind(const Member& member, const Lead& lead) const {
    if (!member.problem.empty()) return false;
    const std::optional<ShownFrame>& shown = member.picture->shown();
    return !shown || !shown->complete() || !(shown->job == job_of(member.wish, lead.wanted)) ||
           (!member.wish.backend.empty() && shown->backend != member.wish.backend);
}

bool Companions::is_beside(const Member& member, const Lead& lead) {
    return !member.wish.backend.empty() && (member.wish.backend == "cuda") != lead.gpu;
}

bool Companions::has_turn(const Member& member, const Lead& lead) const {
    if (!member.problem.empty() || lead.state.paused) return false;
    if (is_beside(member, lead)) return true;
    if (!lead.ready) return false;
    const bool rested = effort_ == Effort::kComplete || member.wish.live ||
                        lead.viewport.now - changed_ >= kRestSeconds;
    if (behind(member, lead)) return rested;
    return is_live(member.wish, lead) && answered_ != lead.frames;
}

bool Companions::leave_turn(const Lead& lead) {
    if (!(lead.wanted == wanted_)) changed_ = lead.viewport.now;
    wanted_ = lead.wanted;
    return std::ranges::none_of(members_, [&](const Member& member) {
        return !is_beside(member, lead) && has_turn(member, lead);
    });
}

bool Companions::compute(const Lead& lead, double budget_ms) {
    bool fresh = false, taken = false;
    for (Member& member : members_) {
        if (!has_turn(member, lead) || taken) {
            member.picture->rest();
            continue;
        }
        taken = taken || !is_beside(member, lead);
        fresh = run(member, lead, budget_ms) || fresh;
    }
    working_ = !lead.state.paused && std::ranges::any_of(members_, [&](const Member& member) {
        return behind(member, lead) || is_live(member.wish, lead);
    });
    return fresh;
}

bool Companions::run(Member& member, const Lead& lead, double budget_ms) {
    State state = lead.state;
    if (!member.wish.backend.empty()) state.backend = member.wish.backend;
    state.scene.precision = choice_of(job_of(member.wish, lead.wanted).precision);
    state.settings.antialias = false;
    if (!member.wish.live) state.settings.pace = Pace::kEconomy;
    const std::uint64_t frames = member.picture->frames();
    try {
        const bool fresh = member.picture->compute(state, lead.viewport, budget_ms);
        if (member.picture->frames() != frames) answered_ = lead.frames;
        return fresh;
    } catch (const BackendError& error) {
        member.picture->rest();
        member.problem = error.what();
        return true;
    }
}

void Companions::rest() noexcept {
    for (Member& member : members_) member.picture->rest();
}

void Companions::lend(const InteropVerdict& verdict) {
    for (Member& member : members_) member.picture->lend(verdict);
}

std::string Companions::problem() const {
    for (const Member& member : members_) {
        if (!member.problem.empty()) return member.problem;
    }
    return {};
}

}  // namespace warpscope
