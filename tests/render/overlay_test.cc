// SPDX-License-Identifier: MIT
// Overlays on grids small enough to know every pixel of.
#include "render/overlay.h"

#include <algorithm>
#include <cmath>

#include "tests/engine/traces.h"
#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

using Pixels = std::vector<std::uint32_t>;

constexpr std::uint32_t kDiffering = 0xffff00ffu;
constexpr std::uint32_t kInterior = 0xff604020u, kMissing = 0xff202020u, kRunning = 0xffffffffu;
constexpr std::uint32_t kBase = 0xff000000u;

/// Entry i of the scale is (i, 0, 255 - i), of the categories (0, i, 99).
OverlayColors known_colors() {
    OverlayColors colors{};
    for (std::uint32_t i = 0; i < kOverlayColors; ++i) {
        colors.scale[i] = 0xff000000u | (255u - i) << 16 | i;
        colors.categories[i] = 0xff630000u | i << 8;
    }
    colors.interior = kInterior;
    colors.missing = kMissing;
    colors.running = kRunning;
    colors.differing = kDiffering;
    return colors;
}

class OverlayTest : public GlTest {
  protected:
    void SetUp() override {
        GlTest::SetUp();
        if (IsSkipped()) return;
        overlay_.emplace(known_colors());
        samples_.emplace();
    }

    /// What is seen of `view` over an even colour.
    Pixels paint(const OverlayView& view, std::uint32_t base = kBase) {
        const auto part = [base](int shift) {
            return static_cast<float>(base >> shift & 255u) / 255;
        };
        const float color[] = {part(0), part(8), part(16), 1};
        glClearNamedFramebufferfv(gl_->framebuffer(), GL_COLOR, 0, color);
        overlay_->set_view(view);
        overlay_->paint(gl_->texture(), samples_->id(), picture_);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        return gl_->read_pixels();
    }

    static std::uint32_t at(const Pixels& pixels, int x, int y) {
        return pixels[static_cast<std::size_t>(y * kWidth + x)];
    }

    /// Samples with these counts, row 0 on top, in a grid of kWidth x kHeight.
    void set_counts(const std::vector<std::uint32_t>& counts) {
        std::vector<Sample> samples;
        for (const std::uint32_t count : counts) samples.push_back({count, 0.5f});
        glNamedBufferData(samples_->id(), static_cast<GLsizeiptr>(samples.size() * sizeof(Sample)),
                          samples.data(), GL_STATIC_DRAW);
    }

    /// A trace of the window's size in four blocks of 32 x 24.
    static Trace quarters() {
        Trace trace = four_blocks();
        trace.job.width = kWidth;
        trace.job.height = kHeight;
        trace.shape = {kWidth / 2, kHeight / 2};
        trace.grids = {{2, 2, whole_of(trace.job)}};
        return trace;
    }

    std::optional<GlBuffer> samples_;
    Placement picture_{
        .grid_width = kWidth, .grid_height = kHeight, .width = kWidth, .height = kHeight};
    std::optional<Overlay> overlay_;
};

constexpr std::uint32_t scale_color(std::uint32_t i) { return 0xff000000u | (255u - i) << 16 | i; }
constexpr std::uint32_t category(std::uint32_t i) { return 0xff630000u | i << 8; }
constexpr Cell value(float of) { return {.value = of, .flags = Cell::kHasValue}; }

TEST_F(OverlayTest, CountsAreColouredByTheirLogarithm) {
    std::vector<std::uint32_t> counts(kWidth * kHeight, 1);
    counts[0] = 32;
    counts[1] = 1024;
    counts[2] = 5000;  // beyond the scale's end
    counts[3] = 0;     // interior
    counts[kWidth] = 32;
    set_counts(counts);
    const OverlayView view{.scale = OverlayScale::kLog, .low = 1, .high = 1024};
    const Pixels seen = paint(view);
    EXPECT_EQ(at(seen, 0, 0), scale_color(128));
    EXPECT_EQ(at(seen, 1, 0), scale_color(255));
    EXPECT_EQ(at(seen, 2, 0), scale_color(255));
    EXPECT_EQ(at(seen, 3, 0), kInterior);
    EXPECT_EQ(at(seen, 4, 0), scale_color(0));
    EXPECT_EQ(at(seen, 0, 1), scale_color(128)) << "row 0 is on top";
    EXPECT_EQ(at(seen, 0, kHeight - 1), scale_color(0));
}

