// SPDX-License-Identifier: MIT
// Ways to run the CPU's escape loops against the plainest: counts bit for bit, work honestly told.
#include "kernels/engine/method.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "kernels/engine/cpu/escape_cpu.h"
#include "kernels/engine/plan.h"
#include "tests/engine/frames.h"

namespace warpscope {
namespace {

constexpr Sample kUntouched{0xdeadbeef, -7};
constexpr Precision kPrecisions[] = {Precision::kFloat, Precision::kDf64, Precision::kDouble};

using Samples = std::vector<Sample>;

struct Outcome {
    Samples samples;
    Work work;
};

Outcome run(EscapePart loop, const FrameJob& job, const Method& method, const Part& part) {
    Signals signals;
    Outcome result{
        Samples(static_cast<std::size_t>(job.width) * static_cast<std::size_t>(job.height),
                kUntouched),
        {}};
    result.work = loop(job, method, part, result.samples.data(), signals);
    return result;
}

/// Pixels of which count or, by more than logarithms differ, fraction are not the same.
std::size_t unlike(const Samples& a, const Samples& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        count += a[i].count != b[i].count ||
                 std::abs(a[i].fraction - b[i].fraction) > kFractionTolerance;
    }
    return count;
}

std::string describe(const Method& method) {
    const auto flag = [](bool on, const char* name) { return on ? std::string{name} + " " : ""; };
    return flag(method.test == Test::kBlocks, "blocks") +
           flag(method.in_flight == InFlight::kSeveral, "several") +
           flag(method.closed_form, "closed") + flag(method.periodicity, "periodicity") +
           flag(method.schedule == Schedule::kRefill, "refill");
}

/// All combinations of the switches.
std::vector<Method> all_methods() {
    std::vector<Method> methods;
    for (unsigned bits = 0; bits < 32; ++bits) {
        const auto on = [&](unsigned bit) { return (bits >> bit & 1u) != 0; };
        methods.push_back({on(0) ? Test::kBlocks : Test::kEveryStep,
                           on(1) ? InFlight::kSeveral : InFlight::kOne, on(2), on(3),
                           on(4) ? Schedule::kRefill : Schedule::kWait});
    }
    return methods;
}

Part random_part(std::mt19937& random, const FrameJob& job) {
    const auto below = [&](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    if (below(3) == 0) return whole(job);
    const int x0 = below(job.width), y0 = below(job.height);
    return {
        x0,           y0,          x0 + 1 + below(job.width - x0), y0 + 1 + below(job.height - y0),
        1 + below(4), 1 + below(4)};
}

bool in_part(const Part& part, int x, int y) {
    return x >= part.x0 && x < part.x1 && y >= part.y0 && y < part.y1 &&
           (x - part.x0) % part.step_x == 0 && (y - part.y0) % part.step_y == 0;
}

void expect_rest_untouched(const FrameJob& job, const Part& part, const Samples& samples) {
    std::size_t wrong = 0;
    for (int y = 0; y < job.height; ++y) {
        for (int x = 0; x < job.width; ++x) {
            const Sample& sample =
                samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(job.width) +
                        static_cast<std::size_t>(x)];
            wrong += in_part(part, x, y) == (sample.count == kUntouched.count);
        }
    }
    EXPECT_EQ(wrong, 0u) << "samples outside the part written, or inside left out";
}

void expect_honest(const Work& work, const Work& naive, const Method& method) {
    EXPECT_EQ(work.iterations, naive.iterations);
    EXPECT_LE(work.executed, work.iterations);
    EXPECT_GE(work.lane_steps, work.executed);
    const bool shortcuts = method.closed_form || method.periodicity;
    EXPECT_TRUE(shortcuts || work.executed == work.iterations) << work.executed;
}

std::vector<SimdTarget> fma_targets() {
    std::vector<SimdTarget> targets = simd_targets();
    // Without FMA vectors round differently from the scalar loop by nature.
    std::erase_if(targets, [](const SimdTarget& target) { return !target.has_fma; });
    return targets;
}

class Methods : public testing::Test {
  protected:
    void SetUp() override {
        if (fma_targets().empty()) GTEST_SKIP() << "this processor has no FMA";
    }
};

TEST_F(Methods, CountAsTheNaiveScalarLoopDoesInAnyCombinationAndPart) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    const std::vector<Method> methods = all_methods();
    std::size_t turn = 0;
    for (const SimdTarget& target : fma_targets()) {
        for (const FormulaInfo& row : kFormulas) {
            for (const Precision precision : kPrecisions) {
                const FrameJob job = random_job(random, row, precision);
                const Part part = random_part(random, job);
                const Outcome naive = run(target.scalar, job, kMethods[0].method, part);
                expect_rest_untouched(job, part, naive.samples);
                for (int i = 0; i < 8; ++i) {
                    const Method& method = methods[turn++ * 5 % methods.size()];
                    SCOPED_TRACE(target.name + ", " + std::string{row.title} + ", " +
                                 std::string{precision_name(precision)} + ", " + describe(method));
                    const Outcome simd = run(target.simd, job, method, part);
                    EXPECT_EQ(unlike(naive.samples, simd.samples), 0u);
                    expect_rest_untouched(job, part, simd.samples);
                    expect_honest(simd.work, naive.work, method);
                    const Outcome scalar = run(target.scalar, job, method, part);
                    EXPECT_EQ(unlike(naive.samples, scalar.samples), 0u) << "scalar";
                    expect_honest(scalar.work, naive.work, method);
                }
            }
        }
    }
}

