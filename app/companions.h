// SPDX-License-Identifier: MIT
// Frames that are computed beside the picture: the same view in another number type, or by another
// backend. Each has an explorer and a buffer of its own, so that it is sliced, cancelled and
// refined as the picture is. Where none is wanted there is none.
//
// Who computes on the same processor takes turns, or each would look slower than it is: the picture
// first, until all of it is there, then its companions one after the other; live, a frame each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/explorer.h"
#include "render/interop.h"
#include "render/sample_buffer.h"

namespace warpscope {

/// How a companion differs from the picture.
struct Companion {
    std::optional<Precision> precision;  ///< absent: the picture's
    std::string backend;                 ///< one of backend_choices(); empty: the picture's
    bool live = false;  ///< computed again and again where the picture is; else once at rest
    bool operator==(const Companion&) const = default;
};

/// The picture that is accompanied, as it is now. Borrowed for the call.
struct Lead {
    const State& state;
    const Viewport& viewport;
    FrameJob wanted;           ///< of the state
    bool ready = false;        ///< all of it is shown
    bool gpu = false;          ///< computed by one
    std::uint64_t frames = 0;  ///< computed to their end so far
};

/// One companion's frame. The OpenGL context must be current in every call and when it ends.
class SecondPicture {
  public:
    SecondPicture(Effort effort, const InteropVerdict& verdict);
    ~SecondPicture();
    SecondPicture(const SecondPicture&) = delete;
    SecondPicture& operator=(const SecondPicture&) = delete;

    /// Computes for about `budget_ms`; returns whether there is something new to draw. Throws
    /// BackendError and GlError.
    bool compute(const State& state, const Viewport& viewport, double budget_ms);
    /// Gives running work up.
    void rest() noexcept { explorer_.cancel(); }
    /// Sharing has been probed anew.
    void lend(const InteropVerdict& verdict);

    const Explorer& explorer() const noexcept { return explorer_; }
    const std::optional<ShownFrame>& shown() const noexcept { return shown_; }
    /// The samples of shown(), borrowed until the next compute().
    SampleGrid grid() const noexcept { return buffer_.front(); }
    /// Frames that were computed to their end.
    std::uint64_t frames() const noexcept { return frames_; }

  private:
    InteropVerdict verdict_;
    SampleBuffer buffer_;
    Explorer explorer_;
    std::optional<ShownFrame> shown_;
    std::uint64_t frames_ = 0;
};

class Companions {
  public:
    explicit Companions(Effort effort) : effort_{effort} {}

    /// What accompanies the picture from now on.
    void want(const std::vector<Companion>& wanted, const InteropVerdict& verdict);
    bool empty() const noexcept { return members_.empty(); }

    /// Whether the picture may compute now: else a companion has the processor.
    bool leave_turn(const Lead& lead);
    /// Lets those whose turn it is compute for about `budget_ms`; returns whether there is
    /// something new to draw. A companion that fails is left alone, see problem(). Throws GlError.
    bool compute(const Lead& lead, double budget_ms);
    /// Whether the last compute() left something to do.
    bool working() const noexcept { return working_; }

    /// Gives running work up.
    void rest() noexcept;
    /// Sharing has been probed anew.
    void lend(const InteropVerdict& verdict);

    std::size_t size() const noexcept { return members_.size(); }
    const Companion& wish(std::size_t index) const { return members_[index].wish; }
    const SecondPicture& picture(std::size_t index) const { return *members_[index].picture; }
    /// Why one of them failed; empty where none did.
    std::string problem() const;

  private:
    struct Member {
        Companion wish;
        std::unique_ptr<SecondPicture> picture;
        std::string problem;
    };

    bool behind(const Member& member, const Lead& lead) const;
    /// Whether it computes on another processor than the picture, at the same time.
    static bool is_beside(const Member& member, const Lead& lead);
    bool has_turn(const Member& member, const Lead& lead) const;
    bool run(Member& member, const Lead& lead, double budget_ms);

    Effort effort_;
    std::vector<Member> members_;
    FrameJob wanted_;             // of the newest lead
    double changed_ = -1e9;       // when it became that, seconds
    std::uint64_t answered_ = 0;  // the lead's frames that have a live companion's beside them
    bool working_ = false;
};

}  // namespace warpscope
