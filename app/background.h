// SPDX-License-Identifier: MIT
// One long piece of work on its own thread, watched by a panel.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace warpscope {

/// What the work tells while it runs. Thread-safe.
class WorkProgress {
  public:
    /// Forgets what was told before: work begins now.
    void restart() {
        const std::lock_guard lock{mutex_};
        fraction_ = 0;
        label_.clear();
        start_ = Clock::now();
    }
    void set(double fraction, std::string label) {
        const std::lock_guard lock{mutex_};
        fraction_ = fraction;
        label_ = std::move(label);
    }
    double fraction() const {
        const std::lock_guard lock{mutex_};
        return fraction_;
    }
    std::string label() const {
        const std::lock_guard lock{mutex_};
        return label_;
    }
    /// Seconds until the end if work goes on as it went; absent while too little is done to say.
    std::optional<double> seconds_left() const {
        constexpr double kEnough = 0.05;
        const std::lock_guard lock{mutex_};
        if (fraction_ < kEnough) return std::nullopt;
        const std::chrono::duration<double> spent = Clock::now() - start_;
        return spent.count() * (1 - fraction_) / fraction_;
    }

  private:
    using Clock = std::chrono::steady_clock;

    mutable std::mutex mutex_;
    double fraction_ = 0;
    std::string label_;
    Clock::time_point start_ = Clock::now();
};

/// Runs one piece of work at a time and keeps the newest result. Used from one thread.
template <class Result>
class Background {
  public:
    using Work = std::function<Result(std::stop_token, WorkProgress&)>;

    /// Starts `work`; what runs is stopped and forgotten first.
    void start(Work work) {
        stop();
        done_ = false;
        failure_.clear();
        progress_.restart();
        running_ = true;
        thread_ = std::jthread{[this, work = std::move(work)](std::stop_token stop) {
            try {
                Result result = work(stop, progress_);
                const std::lock_guard lock{mutex_};
                fresh_ = std::move(result);
            } catch (const std::exception& error) {
                // Travels back as a value; the main thread shows it.
                const std::lock_guard lock{mutex_};
                failure_ = error.what();
            }
            done_ = true;
        }};
    }

    /// Asks the work to end and waits for it. What it returned by then is kept.
    void stop() {
        if (!running_) return;
        thread_.request_stop();
        thread_.join();
        collect();
    }

    /// Asks the work to end without waiting.
    void request_stop() {
        if (running_) thread_.request_stop();
    }

    /// Takes over a result that has arrived; returns whether one has. Call once a frame.
    bool collect() {
        if (!running_ || !done_) return false;
        if (thread_.joinable()) thread_.join();
        running_ = false;
        if (!fresh_) return false;
        result_ = std::move(fresh_);
        fresh_.reset();
        return true;
    }

    bool running() const noexcept { return running_; }
    const WorkProgress& progress() const noexcept { return progress_; }
    const std::optional<Result>& result() const noexcept { return result_; }
    /// Why the last piece of work has no result; empty where it has.
    const std::string& failure() const noexcept { return failure_; }

  private:
    std::mutex mutex_;
    std::atomic<bool> done_{false};
    bool running_ = false;
    std::optional<Result> fresh_, result_;
    std::string failure_;
    WorkProgress progress_;
    std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace warpscope
