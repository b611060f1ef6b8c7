// SPDX-License-Identifier: MIT
#include "app/lab_run.h"

#include <algorithm>
#include <utility>

namespace warpscope {
namespace {

bool comparable(const LabRequest& a, const LabRequest& b) {
    return a.demo == b.demo && a.n == b.n && a.cache == b.cache;
}

bool same_rung(const LabRequest& a, const LabRequest& b) {
    return a.demo == b.demo && a.rung == b.rung;
}

}  // namespace

LabRun::LabRun(Runner runner) : runner_{std::move(runner)} {}

void LabRun::start(std::vector<LabRequest> requests) {
    stop();
    requests_ = std::move(requests);
    if (requests_.empty()) return;
    std::erase_if(outcomes_, [this](const LabOutcome& old) {
        return std::ranges::any_of(requests_, [&old](const LabRequest& request) {
            return same_rung(old.request, request) ||
                   (old.request.demo == request.demo && !comparable(old.request, request));
        });
    });
    ++version_;
    work_.start([this, wanted = requests_](const std::stop_token& stop, WorkProgress& progress) {
        return work(wanted, stop, progress);
    });
}

int LabRun::work(const std::vector<LabRequest>& requests, const std::stop_token& stop,
                 WorkProgress& progress) {
    std::uint64_t seed = 0;
    const auto count = static_cast<double>(requests.size());
    for (std::size_t i = 0; i < requests.size() && !stop.stop_requested(); ++i) {
        LabOutcome outcome{requests[i], std::nullopt, {}};
        if (outcome.request.seed == 0) outcome.request.seed = seed;
        {
            const std::lock_guard lock{mutex_};
            current_ = outcome.request.rung;
        }
        rung_progress_.restart();
        const auto tell = [&](double fraction, std::string_view label) {
            rung_progress_.set(fraction, std::string{label});
            progress.set((static_cast<double>(i) + fraction) / count,
                         outcome.request.rung + ": " + std::string{label});
        };
        tell(0, "starting");
        try {
            outcome.result = runner_(outcome.request, stop, tell);
            if (outcome.result->cancelled) break;
            seed = outcome.result->seed;
        } catch (const std::exception& error) {
            // One rung that cannot run (no memory, CUDA failed) does not keep the others from it.
            outcome.problem = error.what();
        }
        const std::lock_guard lock{mutex_};
        fresh_.push_back(std::move(outcome));
    }
    const std::lock_guard lock{mutex_};
    current_.clear();
    return 0;
}

void LabRun::stop() {
    work_.stop();
    collect();
}

void LabRun::collect() {
    work_.collect();
    const std::lock_guard lock{mutex_};
    for (LabOutcome& outcome : fresh_) {
        outcomes_.push_back(std::move(outcome));
        ++version_;
    }
    fresh_.clear();
}

std::string LabRun::current() const {
    const std::lock_guard lock{mutex_};
    return current_;
}

bool LabRun::asked_for(const std::string& demo, const std::string& rung) const {
    return running() && std::ranges::any_of(requests_, [&](const LabRequest& request) {
               return request.demo == demo && request.rung == rung;
           });
}

}  // namespace warpscope