TEST_F(OverlayTest, OpacityBlendsWithThePicture) {
    set_counts(std::vector<std::uint32_t>(kWidth * kHeight, 1024));
    OverlayView view{.scale = OverlayScale::kLog, .low = 1, .high = 1024, .opacity = 0};
    EXPECT_EQ(at(paint(view, 0xff00c800u), 5, 5), 0xff00c800u);
    view.opacity = 0.6f;
    // 0.4 of (0, 200, 0) and 0.6 of (255, 0, 0).
    EXPECT_EQ(at(paint(view, 0xff00c800u), 5, 5), 0xff005099u);
}

TEST_F(OverlayTest, CountsThatAreNotThereYetLeaveThePicture) {
    set_counts(std::vector<std::uint32_t>(kWidth * kHeight, 1024));
    FrameJob job;
    job.width = kWidth;
    job.height = kHeight;
    Coverage coverage{job};
    picture_.coverage = &coverage;
    const OverlayView view{.scale = OverlayScale::kLog, .low = 1, .high = 1024};
    EXPECT_EQ(at(paint(view), 9, 9), kBase);
    coverage.finish(*coverage.next(8));
    EXPECT_EQ(at(paint(view), 9, 9), scale_color(255)) << "the nearest sample stands for it";
}

TEST_F(OverlayTest, CellsCoverTheirBlocks) {
    const std::vector<Cell> cells{value(0), value(1), value(0.6f), Cell{}};
    overlay_->set_cells(quarters(), cells);
    const Pixels seen = paint({.source = OverlaySource::kCells});
    EXPECT_EQ(at(seen, 0, 0), scale_color(0));
    EXPECT_EQ(at(seen, kWidth / 2 - 1, kHeight / 2 - 1), scale_color(0));
    EXPECT_EQ(at(seen, kWidth / 2, 0), scale_color(255));
    EXPECT_EQ(at(seen, 0, kHeight / 2), scale_color(153));
    EXPECT_EQ(at(seen, kWidth - 1, kHeight - 1), kMissing);
}

TEST_F(OverlayTest, CategoriesGoRoundAndShadedCellsAreDarker) {
    std::vector<Cell> cells{value(0), value(200), value(259), value(200)};
    cells[3].flags |= Cell::kShaded;
    overlay_->set_cells(quarters(), cells);
    const Pixels seen =
        paint({.source = OverlaySource::kCells, .scale = OverlayScale::kCategories});
    EXPECT_EQ(at(seen, 0, 0), category(0));
    EXPECT_EQ(at(seen, kWidth - 1, 0), category(200));
    EXPECT_EQ(at(seen, 0, kHeight - 1), category(3));
    EXPECT_EQ(at(seen, kWidth - 1, kHeight - 1), 0xff4a9600u);
}

TEST_F(OverlayTest, CellsStickToThePictureWhileItMoves) {
    overlay_->set_cells(quarters(), std::vector<Cell>{value(0), value(1), value(0), value(1)});
    OverlayView view{.source = OverlaySource::kCells};
    view.reprojection.shift_x = 8.0 / kWidth;
    Pixels seen = paint(view);
    EXPECT_EQ(at(seen, kWidth / 2 - 9, 0), scale_color(0));
    EXPECT_EQ(at(seen, kWidth / 2 - 8, 0), scale_color(255));
    EXPECT_EQ(at(seen, kWidth - 8, 0), kBase) << "nothing is known beside the frame";
    view.reprojection = {.scale_x = 0.5, .scale_y = 0.5, .shift_x = 0.375, .shift_y = 0};
    seen = paint(view);
    EXPECT_EQ(at(seen, kWidth / 4 - 1, 0), scale_color(0));
    EXPECT_EQ(at(seen, kWidth / 4, 0), scale_color(255));
}

