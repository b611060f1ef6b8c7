// SPDX-License-Identifier: MIT
#include "render/presenter.h"

#include <array>
#include <cmath>

#include "app/session/coloring.h"
#include "app/session/palette.h"
#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

using Pixels = std::vector<std::uint32_t>;

int channel(std::uint32_t rgba, int index) { return static_cast<int>(rgba >> (8 * index) & 255u); }

/// The largest difference of a channel.
int distance(const Pixels& a, const Pixels& b) {
    EXPECT_EQ(a.size(), b.size());
    int largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        for (int k = 0; k < 4; ++k) {
            largest = std::max(largest, std::abs(channel(a[i], k) - channel(b[i], k)));
        }
    }
    return largest;
}

constexpr std::uint32_t kOutside = 0xff110f0eu;

class PresenterTest : public GlTest {
  protected:
    void SetUp() override {
        GlTest::SetUp();
        if (!IsSkipped()) presenter_.emplace();
    }

    void show(std::vector<Sample> samples, int width, int height) {
        ListBackend backend{std::move(samples)};
        buffer_.emplace();
        buffer_->use(backend, {});
        buffer_->resize(width, height);
        fill(*buffer_, backend);
        buffer_->release();
    }

    Picture picture(const ColoringParams& params, const PaletteTable& palette,
                    Reprojection map = {}) {
        return {.grid = buffer_ ? buffer_->front() : SampleGrid{},
                .coverage = coverage_,
                .coloring = params,
                .palette = palette,
                .reprojection = map,
                .width = kWidth,
                .height = kHeight,
                .framebuffer = gl_->framebuffer()};
    }

    Pixels draw(const ColoringParams& params, const PaletteTable& palette, Reprojection map = {}) {
        presenter_->draw(picture(params, palette, map));
        return gl_->read_pixels();
    }

    const Coverage* coverage_ = nullptr;
    std::optional<Presenter> presenter_;
    std::optional<SampleBuffer> buffer_;
};

/// A piece of the Mandelbrot set without any symmetry, from the scalar backend.
std::vector<Sample> mandelbrot(int width, int height) {
    FrameJob job;
    job.precision = Precision::kDouble;
    job.center_re = -0.7436;
    job.center_im = 0.1318;
    job.spacing = 0.01 / height;
    job.width = width;
    job.height = height;
    job.limit = 400;
    std::vector<Sample> samples(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const auto backend = make_backend("cpu-scalar");
    backend->start(job, {});
    while (!backend->advance({samples.data(), Memory::kHost}, 100).done) continue;
    return samples;
}

Pixels colorized(const std::vector<Sample>& samples, const ColoringParams& params,
                 const PaletteTable& palette) {
    Pixels pixels(samples.size());
    colorize(samples, params, palette, pixels);
    return pixels;
}

/// Settings of every kind: transfers, with and without shading and fraction.
std::vector<ColorSettings> settings_of_every_kind() {
    std::vector<ColorSettings> all;
    for (int transfer : {0, 1, 2}) {
        for (float shading : {0.0f, 0.7f, 1.0f}) {
            for (float density : {0.0003f, 0.03f, 0.7f}) {
                ColorSettings settings;
                settings.transfer = transfer;
                settings.shading = shading;
                settings.density = density;
                settings.offset = 0.3f;
                settings.smooth = transfer != 1 || shading == 0;
                settings.interior[2] = 0.4f;
                all.push_back(settings);
            }
        }
    }
    return all;
}

TEST_F(PresenterTest, ColorInGlslEqualsColorInCpp) {
    const auto compare = [this](const std::vector<Sample>& samples) {
        show(samples, kWidth, kHeight);
        for (const Palette& palette : load_palettes()) {
            const PaletteTable table = tabulate(palette);
            for (const ColorSettings& settings : settings_of_every_kind()) {
                const ColoringParams params =
                    coloring_params(settings, 0.25, Formula::kMultibrot3, kWidth, kHeight);
                EXPECT_LE(distance(draw(params, table), colorized(samples, params, table)), 1)
                    << palette.name << " density " << settings.density << " transfer "
                    << settings.transfer << " shading " << settings.shading;
            }
        }
    };
    SCOPED_TRACE("seed 7");
    compare(random_samples(kWidth * kHeight, 7));
    compare(mandelbrot(kWidth, kHeight));
}

TEST_F(PresenterTest, RowZeroIsOnTop) {
    std::vector<Sample> samples(kWidth * kHeight, Sample{0, 0});
    samples[3] = {1, 0};
    show(samples, kWidth, kHeight);
    ColoringParams params;
    params.interior[0] = 1;
    PaletteTable white;
    white.fill(0xffffffffu);
    const Pixels pixels = draw(params, white);
    EXPECT_EQ(pixels[3], 0xffffffffu);
    EXPECT_EQ(pixels[0], 0xff0000ffu);
    EXPECT_EQ(pixels[(kHeight - 1) * kWidth + 3], 0xff0000ffu);
}

TEST_F(PresenterTest, PaletteEditsNeedNoNewSamples) {
    const std::vector<Sample> samples = mandelbrot(kWidth, kHeight);
    show(samples, kWidth, kHeight);
    const std::vector<Palette> palettes = load_palettes();
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    const Pixels first = draw(params, tabulate(palettes[0]));
    const Pixels second = draw(params, tabulate(palettes[1]));
    EXPECT_GT(distance(first, second), 50);
    EXPECT_LE(distance(second, colorized(samples, params, tabulate(palettes[1]))), 1);
}

TEST_F(PresenterTest, PanByWholePixelsMovesThePictureAndLeavesAShadeBeside) {
    show(mandelbrot(kWidth, kHeight), kWidth, kHeight);
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    const Pixels still = draw(params, table);
    Reprojection map;
    map.shift_x = 5.0 / kWidth;
    map.shift_y = -3.0 / kHeight;
    const Pixels moved = draw(params, table, map);
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const int from_x = x + 5, from_y = y - 3;
            const bool inside = from_x < kWidth && from_y >= 0;
            const std::uint32_t expected =
                inside ? still[static_cast<std::size_t>(from_y * kWidth + from_x)] : kOutside;
            const std::uint32_t got = moved[static_cast<std::size_t>(y * kWidth + x)];
            ASSERT_LE(distance({got}, {expected}), 1) << x << ", " << y;
        }
    }
}

