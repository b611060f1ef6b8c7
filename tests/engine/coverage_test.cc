// SPDX-License-Identifier: MIT
// Whatever is refined and moved, in whatever order: what a coverage calls there has been computed
// at the right place, and when it is complete every pixel has.
#include "kernels/engine/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernels/engine/plan.h"

namespace warpscope {
namespace {

FrameJob job_of(int width, int height) {
    FrameJob job;
    job.spacing = 0.01;
    job.limit = 100;
    job.width = width;
    job.height = height;
    return job;
}

/// A frame whose samples are where they stand on the lattice; -1 where nothing was written.
struct Frame {
    FrameJob job;
    Coverage coverage;
    std::vector<int> samples;

    explicit Frame(const FrameJob& of) : job{of}, coverage{of}, samples(size(), -1) {}
    std::size_t size() const {
        return static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height);
    }
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(job.width) +
               static_cast<std::size_t>(x);
    }
    int value(int x, int y) const {
        const int right = x + static_cast<int>(job.shift_x),
                  down = y + static_cast<int>(job.shift_y);
        return (right + 5000) * 10000 + down + 5000;
    }
    /// Computes a pass; returns how many pixels were there already.
    int compute(const Pass& pass) {
        check_parts(job, pass.parts);
        int twice = 0;
        std::int64_t pixels = 0;
        for (const Part& part : pass.parts) {
            for (int y = part.y0; y < part.y1; y += part.step_y) {
                for (int x = part.x0; x < part.x1; x += part.step_x) {
                    twice += samples[at(x, y)] != -1 ? 1 : 0;
                    samples[at(x, y)] = value(x, y);
                    ++pixels;
                }
            }
        }
        EXPECT_EQ(pixels, pass.pixels);
        coverage.finish(pass);
        return twice;
    }
    void check() const {
        std::int64_t area = 0;
        for (const Region& region : coverage.regions()) {
            area += region.area();
            if (region.step == 0) continue;
            for (int y = region.y0; y < region.y1; ++y) {
                for (int x = region.x0; x < region.x1; ++x) {
                    const int mask = region.step - 1;
                    if (((x + coverage.origin_x()) & mask) != 0) continue;
                    if (((y + coverage.origin_y()) & mask) != 0) continue;
                    ASSERT_EQ(samples[at(x, y)], value(x, y)) << x << ' ' << y;
                }
            }
        }
        EXPECT_EQ(area, static_cast<std::int64_t>(size())) << "regions overlap or leave holes";
        EXPECT_LE(coverage.regions().size(), kMaxRegions);
    }
    /// What is left of this frame in `to`.
    std::optional<Frame> moved(const FrameJob& to) const {
        const std::optional<Coverage> kept = coverage.moved(job, to);
        if (!kept) return std::nullopt;
        Frame result{to};
        result.coverage = *kept;
        const int dx = static_cast<int>(to.shift_x - job.shift_x);
        const int dy = static_cast<int>(to.shift_y - job.shift_y);
        for (int y = 0; y < job.height; ++y) {
            for (int x = 0; x < job.width; ++x) {
                const int from_x = x + dx, from_y = y + dy;
                const bool kept_one =
                    from_x >= 0 && from_x < job.width && from_y >= 0 && from_y < job.height;
                if (kept_one) result.samples[result.at(x, y)] = samples[at(from_x, from_y)];
            }
        }
        return result;
    }
};

TEST(Coverage, GoesFromCoarseToFineAndComputesNothingTwice) {
    for (const int first : {1, 2, 8, 32}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {97, 61}, {64, 32}, {3, 50}}) {
            FrameJob job = job_of(width, height);
            job.shift_x = -13;
            job.shift_y = 7;
            Frame frame{job};
            EXPECT_FALSE(frame.coverage.visible());
            int passes = 0;
            while (const std::optional<Pass> pass = frame.coverage.next(first)) {
                const std::int64_t missing = frame.coverage.missing();
                EXPECT_TRUE(passes == 0 || pass->pixels > 0);
                EXPECT_EQ(frame.compute(*pass), 0);
                EXPECT_EQ(frame.coverage.missing(), missing - pass->pixels);
                frame.check();
                EXPECT_TRUE(frame.coverage.visible());
                ++passes;
            }
            // A frame narrower than the lattice has none of some passes.
            const int steps = 1 << (passes - 1);
            EXPECT_TRUE(width >= 32 ? steps == first : steps <= first) << width << ' ' << steps;
            EXPECT_TRUE(frame.coverage.complete());
            EXPECT_EQ(frame.coverage.missing(), 0);
            EXPECT_EQ(frame.coverage.regions().size(), 1u);
        }
    }
}

