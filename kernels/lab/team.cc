// SPDX-License-Identifier: MIT
#include "kernels/lab/team.h"

#include <cassert>

namespace warpscope::lab {

Team::Team(int threads) : size_{threads} {
    assert(threads >= 1);
    for (int member = 1; member < threads; ++member) {
        threads_.emplace_back([this, member] { serve(member); });
    }
}

Team::~Team() {
    {
        const std::lock_guard lock{mutex_};
        closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

bool Team::run(const TeamWork& work, const std::stop_token& stop) {
    {
        const std::lock_guard lock{mutex_};
        work_ = &work;
        stop_ = &stop;
        next_ = 0;
        done_ = 0;
        busy_ = size_ - 1;
        ++round_;
    }
    if (size_ > 1) wake_.notify_all();
    work_on(0);
    std::unique_lock lock{mutex_};
    finished_.wait(lock, [this] { return busy_ == 0; });
    return done_ == work.count;
}

void Team::serve(int member) {
    std::uint64_t seen = 0;
    while (true) {
        {
            std::unique_lock lock{mutex_};
            wake_.wait(lock, [&] { return closing_ || round_ != seen; });
            if (closing_) return;
            seen = round_;
        }
        work_on(member);
        const std::lock_guard lock{mutex_};
        if (--busy_ == 0) finished_.notify_one();
    }
}

void Team::work_on(int member) {
    const std::size_t count = work_->count;
    const auto share = [&](int m) {
        const auto whole = static_cast<std::size_t>(size_), part = static_cast<std::size_t>(m);
        return count / whole * part + count % whole * part / whole;
    };
    const bool fixed = work_->schedule == Schedule::kFixed;
    std::size_t task = fixed ? share(member) : next_++;
    const std::size_t end = fixed ? share(member + 1) : count;
    while (task < end && !stop_->stop_requested()) {
        work_->task(task);
        const std::size_t done = ++done_;
        if (member == 0 && work_->progress) {
            work_->progress(static_cast<double>(done) / static_cast<double>(count));
        }
        task = fixed ? task + 1 : next_++;
    }
}

}  // namespace warpscope::lab
