// SPDX-License-Identifier: MIT
// How long an input waits while heavy views are computed, and how long frames take:
//   latency [--backend NAME] [--inputs N] [--size WxH] [--seed S] [--commit ID] [--json FILE]
// Each input comes at a random moment of a random frame of the work before. Its latency ends when
// nothing of the old work runs any more and its own has begun.
// Fails beyond a second: a busy machine may take that, a program that waits for its work takes
// more.
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/budget.h"
#include "app/clock.h"
#include "app/final_steps.h"
#include "app/frame_loop.h"
#include "app/json.h"
#include "app/session/report.h"
#include "tests/ui/dice.h"
#include "tests/ui/sized_surface.h"

namespace warpscope {
namespace {

constexpr double kNeverMs = 1000;

struct Options {
    std::string backend, commit, json;
    int inputs = 1000;
    Extent size{1280, 720};
    unsigned seed = 1;
};

struct Heavy {
    const char* name;
    double re, im, zoom;
    std::uint32_t limit;
};
constexpr Heavy kHeavy[] = {{"all inside", -0.1, 0, 20, 100'000'000},
                            {"all inside, beside the cardioid", -1.31, 0, 60, 100'000'000},
                            {"boundary", -1.25066, 0.02012, 3000, 1'000'000},
                            {"Seahorse Valley", -0.7453, 0.1127, 300, 10'000'000},
                            {"home", -0.75, 0, 1.5, 100'000'000}};

constexpr double kSlowMs = 17;
struct Slow {
    std::size_t frame;
    double ms, computing_ms;
    FrameJob job;
    std::string method;
};

nlohmann::json figures(const std::vector<double>& ms) {
    return {{"n", ms.size()},
            {"median", quantile(ms, 0.5)},
            {"p99", quantile(ms, 0.99)},
            {"worst", quantile(ms, 1)}};
}

class Meter {
  public:
    explicit Meter(const Options& options) : options_{options}, dice_{options.seed} {
        state_.backend = options.backend;
        state_.settings.pace = Pace::kEconomy;
        surface_.resize(options.size);
    }

    /// Random inputs while heavy work runs. The first frame starts CUDA and is told apart.
    void interrupt() {
        first_frame_ms_ = frame();
        compute_ms_.clear();
        frame_ms_.clear();
        slowest_.clear();
        for (int i = 0; i < options_.inputs; ++i) {
            double before = 0;
            for (int frames = dice_.below(6); frames >= 0; --frames) before = frame();
            next_input();
            double ms = dice_.between(0, 1) * before;
            const std::size_t first = frame_ms_.size();
            while (frame(), !taken_up()) ms += frame_ms_.back();
            latency_ms_.push_back(ms + compute_ms_.back());
            frames_until_taken_up_ = std::max(frames_until_taken_up_, frame_ms_.size() - first);
        }
    }

    /// From an input that changes the whole picture until all of it stands on the screen. At least
    /// once, then for half a minute at most: a CPU takes seconds each.
    void whole_pictures(int inputs) {
        const std::size_t frames = frame_ms_.size();
        surface_.resize({3840, 2160});
        state_.scene = {};
        state_.scene.limit = 10'000;
        state_.tuning = {};
        const double until = seconds_now() + 30;
        for (int i = 0; i < inputs + 3 && (whole_ms_.empty() || seconds_now() < until); ++i) {
            state_.scene.view.zoom = BigFloat{1.5 * (1 + 1e-3 * (i % 7))};
            const Stopwatch watch;
            do {
                frame();
            } while (!loop_.shown() || !(loop_.shown()->job == loop_.explorer().wanted()) ||
                     !loop_.shown()->complete());
            if (i >= 3) whole_ms_.push_back(watch.ms());
        }
        compute_ms_.resize(frames);
        frame_ms_.resize(frames);
        std::erase_if(slowest_, [frames](const Slow& slow) { return slow.frame >= frames; });
    }

    nlohmann::json result() {
        const BackendInfo& backend = loop_.explorer().backend().info();
        return {{"commit", options_.commit},
                {"backend", backend.name},
                {"device", backend.device},
                {"cuda", to_json(cuda_status())},
                {"size", {options_.size.width, options_.size.height}},
                {"shared_buffer", loop_.shares_buffer()},
                {"renderer", surface_.identity().renderer},
                {"input_to_new_work_ms", figures(latency_ms_)},
                {"frames_to_new_work_worst", frames_until_taken_up_},
                {"main_thread_computing_ms", figures(compute_ms_)},
                {"frame_ms", figures(frame_ms_)},
                {"worst_frames", worst_frames()},
                {"first_frame_ms", first_frame_ms_},
                {"home_4k_10000_input_to_whole_picture_ms", figures(whole_ms_)}};
    }

    /// What the loop was at in the longest frames.
    nlohmann::json worst_frames() const {
        nlohmann::json list = nlohmann::json::array();
        for (const Slow& slow : slowest_) {
            list.push_back({{"frame", slow.frame},
                            {"ms", slow.ms},
                            {"computing_ms", slow.computing_ms},
                            {"limit", slow.job.limit},
                            {"formula", info(slow.job.formula).title},
                            {"precision", precision_name(slow.job.precision)},
                            {"method", slow.method}});
        }
        return list;
    }

