// SPDX-License-Identifier: MIT
// Threads that stay for the whole measurement: starting them is not part of what a rung is timed
// for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace warpscope::lab {

/// Who gets which task.
enum class Schedule : std::uint8_t {
    kFixed,    ///< equal runs of neighbours: a thread meets the memory that it touched first
    kDynamic,  ///< the next free one takes the next task: for unequal cores
};

/// Tasks 0 … count-1, each run once.
struct TeamWork {
    std::size_t count = 0;
    Schedule schedule = Schedule::kFixed;
    std::function<void(std::size_t)> task;  ///< must not throw; called from all threads
    std::function<void(double)> progress;   ///< optional; 0 to 1, from the calling thread only
};

/// A fixed number of threads, the caller being one. Used from one thread.
class Team {
  public:
    /// `threads` at least 1.
    explicit Team(int threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const noexcept { return size_; }

    /// Returns when all tasks are done (true) or no thread works any more after a stop (false).
    bool run(const TeamWork& work, const std::stop_token& stop = {});

  private:
    void serve(int member);
    void work_on(int member);

    const int size_;
    std::mutex mutex_;
    std::condition_variable wake_, finished_;
    std::uint64_t round_ = 0;  // guarded by mutex_, as are the next two
    int busy_ = 0;
    bool closing_ = false;
    const TeamWork* work_ = nullptr;  // set before a round, read during it
    const std::stop_token* stop_ = nullptr;
    std::atomic<std::size_t> next_{0}, done_{0};
    std::vector<std::thread> threads_;
};

}  // namespace warpscope::lab