TEST_F(OverlayTest, WithAClockBlocksComeAsTheyStartAndSettleWhenTheyEnd) {
    std::vector<Cell> cells{value(1), value(1), value(1), value(1)};
    cells[0].end_us = 10;
    cells[1].start_us = 10;
    cells[1].end_us = 20;
    cells[2].start_us = cells[3].start_us = 30;
    cells[2].end_us = cells[3].end_us = 31;
    overlay_->set_cells(quarters(), cells);
    const Pixels seen =
        paint({.source = OverlaySource::kCells, .opacity = 0.5f, .clock_us = 12.0f});
    EXPECT_EQ(at(seen, 0, 0), 0xff000080u) << "ended: blended as ever";
    EXPECT_EQ(at(seen, kWidth - 1, 0), 0xff9999ffu) << "running: bright, whatever the opacity";
    EXPECT_EQ(at(seen, 0, kHeight - 1), 0xff101010u) << "not started";
}

TEST_F(OverlayTest, PixelsBetweenThoseOfALatticeBelongToTheirNeighboursBlock) {
    Trace trace = four_blocks();
    trace.job.width = kWidth;
    trace.job.height = kHeight;
    // The last pass of a frame: odd columns of even rows, then all of the odd rows; in a strip
    // below, every fourth pixel alone. Packed orbits have no place at all.
    trace.shape = {8, 4};
    trace.grids = {{4, 4, Part{1, 0, kWidth, 32, 2, 2}},
                   {3, 2, std::nullopt},
                   {8, 4, Part{0, 1, kWidth, 32, 1, 2}},
                   {2, 1, Part{0, 32, kWidth, kHeight, 4, 4}}};
    std::vector<Cell> cells;
    const std::vector<std::size_t> first = first_cells(trace);
    ASSERT_EQ(first, (std::vector<std::size_t>{0, 16, 22, 54, 56}));
    for (std::size_t i = 0; i < first.back(); ++i) cells.push_back(value(static_cast<float>(i)));
    overlay_->set_cells(trace, cells);
    const Pixels seen =
        paint({.source = OverlaySource::kCells, .scale = OverlayScale::kCategories});
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const std::optional<std::size_t> cell = cell_at(trace, x, y);
            const std::uint32_t expected =
                cell ? category(static_cast<std::uint32_t>(*cell)) : kMissing;
            ASSERT_EQ(at(seen, x, y), expected) << x << ", " << y;
        }
    }
    EXPECT_EQ(cell_at(trace, 1, 0), 0u);
    EXPECT_EQ(cell_at(trace, 17, 0), 1u);
    EXPECT_EQ(cell_at(trace, 1, 1), 22u);
    EXPECT_EQ(cell_at(trace, 0, 0), std::nullopt) << "left of the first grid";
    EXPECT_EQ(cell_at(trace, 35, 35), 55u);
}

TEST_F(OverlayTest, LevelsAreOneValueAPixel) {
    EXPECT_EQ(level_of(0), 1);
    EXPECT_EQ(level_of(1), 255);
    std::vector<std::uint8_t> levels(kWidth * kHeight, level_of(1));
    levels[0] = level_of(0);
    levels[1] = kNoLevel;
    levels[2] = level_of(0.5f);
    levels[kWidth] = level_of(0.25f);
    overlay_->set_levels(levels, kWidth, kHeight);
    const Pixels seen = paint({.source = OverlaySource::kPixels});
    EXPECT_EQ(at(seen, 0, 0), scale_color(0));
    EXPECT_EQ(at(seen, 1, 0), kMissing);
    EXPECT_EQ(at(seen, 2, 0), scale_color(128));
    EXPECT_EQ(at(seen, 3, 0), scale_color(255));
    EXPECT_EQ(at(seen, 0, 1), scale_color(64));
    EXPECT_EQ(at(seen, kWidth - 1, kHeight - 1), scale_color(255));
    // A size that leaves the last word half filled.
    overlay_->set_levels(std::vector<std::uint8_t>(7 * 5, level_of(0)), 7, 5);
    EXPECT_EQ(at(paint({.source = OverlaySource::kPixels}), kWidth - 1, kHeight - 1),
              scale_color(0));
}

