// SPDX-License-Identifier: MIT
#include "kernels/engine/rungs.h"

#include <cstdio>
#include <optional>

#include "kernels/engine/frame_run.h"

namespace warpscope {
namespace {

/// One backend and buffer for all rungs.
class RungTimer {
  public:
    RungTimer(const RungsRequest& request, const std::stop_token& stop)
        : request_{request},
          stop_{stop},
          backend_{make_backend(request.backend, request.cuda_device)},
          samples_{backend_->allocate_host(pixel_count(request.job))} {}

    /// `hash` is that of the first rung that came to an end.
    RungTime time(const Method& method, std::optional<std::uint64_t>& hash) {
        RungTime rung;
        rung.method = method;
        Tuning tuning = request_.tuning;
        tuning.method = method;
        try {
            measure(rung, tuning);
        } catch (const BackendError& error) {
            rung.problem = error.what();
        }
        if (rung.kernel.count == 0) return rung;
        if (!hash) hash = rung.counts_hash;
        if (*hash != rung.counts_hash) {
            rung.kernel = {};
            rung.problem = "withheld: its counts differ from the first rung's";
        }
        return rung;
    }

  private:
    FrameEnd run(const Tuning& tuning) {
        return run_frame(*backend_, request_.job, tuning, samples_.get(), stop_,
                         1e3 * request_.patience_s);
    }

    void measure(RungTime& rung, const Tuning& tuning) {
        poison(all());
        if (const FrameEnd end = run(tuning); end != FrameEnd::kDone) {
            char text[64];
            std::snprintf(text, sizeof text, "a frame takes more than %.3g s", request_.patience_s);
            rung.problem = end == FrameEnd::kStopped ? "stopped" : text;
            return;
        }
        rung.counts_hash = hash_counts(all());
        SamplingPlan plan;
        plan.warm_up = 0;  // that was it
        plan.min_samples = 3;
        plan.min_seconds = request_.seconds;
        plan.max_seconds = 5 * request_.seconds;
        const auto frame = [&] {
            run(tuning);
            rung.stats = backend_->stats();
            return rung.stats.kernel_ms;
        };
        rung.kernel = sample(plan, frame, stop_).distribution;
        if (rung.kernel.count == 0) rung.problem = "stopped";
    }

    std::span<Sample> all() { return {samples_.get(), pixel_count(request_.job)}; }

    const RungsRequest& request_;
    const std::stop_token& stop_;
    std::unique_ptr<Backend> backend_;
    HostSamples samples_;
};

}  // namespace

std::vector<RungTime> time_rungs(const RungsRequest& request, const std::stop_token& stop,
                                 const std::function<void(double)>& progress) {
    RungTimer timer{request, stop};
    std::optional<std::uint64_t> hash;
    std::vector<RungTime> rungs;
    for (const Method& method : request.methods) {
        if (stop.stop_requested()) break;
        rungs.push_back(timer.time(method, hash));
        if (progress) {
            progress(static_cast<double>(rungs.size()) /
                     static_cast<double>(request.methods.size()));
        }
    }
    return rungs;
}

}  // namespace warpscope