TEST_F(PresenterTest, ZoomFiltersColorsBetweenSamples) {
    // Two columns of samples: black interior, and white. Twice as large, the colours blend between
    // the sample centres; counts would blend into other palette entries.
    std::vector<Sample> samples(kWidth * kHeight, Sample{0, 0});
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i % kWidth >= kWidth / 2) samples[i] = {1000, 0.5f};
    }
    show(samples, kWidth, kHeight);
    PaletteTable white;
    white.fill(0xffffffffu);
    const Pixels pixels =
        draw({}, white, {.scale_x = 0.5, .scale_y = 0.5, .shift_x = 0.25, .shift_y = 0.25});
    const auto red = [&pixels](int x) { return channel(pixels[static_cast<std::size_t>(x)], 0); };
    EXPECT_EQ(red(kWidth / 2 - 2), 0);
    EXPECT_NEAR(red(kWidth / 2 - 1), 64, 2);
    EXPECT_NEAR(red(kWidth / 2), 191, 2);
    EXPECT_EQ(red(kWidth / 2 + 1), 255);
}

TEST_F(PresenterTest, AThousandthOfAPixelBlursNothing) {
    show(mandelbrot(kWidth, kHeight), kWidth, kHeight);
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    const Pixels still = draw(params, table);
    Reprojection map;
    map.shift_x = 0.01 / kWidth;
    map.shift_y = -0.008 / kHeight;
    EXPECT_EQ(draw(params, table, map), still);
    map.shift_x = 0.5 / kWidth;
    EXPECT_NE(draw(params, table, map), still);
}

/// The pixel nearest to p, within the size, that stands at a multiple of `step` of the lattice.
int nearest_on_lattice(int p, int origin, int step, int size) {
    int best = -1;
    for (int q = 0; q < size; ++q) {
        if ((q + origin) % step != 0) continue;
        // Halfway between two, the one further on.
        if (best < 0 || std::abs(q - p) <= std::abs(best - p)) best = q;
    }
    return best;
}

// The same picture as if each sample had been written to all pixels around it.
TEST_F(PresenterTest, ACoarseFrameShowsTheNearestSample) {
    const std::vector<Sample> fine = mandelbrot(kWidth, kHeight);
    const PaletteTable table = tabulate(load_palettes().front());
    ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    params.shading = 0;
    FrameJob job;
    job.width = kWidth;
    job.height = kHeight;
    job.shift_x = 3;
    job.shift_y = -5;
    for (const int step : {2, 8}) {
        Coverage coverage{job};
        coverage.finish(*coverage.next(step));
        std::vector<Sample> coarse(fine.size(), Sample{77, 0.5f});  // rubbish where none is yet
        std::vector<Sample> blocks(fine.size());
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                const int qx = nearest_on_lattice(x, 3, step, kWidth);
                const int qy = nearest_on_lattice(y, -5, step, kHeight);
                const auto from = static_cast<std::size_t>(qy * kWidth + qx);
                blocks[static_cast<std::size_t>(y * kWidth + x)] = fine[from];
                coarse[from] = fine[from];
            }
        }
        show(blocks, kWidth, kHeight);
        const Pixels expected = draw(params, table);
        show(coarse, kWidth, kHeight);
        coverage_ = &coverage;
        EXPECT_EQ(draw(params, table), expected) << step;
        coverage_ = nullptr;
        EXPECT_NE(draw(params, table), expected) << step;
    }
}

