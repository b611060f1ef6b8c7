// SPDX-License-Identifier: MIT
// The ways to run the escape loop, as a ladder: each rung adds one idea, none changes a count.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpscope {

/// When |z| is looked at.
enum class Test : std::uint8_t {
    kEveryStep,
    kBlocks,  ///< once per block of steps, replaying the last block for the exact count
};

/// CPU: vectors of pixels that one SIMD loop works on at a time. A GPU hides latency with warps.
enum class InFlight : std::uint8_t { kOne, kSeveral };

/// What happens when some lanes of a warp or vector are done and others are not.
enum class Schedule : std::uint8_t {
    kWait,  ///< the pixels of a warp or vector are fixed: lanes that are done wait for the last
    /// Lanes that are done get other work. CPU: the next pixels of the tile. CUDA: a frame is a few
    /// launches, and what still runs after each is packed into full warps for the next.
    kRefill,
};

/// How escape loops run. Never changes a count.
struct Method {
    Test test = Test::kBlocks;
    InFlight in_flight = InFlight::kSeveral;
    bool closed_form = true;  ///< skip what a formula's closed form says is inside
    bool periodicity = true;  ///< stop at orbits that return to where they were (Brent)
    Schedule schedule = Schedule::kRefill;
    bool operator==(const Method&) const = default;
};

/// A rung of the ladder.
struct MethodRung {
    std::string_view key;    ///< as on the command line
    std::string_view title;  ///< as people read it
    std::string_view idea;   ///< what it adds to the rung before, a sentence
    Method method;
};

/// From the plainest to the default.
inline constexpr auto kMethods = std::to_array<MethodRung>({
    {"naive",
     "Naive",
     "Tests |z| after every step.",
     {Test::kEveryStep, InFlight::kOne, false, false, Schedule::kWait}},
    {"blocks",
     "Block test",
     "Tests |z| once per block of steps and replays the last block for the exact count.",
     {Test::kBlocks, InFlight::kOne, false, false, Schedule::kWait}},
    {"in-flight",
     "Several vectors in flight",
     "CPU: works on several independent vectors at a time, so that one computes while another "
     "waits for its result. A GPU's warps do that by themselves.",
     {Test::kBlocks, InFlight::kSeveral, false, false, Schedule::kWait}},
    {"closed-form",
     "Closed form",
     "Skips pixels in the main cardioid and the disk of period 2, known to be inside.",
     {Test::kBlocks, InFlight::kSeveral, true, false, Schedule::kWait}},
    {"periodicity",
     "Periodicity",
     "Stops orbits that have returned exactly to an earlier point: they never escape.",
     {Test::kBlocks, InFlight::kSeveral, true, true, Schedule::kWait}},
    {"refill",
     "Refilled lanes",
     "Lanes whose pixel is done get other work instead of waiting for the rest: the next pixels on "
     "a CPU; on a GPU the pixels that still run are packed into full warps between launches.",
     {Test::kBlocks, InFlight::kSeveral, true, true, Schedule::kRefill}},
});

/// The rung of that key, or nullptr.
constexpr const MethodRung* find_method(std::string_view key) noexcept {
    for (const MethodRung& rung : kMethods) {
        if (rung.key == key) return &rung;
    }
    return nullptr;
}

/// The rung that is exactly `method`, or nullptr: switches can be combined freely.
constexpr const MethodRung* rung_of(const Method& method) noexcept {
    for (const MethodRung& rung : kMethods) {
        if (rung.method == method) return &rung;
    }
    return nullptr;
}

}  // namespace warpscope