TEST(Coverage, ASinglePixelIsCompleteAsSoonAsItIsThere) {
    for (int shift = -40; shift <= 40; ++shift) {
        FrameJob job = job_of(1, 1);
        job.shift_x = shift;
        job.shift_y = 2 * shift;
        Frame frame{job};
        std::optional<Pass> pass = frame.coverage.next(kCoarsestStep);
        while (pass && pass->parts.empty()) {
            frame.coverage.finish(*pass);
            pass = frame.coverage.next(kCoarsestStep);
        }
        ASSERT_TRUE(pass) << shift;
        EXPECT_EQ(frame.compute(*pass), 0);
        frame.check();
        EXPECT_TRUE(frame.coverage.complete()) << shift;
        EXPECT_FALSE(frame.coverage.next(1)) << shift;
    }
}

TEST(Coverage, APanOfACompleteFrameLacksItsStripsOnly) {
    FrameJob job = job_of(100, 80);
    Frame frame{job};
    frame.compute(*frame.coverage.next(1));
    job.shift_x = 30;
    job.shift_y = -10;
    std::optional<Frame> moved = frame.moved(job);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->coverage.missing(), 100 * 10 + 30 * 70);
    EXPECT_EQ(moved->coverage.empty(), 100 * 10 + 30 * 70);
    EXPECT_EQ(moved->compute(*moved->coverage.next(1)), 0);
    EXPECT_TRUE(moved->coverage.complete());
    moved->check();
}

TEST(Coverage, AnotherZoomAFractionOfAPixelOrAWholeWindowSharesNothing) {
    const FrameJob job = job_of(100, 80);
    Frame frame{job};
    frame.compute(*frame.coverage.next(1));
    FrameJob other = job;
    other.shift_x = 0.5;
    EXPECT_FALSE(frame.moved(other));
    other = job;
    other.spacing = 0.02;
    EXPECT_FALSE(frame.moved(other));
    other = job;
    other.shift_y = 80;
    EXPECT_FALSE(frame.moved(other));
}

TEST(Coverage, PansFasterThanStripsAreFilledKeepTheFineMiddle) {
    Frame frame{job_of(400, 300)};
    frame.compute(*frame.coverage.next(1));
    for (int i = 0; i < 20; ++i) {
        FrameJob job = frame.job;
        job.shift_x += 5;
        job.shift_y += 3;
        frame = *frame.moved(job);
        frame.compute(*frame.coverage.next(32));  // the strips, coarsely
        frame.check();
    }
    std::int64_t fine = 0;
    for (const Region& region : frame.coverage.regions()) {
        if (region.step == 1) fine += region.area();
    }
    EXPECT_EQ(fine, 300 * 240);
}

TEST(Coverage, RandomPansAndPassesNeverLieAboutWhatIsThere) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random{seed};
    const auto below = [&random](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    for (int round = 0; round < 100; ++round) {
        Frame frame{job_of(1 + below(90), 1 + below(90))};
        for (int step = 0; step < 40; ++step) {
            if (below(3) == 0) {
                FrameJob job = frame.job;
                job.shift_x += below(61) - 30;
                job.shift_y += below(61) - 30;
                std::optional<Frame> moved = frame.moved(job);
                frame = moved ? *std::move(moved) : Frame{job};
            } else if (const auto pass = frame.coverage.next(1 << below(6))) {
                frame.compute(*pass);
            }
            frame.check();
        }
        while (const auto pass = frame.coverage.next(4)) frame.compute(*pass);
        EXPECT_TRUE(frame.coverage.complete());
        frame.check();
        EXPECT_EQ(std::ranges::count(frame.samples, -1), 0);
    }
}

}  // namespace
}  // namespace warpscope