TEST_F(OverlayTest, DifferencesAreMarkedAndTheRestIsDimmed) {
    std::vector<std::uint32_t> counts(kWidth * kHeight, 9);
    set_counts(counts);
    const GlBuffer other;
    std::vector<Sample> second(counts.size(), Sample{9, 0});
    second[5 * kWidth + 7].count = 0;
    second.back().count = 8;
    glNamedBufferData(other.id(), static_cast<GLsizeiptr>(second.size() * sizeof(Sample)),
                      second.data(), GL_STATIC_DRAW);
    OverlayView view{.source = OverlaySource::kDifferences,
                     .first = {samples_->id(), kWidth, kHeight},
                     .second = {other.id(), kWidth, kHeight}};
    Pixels seen = paint(view);
    EXPECT_EQ(std::ranges::count(seen, kDiffering), 2) << "fractions are not compared";
    EXPECT_EQ(at(seen, 7, 5), kDiffering);
    EXPECT_EQ(at(seen, kWidth - 1, kHeight - 1), kDiffering);
    EXPECT_EQ(at(seen, 0, 0), kMissing);
    view.opacity = 0;
    view.reach = 2;
    seen = paint(view);
    EXPECT_EQ(std::ranges::count(seen, kDiffering), 25 + 9) << "with what lies around, in the grid";
    EXPECT_EQ(at(seen, 9, 3), kDiffering);
    EXPECT_EQ(at(seen, 10, 3), kBase);
    view.reach = 0;
    view.reprojection.shift_x = 4.0 / kWidth;
    EXPECT_EQ(at(paint(view), 3, 5), kDiffering) << "they stick to the picture";
}

TEST_F(OverlayTest, WithoutDataThePictureStays) {
    for (const OverlaySource source : {OverlaySource::kCells, OverlaySource::kPixels}) {
        EXPECT_EQ(at(paint({.source = source}, 0xff112233u), 3, 3), 0xff112233u);
    }
}

TEST_F(OverlayTest, ThePresenterPaintsItOverWhatItDraws) {
    Presenter presenter;
    overlay_->set_cells(quarters(), std::vector<Cell>{value(0), Cell{}, value(1), value(1)});
    overlay_->set_view({.source = OverlaySource::kCells});
    const PaletteTable palette{};
    Picture picture{.grid = {},
                    .coloring = {},
                    .palette = palette,
                    .reprojection = {},
                    .width = kWidth,
                    .height = kHeight,
                    .framebuffer = gl_->framebuffer(),
                    .overlay = &*overlay_};
    for (const GLuint texture : {gl_->texture(), 0u}) {
        picture.texture = texture;
        presenter.draw(picture);
        EXPECT_EQ(at(gl_->read_pixels(), 0, 0), scale_color(0));
        EXPECT_EQ(at(gl_->read_pixels(), 0, kHeight - 1), scale_color(255));
    }
    picture.overlay = nullptr;
    presenter.draw(picture);
    EXPECT_EQ(at(gl_->read_pixels(), 0, 0), 0xff110f0eu);
}

TEST_F(OverlayTest, APictureMayStandLeftOfAnotherOne) {
    Presenter presenter;
    set_counts(std::vector<std::uint32_t>(kWidth * kHeight, 9));
    const PaletteTable palette{};
    Picture picture{.grid = {samples_->id(), kWidth, kHeight},
                    .coloring = {},
                    .palette = palette,
                    .reprojection = {},
                    .width = kWidth,
                    .height = kHeight,
                    .framebuffer = gl_->framebuffer()};
    Picture calm = picture;
    calm.grid = {};
    constexpr std::uint32_t kCalm = 0xff110f0eu;
    for (const GLuint texture : {gl_->texture(), 0u}) {
        picture.texture = calm.texture = texture;
        for (const int columns : {0, 1, 37, kWidth}) {
            picture.columns = columns;
            presenter.draw(calm);
            presenter.draw(picture);
            const Pixels seen = gl_->read_pixels();
            for (const int y : {0, kHeight - 1}) {
                for (int x = 0; x < kWidth; ++x) {
                    ASSERT_EQ(at(seen, x, y) == kCalm, x >= columns) << x << " of " << columns;
                }
            }
        }
    }
}

}  // namespace
}  // namespace warpscope::test