struct Place {
    const char* name;
    double re, im, spacing;
};

// Where shortcuts could go wrong: the boundaries of what the closed forms describe, and deep views
// where an orbit comes near its beginning without returning to it.
constexpr Place kDelicate[] = {
    {"cusp", 0.25, 0, 1e-6},
    {"cusp, wide", 0.25, 0, 1e-3},
    {"cardioid at i", -0.125, 0.6495190528383290, 1e-6},  // multiplier e^(2 pi i/3)
    {"cardioid at 1 radian", 0.37424, 0.23, 1e-3},
    {"disk's left end", -1.25, 0, 1e-6},
    {"disk's top", -1, 0.25, 1e-5},
    {"between cardioid and disk", -0.75, 0, 1e-5},
    {"seahorse valley", -0.7436438870371587, 0.1318259042053120, 1e-7},
    {"elephant valley", 0.2825, 0.0100, 1e-4},
    {"period 3", -1.7548776662466927, 0, 1e-5},
    {"home", -0.75, 0, 0.1},
};

FrameJob delicate_job(const Place& place, Precision precision, double depth) {
    FrameJob job;
    job.precision = precision;
    job.center_re = place.re;
    job.center_im = place.im;
    job.spacing = place.spacing * depth;
    job.width = 31;
    job.height = 15;
    job.limit = 20'000;
    return job;
}

double deepest(Precision precision) {
    switch (precision) {
        case Precision::kFloat:
            return 1e-1;
        case Precision::kDf64:
            return 1e-6;
        case Precision::kDouble:
            return 1e-8;
    }
    return 1;
}

void expect_shortcuts_change_nothing(const FrameJob& job, EscapePart plain, EscapePart loop) {
    const Outcome want = run(plain, job, find_method("in-flight")->method, whole(job));
    for (const char* key : {"closed-form", "periodicity", "refill"}) {
        const Method& method = find_method(key)->method;
        const Outcome got = run(loop, job, method, whole(job));
        EXPECT_EQ(unlike(want.samples, got.samples), 0u) << key;
        expect_honest(got.work, want.work, method);
    }
}

TEST_F(Methods, ShortcutsChangeNothingWhereTheyAreDelicate) {
    for (const Place& place : kDelicate) {
        for (const Precision precision : kPrecisions) {
            for (const double depth : {1.0, deepest(precision)}) {
                FrameJob job = delicate_job(place, precision, depth);
                SCOPED_TRACE(std::string{place.name} + ", " +
                             std::string{precision_name(precision)} + ", depth " +
                             std::to_string(depth));
                if (precision == Precision::kDouble) job.limit = 100'000;
                expect_shortcuts_change_nothing(job, escape_part_simd(), escape_part_simd());
                job.limit = 3000;
                job.width = job.height = 9;
                expect_shortcuts_change_nothing(job, escape_part_simd(), escape_part_scalar());
            }
        }
    }
}

TEST_F(Methods, PeriodicityChangesNothingInAnyFormula) {
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision : kPrecisions) {
            for (const bool julia : {false, true}) {
                FrameJob job;
                job.formula = row.formula;
                job.precision = precision;
                job.julia = julia;
                job.julia_re = -0.1;
                job.julia_im = 0.3;
                job.center_re = julia ? 0 : row.home_re;
                job.center_im = julia ? 0 : row.home_im;
                job.width = 48;
                job.height = 32;
                job.spacing = 4 / row.home_zoom / 32;
                job.limit = 5000;
                SCOPED_TRACE(std::string{row.title} + (julia ? " Julia, " : ", ") +
                             std::string{precision_name(precision)});
                expect_shortcuts_change_nothing(job, escape_part_simd(), escape_part_simd());
            }
        }
    }
}

/// All inside, in the bulb of period 3 that no closed form knows.
FrameJob inside_job(Precision precision) {
    FrameJob job;
    job.precision = precision;
    job.center_re = -0.1225611668766536;
    job.center_im = 0.7448617666197442;
    job.spacing = 1e-4;
    job.width = 64;
    job.height = 48;
    job.limit = 20'000;
    return job;
}