TEST_F(PresenterTest, RegionsOfAnyStepLeaveNoHolesAndReadNoRubbish) {
    std::vector<Sample> samples = mandelbrot(kWidth, kHeight);
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    FrameJob before;
    before.width = kWidth;
    before.height = kHeight;
    FrameJob job = before;
    job.shift_x = 5;
    job.shift_y = -3;
    Coverage first{before};
    first.finish(*first.next(4));
    Coverage coverage = *first.moved(before, job);
    coverage_ = &coverage;
    show(samples, kWidth, kHeight);
    EXPECT_GT(std::ranges::count(draw(params, table), kOutside), 0) << "strips that are empty";
    coverage.finish(*coverage.next(16));
    const Pixels seen = draw(params, table);
    EXPECT_EQ(std::ranges::count(seen, kOutside), 0);
    // What no region claims makes no difference.
    for (const Region& region : coverage.regions()) {
        for (int y = region.y0; y < region.y1; ++y) {
            for (int x = region.x0; x < region.x1; ++x) {
                const int mask = region.step - 1;
                const bool there = ((x + coverage.origin_x()) & mask) == 0 &&
                                   ((y + coverage.origin_y()) & mask) == 0;
                if (!there) samples[static_cast<std::size_t>(y * kWidth + x)] = {12345, 0.5f};
            }
        }
    }
    show(samples, kWidth, kHeight);
    EXPECT_EQ(draw(params, table), seen);
}

TEST_F(PresenterTest, TheMeanIsTakenInLinearLight) {
    PaletteTable white;
    white.fill(0xffffffffu);
    ColoringParams params;
    params.interior[0] = params.interior[1] = params.interior[2] = 0;
    show(std::vector<Sample>(kWidth * kHeight, Sample{0, 0}), kWidth, kHeight);
    presenter_->add_to_mean(picture(params, white), Presenter::Mean::kBegin);
    presenter_->draw_mean(picture(params, white));
    EXPECT_EQ(gl_->read_pixels()[0], 0xff000000u);
    show(std::vector<Sample>(kWidth * kHeight, Sample{1, 0}), kWidth, kHeight);
    presenter_->add_to_mean(picture(params, white), Presenter::Mean::kContinue);
    EXPECT_EQ(presenter_->mean_count(), 2);
    presenter_->draw_mean(picture(params, white));
    // Half the light of white is 188 in sRGB, not 128.
    EXPECT_EQ(gl_->read_pixels()[0], 0xffbcbcbcu);
    // Drawing anything else leaves the mean alone.
    presenter_->draw(picture(params, white));
    EXPECT_EQ(gl_->read_pixels()[0], 0xffffffffu);
    presenter_->add_to_mean(picture(params, white), Presenter::Mean::kContinue);
    presenter_->draw_mean(picture(params, white));
    EXPECT_EQ(gl_->read_pixels()[0] & 255u, 213u);  // two thirds
}

TEST_F(PresenterTest, AMeanOfEqualPicturesIsThePicture) {
    show(mandelbrot(kWidth, kHeight), kWidth, kHeight);
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight);
    const Pixels once = draw(params, table);
    presenter_->add_to_mean(picture(params, table), Presenter::Mean::kBegin);
    for (int i = 1; i < 64; ++i) {
        presenter_->add_to_mean(picture(params, table), Presenter::Mean::kContinue);
    }
    presenter_->draw_mean(picture(params, table));
    EXPECT_LE(distance(gl_->read_pixels(), once), 1);
}

TEST_F(PresenterTest, GridOfAnotherSizeFillsTheWindow) {
    show(mandelbrot(20, 15), 20, 15);
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params({}, 0, Formula::kMandelbrot, 20, 15);
    const Pixels pixels = draw(params, table);
    EXPECT_EQ(std::ranges::count(pixels, kOutside), 0);
}

TEST_F(PresenterTest, WithoutAGridTheCalmShadeIsShown) {
    const Pixels pixels = draw({}, tabulate(load_palettes().front()));
    EXPECT_EQ(std::ranges::count(pixels, kOutside), kWidth * kHeight);
}

}  // namespace
}  // namespace warpscope::test
