// SPDX-License-Identifier: MIT
// What the render tests share: a context (or a skipped test) and a backend with known samples.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "kernels/engine/backend.h"
#include "render/offscreen.h"
#include "render/presenter.h"
#include "render/sample_buffer.h"

namespace warpscope::test {

/// Has a context of kWidth x kHeight current; skips where no OpenGL can be had.
class GlTest : public testing::Test {
  protected:
    static constexpr int kWidth = 64, kHeight = 48;

    void SetUp() override {
        try {
            gl_.emplace(
                OffscreenOptions{.width = kWidth, .height = kHeight, .debug = GlDebug::kOn});
        } catch (const GlError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    std::optional<OffscreenContext> gl_;
};

/// Writes given samples to host targets, one half per advance().
class ListBackend : public Backend {
  public:
    explicit ListBackend(std::vector<Sample> samples) : samples_{std::move(samples)} {}

    const BackendInfo& info() const noexcept override { return info_; }
    void start(const FrameJob&, const Tuning&, std::span<const Part>) override { half_ = 0; }
    Progress advance(Target target, double) override {
        const std::size_t begin = half_ * (samples_.size() / 2);
        const std::size_t end = half_ == 0 ? samples_.size() / 2 : samples_.size();
        std::copy(samples_.begin() + static_cast<std::ptrdiff_t>(begin),
                  samples_.begin() + static_cast<std::ptrdiff_t>(end), target.samples + begin);
        ++half_;
        return {half_ / 2.0, half_ == 2};
    }
    void cancel() noexcept override {}
    FrameStats stats() override { return {}; }
    bool accepts(Memory memory) const noexcept override { return memory == Memory::kHost; }
    HostSamples allocate_host(std::size_t count) override {
        return {new Sample[count], [](Sample* samples) { delete[] samples; }};
    }

  private:
    BackendInfo info_{"list", "memory", "known samples", -1};
    std::vector<Sample> samples_;
    unsigned half_ = 0;
};

/// One whole frame of `backend` into `buffer`, mapped anew for every slice of work.
inline void fill(SampleBuffer& buffer, Backend& backend, const FrameJob& job = {}) {
    backend.start(job, {});
    for (bool done = false; !done;) {
        const Target target = buffer.map();
        done = backend.advance(target, 5).done;
        buffer.unmap();
    }
    buffer.publish();
}

inline bool operator==(const std::vector<Sample>& a, const std::vector<Sample>& b) {
    return std::ranges::equal(a, b, [](const Sample& x, const Sample& y) {
        return x.count == y.count && x.fraction == y.fraction;
    });
}

/// Counts of every magnitude up to 2^32 - 1, an eighth of them interior.
inline std::vector<Sample> random_samples(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::uniform_real_distribution<float> fraction{0, 1};
    std::vector<Sample> samples(count);
    for (Sample& sample : samples) {
        if (random() % 8 == 0) {
            sample = {0, 0};
            continue;
        }
        sample = {std::max(1u, static_cast<std::uint32_t>(random()) >> (random() % 32)),
                  fraction(random)};
    }
    return samples;
}

/// Sets an environment variable for as long as it lives.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_{name} {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~Environment() {
        if (before_) {
            setenv(name_, before_->c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace warpscope::test
