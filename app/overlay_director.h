// SPDX-License-Identifier: MIT
// Brings overlays to the screen: takes in histograms and traces, turns them into values once each,
// and lets the clock of a watched grid run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/background.h"
#include "app/frame_loop.h"
#include "app/overlay_colors.h"
#include "app/overlay_pair.h"
#include "app/panels/overlay_state.h"
#include "render/count_differences.h"
#include "render/count_histogram.h"
#include "render/overlay.h"
#include "render/readback.h"

namespace warpscope {

/// What the window shows in this frame. Borrowed for the call.
struct OverlayScene {
    const FrameLoop& loop;
    const State& state;
    Extent window;
    std::optional<PixelPoint> cursor;  ///< where the mouse is over the fractal
    double seconds = 0;                ///< since the last frame
    double now = 0;                    ///< seconds of a steady clock
};

/// One of the two frames that an overlay compares.
struct PairSide {
    std::string name;                              ///< "df64", "cpu-simd"
    std::optional<std::uint32_t> count_at_cursor;  ///< some frames late; 0 inside
};

/// The OpenGL context must be current in every call.
class OverlayDirector {
  public:
    /// With kComplete nothing is left to later frames that can be had now.
    explicit OverlayDirector(Effort effort) : effort_{effort} {}

    /// What to paint over this frame; null: nothing. Moves the choice's clock on. Throws GlError.
    Overlay* prepare(OverlayChoice& choice, const OverlayScene& scene);

    /// Whether the next frame will differ by itself.
    bool moving() const noexcept { return moving_; }

    /// The scale of what is painted; absent where nothing is.
    const std::optional<ValueRange>& range() const noexcept { return range_; }
    /// Of the overlays' colours, for the legend.
    const OverlayColors& colors() const noexcept { return colors_; }
    /// The newest histogram of the counts that are shown; null before the first.
    const CountSummary* counts() const noexcept { return counts_ ? &*counts_ : nullptr; }
    /// The recorded frame that is shown; null where none is.
    const Trace* trace() const noexcept { return values_ ? values_->trace.get() : nullptr; }
    /// Whether blocks are shown, which come and go as the clock runs; else pixels by themselves.
    bool shows_blocks() const noexcept { return values_ && values_->levels.empty(); }
    /// Milliseconds of the trace in a second of a watched run.
    float ms_per_second(const OverlayChoice& choice) const noexcept;
    /// The count under the cursor, some frames late; 0 inside; absent where there is none.
    const std::optional<std::uint32_t>& count_at_cursor() const noexcept { return count_; }
    /// The span under the cursor, an index into the trace's.
    const std::optional<std::size_t>& span_at_cursor() const noexcept { return span_; }
    /// The pixel of the trace under the cursor, an index into its pixel_work, where that is shown.
    const std::optional<std::size_t>& pixel_at_cursor() const noexcept { return pixel_; }
    /// The two frames that are compared, as far as they are named; left or coarser first.
    const std::array<PairSide, 2>& sides() const noexcept { return sides_; }
    /// In how many pixels they differ; null before they are both complete and counted.
    const DifferenceSummary* differences() const noexcept;
    /// Why nothing is painted, a sentence; empty where something is.
    const std::string& problem() const noexcept { return problem_; }

  private:
    using Values = std::shared_ptr<const TraceValues>;
    /// What is compared: the frames' jobs, and which of the frames that were computed for them.
    struct Pair {
        std::array<FrameJob, 2> jobs;
        std::array<std::uint64_t, 2> frames{};
        std::array<SampleGrid, 2> grids;
        bool same_jobs(const Pair& other) const { return jobs == other.jobs; }
        bool same(const Pair& other) const { return same_jobs(other) && frames == other.frames; }
    };

    Overlay& painter();
    void measure_counts(const OverlayScene& scene);
    void probe_count(const OverlayScene& scene);
    struct Probe {
        std::optional<Readback>& readback;
        std::optional<std::uint32_t>& count;
    };
    static std::optional<std::size_t> sample_under_cursor(const OverlayScene& scene);
    void probe(Probe probe, std::optional<std::size_t> index, const SampleGrid& grid);
    bool prepare_counts(const OverlayScene& scene, OverlayView& view);
    bool prepare_pair(const OverlayChoice& choice, const OverlayScene& scene, OverlayView& view);
    std::optional<Pair> find_pair(const OverlayChoice& choice, const OverlayScene& scene);
    void measure_pair();
    void probe_pair(const OverlayScene& scene);
    bool prepare_trace(OverlayChoice& choice, const OverlayScene& scene, OverlayView& view);
    std::shared_ptr<const Trace> wanted_trace(const OverlayChoice& choice,
                                              const OverlayScene& scene) const;
    void work_out(OverlayChoice& choice, const OverlayScene& scene);
    void adopt(Values values, OverlayChoice& choice, double now);
    void run_clock(OverlayChoice& choice, const OverlayScene& scene);
    void look_under_cursor(const OverlayScene& scene, const Reprojection& map);

    Effort effort_;
    OverlayColors colors_ = overlay_colors();
    std::optional<Overlay> painter_;
    std::optional<CountHistogram> histogram_;
    std::optional<Readback> probe_;

    std::optional<CountSummary> counts_;
    FrameJob counted_;  // what the newest histogram is or will be of
    std::optional<std::uint32_t> count_;

    std::array<PairSide, 2> sides_;
    std::optional<Pair> pair_;      // that is there now
    std::optional<Pair> compared_;  // that the newest summary is or will be of
    std::optional<DifferenceSummary> differences_;
    std::optional<CountDifferences> differing_;
    std::array<std::optional<Readback>, 2> pair_probes_;

    Values values_;
    double adopted_ = 0;  // when a trace was first shown, seconds
    Background<Values> working_;
    std::optional<std::size_t> span_, pixel_;

    std::optional<ValueRange> range_;
    std::string problem_;
    bool moving_ = false;
};

}  // namespace warpscope
