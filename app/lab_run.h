// SPDX-License-Identifier: MIT
// A ladder of compute-lab rungs measured beside the window, one after the other, each result shown
// as soon as it is there. Used from one thread; the rungs run on another.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/background.h"
#include "kernels/lab/lab.h"

namespace warpscope {

/// What became of one rung: a result or the reason why there is none.
struct LabOutcome {
    LabRequest request;
    std::optional<LabResult> result;
    std::string problem;
};

class LabRun {
  public:
    using Runner = std::function<LabResult(const LabRequest&, std::stop_token, const LabProgress&)>;

    /// `runner` is what measures a rung; tests give their own.
    explicit LabRun(Runner runner = run_rung);

    /// Measures `requests` in order, all on the same random data. Earlier outcomes of the same demo
    /// stay while they are comparable with these (same n, same state of the caches).
    void start(std::vector<LabRequest> requests);

    /// Asks for the end without waiting; the rung at work leaves no outcome.
    void request_stop() { work_.request_stop(); }
    /// The same, and waits.
    void stop();

    /// Takes over what has been finished. Call once a frame.
    void collect();

    bool running() const noexcept { return work_.running(); }
    /// Of all rungs together; the label names the rung at work and what it does.
    const WorkProgress& progress() const noexcept { return work_.progress(); }
    /// The rung at work; empty between runs.
    std::string current() const;
    /// How much of that rung is done, 0 to 1, and what is going on.
    const WorkProgress& rung_progress() const noexcept { return rung_progress_; }
    /// Whether the run that is going on has `rung` of `demo` in it.
    bool asked_for(const std::string& demo, const std::string& rung) const;

    /// Finished rungs of all demos, at most one for each rung, newest run last.
    const std::vector<LabOutcome>& outcomes() const noexcept { return outcomes_; }
    /// Counts changes of outcomes(), so that what is derived from them can be kept.
    std::size_t version() const noexcept { return version_; }

  private:
    int work(const std::vector<LabRequest>& requests, const std::stop_token& stop,
             WorkProgress& progress);

    Runner runner_;
    std::vector<LabRequest> requests_;  // of the newest run
    std::vector<LabOutcome> outcomes_;
    std::size_t version_ = 0;
    mutable std::mutex mutex_;       // guards the next two
    std::vector<LabOutcome> fresh_;  // finished, not yet collected
    std::string current_;
    WorkProgress rung_progress_;
    Background<int> work_;  // last: it ends before what it uses
};

}  // namespace warpscope
