// SPDX-License-Identifier: MIT
// Random commands at 60 per second, for as long as one likes:
//   soak [--seconds N] [--seed S]
// Nothing may throw or upset OpenGL, no frame may take long, memory must be flat at the end, and
// whenever things are left alone the samples must be those of a frame computed afresh.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "app/clock.h"
#include "app/frame_loop.h"
#include "app/session/command.h"
#include "tests/ui/dice.h"
#include "tests/ui/sized_surface.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Of <sanitizer/allocator_interface.h>, which GCC 12 lacks; both sanitizers' libraries have it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
constexpr bool kSanitized = true;  // everything is slower
#else
constexpr bool kSanitized = false;
#endif

namespace warpscope {
namespace {

constexpr Extent kMost{800, 500};
constexpr double kTick = 1.0 / 60;   // seconds between commands
constexpr double kRoundSeconds = 2;  // of commands, then everything must settle
constexpr double kWorstComputeMs =
    kSanitized ? 1000 : 250;      // the promise is 33, on a quiet machine
constexpr int kHeldBySystem = 3;  // frames that others on the machine may have kept waiting
// Settling may take long where others load the machine, but something must come of it.
constexpr double kStallSeconds = kSanitized ? 60 : 20;
constexpr double kSettleSeconds = kSanitized ? 480 : 240;
constexpr double kMostGrowthMb = kSanitized ? 16 : 64;
constexpr double kMostDeviceGrowthMb = 64;

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What must be flat. A sanitizer keeps what was freed in quarantine, so that resident memory grows
/// by gigabytes: it is asked for what is allocated.
double used_mb() {
    constexpr double kMb = 1 << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return static_cast<double>(__sanitizer_get_current_allocated_bytes()) / kMb;
#else
    malloc_trim(0);  // or what is freed and kept, up to 18 MB, comes and goes in the figure
    std::ifstream file{"/proc/self/statm"};
    double total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / kMb;
#endif
}

/// Of the GPU that draws, CUDA's share included; nothing where the driver does not tell
/// (GL_NVX_gpu_memory_info).
std::optional<double> free_device_mb() {
    constexpr GLenum kAvailableKb = 0x9049;
    GLint kb = -1;
    glGetIntegerv(kAvailableKb, &kb);
    if (glGetError() != GL_NO_ERROR || kb < 0) return std::nullopt;
    return kb / 1024.0;
}

class Soak {
  public:
    explicit Soak(unsigned seed) : dice_{seed} {
        for (const BackendChoice& choice : backend_choices()) {
            if (choice.unavailable.empty()) backends_.push_back(choice.name);
        }
        state_.backend = backends_.back();
    }

    void run(double seconds) {
        const double start = seconds_now();
        std::optional<double> used, device;
        while (seconds_now() - start < seconds) {
            commands(std::min(kRoundSeconds, seconds));
            settle();
            compare();
            come_to_rest();
            note_memory(seconds_now() - start);
            // The first part of a run fills pools and caches.
            if (!used && seconds_now() - start > seconds / 4) {
                used = used_mb();
                device = free_device_mb();
            }
        }
        come_to_rest();
        report(seconds_now() - start);
        if (used) check_memory(*used, device);
    }

  private:
    void commands(double seconds) {
        const double until = seconds_now() + seconds;
        for (double next = seconds_now(); next < until; next += kTick) {
            step();
            ++commands_;
            frame();
            const double rest = next + kTick - seconds_now();
            if (rest > 0) std::this_thread::sleep_for(std::chrono::duration<double>{rest});
            next = std::max(next, seconds_now() - 1);  // a slow machine gets fewer, not all later
        }
    }

    void give(const Command& command) { state_ = apply(std::move(state_), command).state; }

    PixelPoint cursor() {
        const Extent size = surface_.framebuffer_size();
        const int width = std::max(size.width, 1), height = std::max(size.height, 1);
        return {dice_.between(0, width), dice_.between(0, height), width, height};
    }

    /// Moves as a hand does: the same drag or zoom for some frames.
    void move() {
        if (gesture_left_ == 0) {
            gesture_left_ = 1 + dice_.below(30);
            zooming_ = dice_.one_in(2);
            factor_ = dice_.between(0.85, 1.2);
            drag_x_ = dice_.below(41) - 20;
            drag_y_ = dice_.below(41) - 20;
            at_ = cursor();
        }
        --gesture_left_;
        const Extent size = surface_.framebuffer_size();
        if (zooming_) {
            give(ZoomAt{at_, factor_});
        } else {
            give(Pan{static_cast<double>(drag_x_), static_cast<double>(drag_y_),
                     std::max(size.height, 1)});
        }
        if (state_.scene.view.zoom.log2_abs() < -3) give(GoHome{});
    }

