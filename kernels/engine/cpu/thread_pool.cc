// SPDX-License-Identifier: MIT
#include "kernels/engine/cpu/thread_pool.h"

#include <cassert>
#include <utility>

namespace warpscope {

ThreadPool::ThreadPool(int threads) {
    workers_.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
    stop();
    {
        const std::lock_guard lock{mutex_};
        quit_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::start(int pieces, std::function<void(int, int)> piece) {
    {
        const std::lock_guard lock{mutex_};
        assert(busy_ == 0);
        piece_ = std::move(piece);
        pieces_ = pieces;
        next_ = 0;
        busy_ = size();
        ++run_;
    }
    wake_.notify_all();
}

bool ThreadPool::wait_for(std::chrono::duration<double, std::milli> limit) {
    std::unique_lock lock{mutex_};
    return idle_.wait_for(lock, limit, [this] { return busy_ == 0; });
}

void ThreadPool::stop() noexcept {
    std::unique_lock lock{mutex_};
    next_ = pieces_;
    idle_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadPool::work(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock{mutex_};
            wake_.wait(lock, [&] { return quit_ || run_ != seen; });
            if (quit_) return;
            seen = run_;
        }
        for (int i = next_++; i < pieces_; i = next_++) piece_(i, worker);
        const std::lock_guard lock{mutex_};
        if (--busy_ == 0) {
            ended_at_ = std::chrono::steady_clock::now();
            idle_.notify_all();
        }
    }
}

}  // namespace warpscope
