// SPDX-License-Identifier: MIT
// A fixed set of worker threads that share one list of numbered pieces of work.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpscope {

/// Runs pieces 0 … n-1, each once, on whichever worker is free next. Used from one thread.
class ThreadPool {
  public:
    /// `threads` >= 1 workers; they sleep while there is nothing to do.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const noexcept { return static_cast<int>(workers_.size()); }

    /// Calls piece(i, worker) for all i < pieces; needs the last run to be over. Pieces must not
    /// throw.
    void start(int pieces, std::function<void(int piece, int worker)> piece);

    /// Waits up to `limit` for the run to end and returns whether it has.
    bool wait_for(std::chrono::duration<double, std::milli> limit);

    /// Hands out no further pieces and waits for those that run.
    void stop() noexcept;

    /// When the last worker ended the run; only after wait_for() has returned true.
    std::chrono::steady_clock::time_point ended_at() const noexcept { return ended_at_; }

  private:
    void work(int worker);

    std::mutex mutex_;
    std::condition_variable wake_, idle_;
    std::function<void(int, int)> piece_;
    std::uint64_t run_ = 0;
    int pieces_ = 0, busy_ = 0;
    bool quit_ = false;
    std::chrono::steady_clock::time_point ended_at_;
    std::atomic<int> next_{0};
    std::vector<std::thread> workers_;
};

}  // namespace warpscope