    void step() {
        if (dice_.below(3) != 0) return move();
        switch (dice_.below(12)) {
            case 0:
                return change_scene();
            case 1:
            case 2:
                return resize();
            case 3:
                return give(SetLimit{static_cast<std::int64_t>(std::pow(10, dice_.between(0, 6)))});
            case 4:
                state_.backend = backends_[static_cast<std::size_t>(
                    dice_.below(static_cast<int>(backends_.size())))];
                return;
            case 5:
                return change_tuning();
            case 6:
                return give(SetPrecision{static_cast<PrecisionChoice>(dice_.below(4))});
            case 7:
                return give(TogglePause{});
            case 8:
                return give(TogglePace{});
            case 9:
                return give(ToggleAntialias{});
            case 10:
                return change_colours();
            default:
                if (dice_.one_in(10)) {
                    loop_.probe(dice_.one_in(2) ? InteropChoice::kOff : InteropChoice::kAuto, 0);
                }
        }
    }

    void change_scene() {
        switch (dice_.below(4)) {
            case 0:
                give(SetFormula{kFormulas[static_cast<std::size_t>(
                                              dice_.below(static_cast<int>(kFormulas.size())))]
                                    .formula});
                break;
            case 1:
                give(SetJulia{BigFloat{dice_.between(-1, 0.4)}, BigFloat{dice_.between(-1, 1)}});
                break;
            case 2:
                give(LeaveJulia{});
                break;
            default:
                give(GoHome{});
        }
    }

    void change_tuning() {
        Tuning tuning = state_.tuning;
        switch (dice_.below(4)) {
            case 0:
                tuning.method = kMethods[static_cast<std::size_t>(
                                             dice_.below(static_cast<int>(kMethods.size())))]
                                    .method;
                break;
            case 1:
                tuning.block = {1 + dice_.below(64), 1 + dice_.below(16)};
                break;
            case 2:
                tuning.cpu_threads = dice_.below(9);
                break;
            default:
                tuning.cpu_tile = 8 + dice_.below(120);
        }
        give(SetTuning{tuning});
    }

    void change_colours() {
        ColorSettings color = state_.color;
        const std::vector<Palette>& palettes = loop_.palettes();
        color.palette =
            palettes[static_cast<std::size_t>(dice_.below(static_cast<int>(palettes.size())))].name;
        color.transfer = dice_.below(3);
        color.cycling = dice_.one_in(4);
        give(SetColor{color});
    }

    void resize() {
        constexpr Extent kOdd[] = {{1, 1}, {0, 0}, {1, 499}, {799, 1}, {333, 77}, kMost};
        if (dice_.one_in(2)) {
            surface_.resize(kOdd[dice_.below(6)]);
        } else {
            surface_.resize({1 + dice_.below(kMost.width), 1 + dice_.below(kMost.height)});
        }
        const int height = surface_.framebuffer_size().height;
        if (height > 0) give(SetWindowHeight{height});
    }

    void frame() {
        const Extent size = surface_.framebuffer_size();
        const Stopwatch all;
        loop_.compute(state_, {size.width, size.height, true, seconds_now()}, 4);
        compute_ms_.push_back(all.ms());
        const double phase = state_.color.cycling ? seconds_now() : 0;
        loop_.draw(state_, phase - std::floor(phase));
        glFinish();  // what a swap would wait for
        frame_ms_.push_back(all.ms());
        loop_.finish(all.ms(), all.ms());
        check_gl("a frame", __FILE__, __LINE__);
        held_ += compute_ms_.back() > kWorstComputeMs ? 1 : 0;
        if (held_ > kHeldBySystem) {
            throw Failure{"the main thread was held for " + std::to_string(compute_ms_.back()) +
                          " ms"};
        }
    }

    /// Frames without commands, until all is computed.
    void settle() {
        if (surface_.framebuffer_size().width == 0) surface_.resize({320, 200});
        give(SetWindowHeight{surface_.framebuffer_size().height});
        if (state_.paused) give(TogglePause{});
        state_.settings.pace = Pace::kEconomy;
        state_.color.cycling = false;
        if (state_.scene.limit > 3000) state_.scene.limit = 3000;
        const double start = seconds_now();
        double newest = start;
        Achieved achieved = achievements();
        do {
            frame();
            const double now = seconds_now();
            const Achieved before = std::exchange(achieved, achievements());
            if (achieved != before) newest = now;
            if (now > newest + kStallSeconds || now > start + kSettleSeconds) {
                throw Failure{"does not settle: " + standing()};
            }
        } while (!loop_.settled() || !loop_.shown() || !loop_.shown()->complete());
    }

    /// Frames, jittered ones, and the share that is there of the present one.
    using Achieved = std::tuple<std::uint64_t, std::uint64_t, double>;
    Achieved achievements() const {
        return {loop_.frames_computed(), loop_.samples_computed(), loop_.explorer().fraction()};
    }