    double worst_ms() const { return *std::ranges::max_element(latency_ms_); }

  private:
    /// Whether nothing of the work before runs any more, and the input's own was begun.
    bool taken_up() const {
        const Extent size = surface_.framebuffer_size();
        const Explorer& explorer = loop_.explorer();
        const FrameJob wanted = explorer.frame_for(state_.scene, size.width, size.height).job;
        // Its sketch is its own work, too: no two inputs have the same view and another limit.
        const auto serves = [&wanted](FrameJob job) {
            job.limit = wanted.limit;
            return job == wanted;
        };
        if (explorer.working()) return serves(explorer.job());
        return loop_.shown() && serves(loop_.shown()->job);
    }

    /// Either a hand that moves the view, or another view, or other settings.
    void next_input() {
        if (dice_.below(2) == 0) {
            const Extent size = surface_.framebuffer_size();
            const PixelPoint at{dice_.between(0, size.width), dice_.between(0, size.height),
                                size.width, size.height};
            const View& now = state_.scene.view;
            state_.scene.view = dice_.below(2) == 0 ? zoom_at(now, at, dice_.between(0.9, 1.1))
                                                    : pan(now, dice_.below(41) - 20,
                                                          dice_.below(41) - 20, size.height);
            return;
        }
        const Heavy& view = kHeavy[dice_.below(std::size(kHeavy))];
        state_.scene.view = {BigFloat{view.re + dice_.between(-0.1, 0.1) / view.zoom},
                             BigFloat{view.im + dice_.between(-0.1, 0.1) / view.zoom},
                             BigFloat{view.zoom * dice_.between(0.8, 1.2)}};
        state_.scene.limit = view.limit;
        state_.scene.precision = static_cast<PrecisionChoice>(dice_.below(4));
        state_.tuning.method =
            kMethods[static_cast<std::size_t>(dice_.below(kMethods.size()))].method;
        if (dice_.below(5) == 0)
            state_.scene.formula = kFormulas[dice_.below(kFormulas.size())].formula;
    }

    /// One frame of the window's loop; its milliseconds until all is drawn.
    double frame() {
        const Extent size = surface_.framebuffer_size();
        const bool gpu =
            loop_.explorer().has_backend() && loop_.explorer().backend().info().cuda_device >= 0;
        const Stopwatch watch;
        loop_.compute(state_, {size.width, size.height, true, seconds_now()},
                      gpu ? kGpuBudgetMs : kCpuBudgetMs);
        compute_ms_.push_back(watch.ms());
        loop_.draw(state_, 0);
        glFinish();  // what a swap would wait for
        frame_ms_.push_back(watch.ms());
        loop_.finish(watch.ms(), watch.ms());
        note_slow();
        return frame_ms_.back();
    }

    void note_slow() {
        constexpr std::size_t kKept = 10;
        if (frame_ms_.back() < kSlowMs) return;
        slowest_.push_back({frame_ms_.size() - 1, frame_ms_.back(), compute_ms_.back(),
                            loop_.explorer().job(),
                            std::string{rung_of(state_.tuning.method)->key}});
        std::ranges::sort(slowest_, std::greater{}, &Slow::ms);
        if (slowest_.size() > kKept) slowest_.pop_back();
    }

    Options options_;
    Dice dice_;
    SizedSurface surface_{{3840, 2160}};
    FrameLoop loop_{surface_, Effort::kInteractive, InteropChoice::kAuto, 0};
    State state_;
    std::vector<double> latency_ms_, compute_ms_, frame_ms_, whole_ms_;
    std::vector<Slow> slowest_;  // first the slowest
    double first_frame_ms_ = 0;
    std::size_t frames_until_taken_up_ = 0;
};

Options parse(int count, char** arguments) {
    Options options;
    options.backend = cuda_status().problem.empty() ? "cuda" : "cpu";
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = arguments[i], value = arguments[i + 1];
        if (name == "--backend") options.backend = value;
        if (name == "--inputs") options.inputs = std::max(std::stoi(value), 1);
        if (name == "--seed") options.seed = static_cast<unsigned>(std::stoul(value));
        if (name == "--commit") options.commit = value;
        if (name == "--json") options.json = value;
        if (name == "--size") {
            options.size.width = std::stoi(value);
            options.size.height = std::stoi(value.substr(value.find('x') + 1));
        }
    }
    return options;
}

}  // namespace
}  // namespace warpscope

int main(int count, char** arguments) {
    constexpr int kSkip = 77;
    try {
        const warpscope::Options options = warpscope::parse(count, arguments);
        warpscope::check_outputs({options.json});
        std::unique_ptr<warpscope::Meter> meter;
        try {
            meter = std::make_unique<warpscope::Meter>(options);
        } catch (const warpscope::GlError& error) {
            std::cout << "skipped: " << error.what() << '\n';
            return kSkip;
        }
        meter->interrupt();
        meter->whole_pictures(std::clamp(options.inputs / 10, 1, 100));
        const nlohmann::json result = meter->result();
        std::cout << result.dump(2) << '\n';
        if (!options.json.empty()) warpscope::write_json(options.json, result);
        if (meter->worst_ms() > warpscope::kNeverMs) throw std::runtime_error{"an input waited"};
    } catch (const std::exception& error) {
        std::cerr << "failed: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