TEST_F(Methods, PeriodicitySparesMostOfAnInsideView) {
    for (const Precision precision : kPrecisions) {
        SCOPED_TRACE(precision_name(precision));
        const FrameJob job = inside_job(precision);
        for (const EscapePart loop : {escape_part_scalar(), escape_part_simd()}) {
            const Outcome all = run(loop, job, Method{}, whole(job));
            EXPECT_EQ(all.work.iterations, 64u * 48u * 20'000u);
            EXPECT_LT(all.work.executed, all.work.iterations / 10);
        }
    }
}

TEST_F(Methods, ClosedFormSparesAllOfTheCardioid) {
    for (const Precision precision : kPrecisions) {
        FrameJob job = inside_job(precision);
        job.center_re = -0.1;
        job.center_im = 0;
        for (const EscapePart loop : {escape_part_scalar(), escape_part_simd()}) {
            EXPECT_EQ(run(loop, job, Method{}, whole(job)).work.executed, 0u);
            job.formula = Formula::kTricorn;  // has none: there the switch must do nothing
            const Method only{warpscope::Test::kBlocks, InFlight::kSeveral, true, false,
                              Schedule::kWait};
            job.limit = 50;
            const Work work = run(loop, job, only, whole(job)).work;
            EXPECT_EQ(work.executed, work.iterations);
            job.formula = Formula::kMandelbrot;
        }
    }
}

TEST_F(Methods, RefilledLanesWaitLessOnABoundary) {
    FrameJob job;
    job.center_re = -0.7436438870371587;
    job.center_im = 0.1318259042053120;
    job.spacing = 1e-5;
    job.width = job.height = 192;
    job.limit = 5000;
    for (const Precision precision : kPrecisions) {
        job.precision = precision;
        const auto efficiency = [&](const char* key) {
            const Work work =
                run(escape_part_simd(), job, find_method(key)->method, whole(job)).work;
            return static_cast<double>(work.executed) / static_cast<double>(work.lane_steps);
        };
        EXPECT_GT(efficiency("refill"), 1.3 * efficiency("periodicity"));
    }
}

TEST_F(Methods, FractionsOfWhatOverflowsAreThoseOfTheScalarLoop) {
    // Of high powers and radii |z| or its square leave the type's range, in df64 for NaN.
    for (const FormulaInfo& row : kFormulas) {
        for (const Precision precision : kPrecisions) {
            for (const double bailout : {2.0, 1e4, 1e9}) {
                FrameJob job;
                job.formula = row.formula;
                job.precision = precision;
                job.bailout = bailout;
                job.spacing = 0.07;
                job.width = 64;
                job.height = 48;
                job.limit = 60;
                SCOPED_TRACE(std::string{row.title} + ", " +
                             std::string{precision_name(precision)} + ", radius " +
                             std::to_string(bailout));
                const Samples want =
                    run(escape_part_scalar(), job, kMethods[0].method, whole(job)).samples;
                const Samples got = run(escape_part_simd(), job, Method{}, whole(job)).samples;
                EXPECT_EQ(unlike(want, got), 0u);
            }
        }
    }
}

TEST_F(Methods, StopsSoonInAnyCombination) {
    using namespace std::chrono;
    FrameJob job = inside_job(Precision::kDouble);
    job.limit = 4'000'000'000u;
    for (Method method : all_methods()) {
        if (method.periodicity) continue;  // would be done in no time
        for (const EscapePart loop : {escape_part_scalar(), escape_part_simd()}) {
            SCOPED_TRACE(describe(method));
            Signals signals;
            Samples samples(64 * 48, kUntouched);
            steady_clock::time_point ended;
            std::thread worker{[&] {
                loop(job, method, whole(job), samples.data(), signals);
                ended = steady_clock::now();
            }};
            std::this_thread::sleep_for(2ms);
            const auto asked = steady_clock::now();
            signals.stop = true;
            worker.join();
            // Less than a millisecond of work; the machine may be busy.
            EXPECT_LT(ended - asked, 2s);
            EXPECT_EQ(samples.front().count, kUntouched.count);
        }
    }
}

TEST_F(Methods, CountsNearTheHighestLimitDoNotOverflow) {
    // Escapes at a known count while the limit is as high as it goes.
    FrameJob job;
    job.center_re = 0.2501;
    job.spacing = 1e-9;
    job.width = job.height = 4;
    job.limit = 0xffffffffu;
    for (const Precision precision : kPrecisions) {
        job.precision = precision;
        const Outcome naive = run(escape_part_scalar(), job, kMethods[0].method, whole(job));
        for (const MethodRung& rung : kMethods) {
            EXPECT_EQ(unlike(naive.samples,
                             run(escape_part_simd(), job, rung.method, whole(job)).samples),
                      0u)
                << rung.key;
        }
    }
}

}  // namespace
}  // namespace warpscope