    /// What the loop is at, for a message.
    std::string standing() const {
        const Explorer& explorer = loop_.explorer();
        const FrameJob& job = explorer.wanted();
        std::ostringstream text;
        text << describe(job) << ", " << 100 * explorer.fraction() << " % done, sample "
             << explorer.sample_index() << ", " << loop_.frames_computed() << " frames and "
             << loop_.samples_computed() << " samples were computed, the last in "
             << explorer.stats().kernel_ms << " ms";
        text << (loop_.settled() ? ", settled" : ", works");
        if (!loop_.shown()) return text.str() + ", nothing shown";
        text << ", shown is " << (loop_.shown()->job == job ? "wanted" : "other") << " and "
             << (loop_.shown()->complete() ? "complete" : "incomplete");
        return text.str();
    }

    std::string describe(const FrameJob& job) const {
        const Tuning& tuning = state_.tuning;
        std::ostringstream text;
        text << state_.backend << ", " << tuning.cpu_threads << " threads, tiles of "
             << tuning.cpu_tile << ", " << info(job.formula).title << (job.julia ? " Julia" : "")
             << ", " << job.width << " x " << job.height << ", limit " << job.limit << ", "
             << precision_name(job.precision);
        return text.str();
    }

    void compare() {
        const FrameJob job = loop_.shown()->job;
        if (!(job == loop_.explorer().wanted())) throw Failure{"another frame is shown"};
        const std::vector<Sample> got = loop_.read_samples();
        std::vector<Sample> want(got.size());
        const std::unique_ptr<Backend> fresh = make_backend(state_.backend);
        fresh->start(job, state_.tuning);
        while (!fresh->advance({want.data(), Memory::kHost}, 100).done) continue;
        std::size_t different = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const bool same = got[i].count == want[i].count && got[i].fraction == want[i].fraction;
            different += same ? 0 : 1;
        }
        ++comparisons_;
        if (different == 0) return;
        throw Failure{std::to_string(different) + " of " + std::to_string(got.size()) +
                      " samples differ from a fresh frame: " + describe(job)};
    }

    /// The same state each time, so that memory can be compared.
    void come_to_rest() {
        State calm;
        calm.backend = backends_.back();
        calm.settings.pace = Pace::kEconomy;
        calm.settings.antialias = false;
        const State busy = std::exchange(state_, calm);
        const Extent size = surface_.framebuffer_size();
        surface_.resize(kMost);
        settle();
        surface_.resize(size);
        state_ = busy;
    }

    /// A line a minute, to see in which a long run went wrong.
    void note_memory(double seconds) {
        if (seconds < 60 * (minutes_ + 1)) return;
        minutes_ = static_cast<int>(seconds / 60);
        std::cout << minutes_ << " min: " << commands_ << " commands, memory " << used_mb() << " MB"
                  << std::endl;
    }

    void report(double seconds) const {
        std::cout << commands_ << " commands in " << std::lround(seconds) << " s, " << comparisons_
                  << " comparisons\n";
        const std::pair<const char*, const std::vector<double>*> figures[] = {
            {"main thread computing", &compute_ms_}, {"frame", &frame_ms_}};
        for (const auto& [what, ms] : figures) {
            std::cout << what << ": median " << quantile(*ms, 0.5) << " ms, p99 "
                      << quantile(*ms, 0.99) << " ms, worst " << quantile(*ms, 1) << " ms\n";
        }
    }

    void check_memory(double used, std::optional<double> device) const {
        const double now = used_mb();
        std::cout << "memory: " << used << " MB after a quarter, at the end " << now << " MB\n";
        if (now > used + kMostGrowthMb) throw Failure{"memory grows"};
        const std::optional<double> left = free_device_mb();
        if (!device || !left) return;
        std::cout << "free device memory: " << *device << " MB, at the end " << *left << " MB\n";
        if (*left < *device - kMostDeviceGrowthMb) throw Failure{"device memory grows"};
    }

    Dice dice_;
    SizedSurface surface_{kMost};
    FrameLoop loop_{surface_, Effort::kInteractive, InteropChoice::kAuto, 0};
    State state_;
    std::vector<std::string> backends_;
    int gesture_left_ = 0, drag_x_ = 0, drag_y_ = 0;
    bool zooming_ = false;
    double factor_ = 1;
    PixelPoint at_;
    std::vector<double> compute_ms_, frame_ms_;  // 10 MB after ten minutes
    int held_ = 0;
    int commands_ = 0, comparisons_ = 0, minutes_ = 0;
};

}  // namespace
}  // namespace warpscope

int main(int count, char** arguments) {
    constexpr int kSkip = 77;
    double seconds = 10;
    unsigned seed = std::random_device{}();
    try {
        for (int i = 1; i + 1 < count; i += 2) {
            const std::string name = arguments[i];
            if (name == "--seconds") seconds = std::stod(arguments[i + 1]);
            if (name == "--seed") seed = static_cast<unsigned>(std::stoul(arguments[i + 1]));
        }
        std::cout << "seed " << seed << std::endl;
        std::optional<warpscope::Soak> soak;
        try {
            soak.emplace(seed);
        } catch (const warpscope::GlError& error) {
            std::cout << "skipped: " << error.what() << '\n';
            return kSkip;
        }
        soak->run(seconds);
    } catch (const std::exception& error) {
        std::cerr << "failed: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
