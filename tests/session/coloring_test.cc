// SPDX-License-Identifier: MIT
#include "app/session/coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <vector>

#include "app/session/palette.h"

namespace warpscope {
namespace {

int channel(std::uint32_t rgba, int index) { return static_cast<int>(rgba >> (8 * index) & 255u); }

/// A palette whose colour tells its phase: red and green count the 1024 entries, four apart.
PaletteTable ramp() {
    PaletteTable table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = i / 4 | 0xff000000u;
    return table;
}

/// One row of samples, coloured.
std::vector<std::uint32_t> row(const std::vector<Sample>& samples, ColoringParams params,
                               const PaletteTable& table) {
    params.width = static_cast<float>(samples.size());
    params.height = 1;
    std::vector<std::uint32_t> pixels(samples.size());
    colorize(samples, params, table, pixels);
    return pixels;
}

/// Phase in turns of a smooth count, by the definition in long double.
double phase(const Sample& sample, const ColoringParams& params) {
    const long double mu =
        static_cast<long double>(sample.count) - 1 + static_cast<long double>(sample.fraction);
    const long double value = params.transfer < 0.5f   ? mu
                              : params.transfer < 1.5f ? 4 * (std::sqrt(mu + 4) - 2)
                                                       : 16 * std::log(1 + mu / 16);
    const long double turns =
        value * static_cast<long double>(params.density) + static_cast<long double>(params.offset);
    return static_cast<double>(turns - std::floor(turns));
}

TEST(Coloring, FollowsTheDefinitionForCountsOfEverySize) {
    for (float transfer : {0.0f, 1.0f, 2.0f}) {
        for (float density : {0.00001f, 0.03f, 0.77f, 9.3f}) {
            ColoringParams params;
            params.transfer = transfer;
            params.density = density;
            params.offset = 0.2f;
            std::vector<Sample> samples;
            for (std::uint32_t count :
                 {1u, 2u, 1000u, 123'456u, 16'777'217u, 999'999'937u, 4'294'967'295u}) {
                for (float fraction : {0.0f, 0.125f, 0.75f}) samples.push_back({count, fraction});
            }
            const std::vector<std::uint32_t> pixels = row(samples, params, ramp());
            for (std::size_t i = 0; i < samples.size(); ++i) {
                const double got = channel(pixels[i], 0) / 256.0;
                const double wanted = std::floor(phase(samples[i], params) * 256) / 256;
                const double apart = std::abs(got - wanted);
                EXPECT_LE(std::min(apart, 1 - apart), 1.01 / 256)
                    << "count " << samples[i].count << " + " << samples[i].fraction << " density "
                    << density << " transfer " << transfer;
            }
        }
    }
}

TEST(Coloring, NeighbouringHugeCountsDoNotBand) {
    // A float holds no odd number of this size: without care whole groups of counts would agree.
    ColoringParams params;
    params.density = 0.01f;
    std::vector<Sample> samples;
    for (std::uint32_t i = 0; i < 90; ++i) samples.push_back({4'000'000'001u + i, 0});
    const std::vector<std::uint32_t> pixels = row(samples, params, ramp());
    for (std::size_t i = 1; i < pixels.size(); ++i) EXPECT_NE(pixels[i], pixels[i - 1]) << i;
}

TEST(Coloring, IsSmoothWhereTheCountSteps) {
    for (float transfer : {0.0f, 1.0f, 2.0f}) {
        ColoringParams params;
        params.transfer = transfer;
        params.density = 0.03f;
        const PaletteTable table = tabulate(load_palettes().front());
        const auto pixels = row({{57, 1.0f}, {58, 0.0f}}, params, table);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(channel(pixels[0], k), channel(pixels[1], k), 1);
    }
}

TEST(Coloring, BandsIgnoreTheFraction) {
    ColorSettings settings;
    settings.smooth = false;
    settings.shading = 0;
    const PaletteTable table = tabulate(load_palettes().front());
    const ColoringParams params = coloring_params(settings, 0, Formula::kMandelbrot, 2, 1);
    const auto pixels = row({{57, 0.1f}, {57, 0.9f}}, params, table);
    EXPECT_EQ(pixels[0], pixels[1]);
}

TEST(Coloring, InteriorHasItsOwnColor) {
    ColorSettings settings;
    settings.interior[0] = 1;
    settings.interior[1] = 0.5f;
    const ColoringParams params = coloring_params(settings, 0, Formula::kMandelbrot, 1, 1);
    EXPECT_EQ(row({{0, 0}}, params, ramp()).front(), 0xff0080ffu);
}

TEST(Coloring, CyclingMovesTheOffsetAndStaysWithinATurn) {
    ColorSettings settings;
    settings.offset = 0.75f;
    EXPECT_FLOAT_EQ(coloring_params(settings, 0.5, Formula::kMandelbrot, 1, 1).offset, 0.25f);
    EXPECT_FLOAT_EQ(coloring_params(settings, -1e6, Formula::kMandelbrot, 1, 1).offset, 0.75f);
    EXPECT_EQ(coloring_params(settings, 0, Formula::kMultibrot5, 1, 1).power, 5);
}

/// Brightness of the middle of a row of smooth counts under full shading with a white palette.
int shaded(const std::vector<Sample>& samples) {
    ColoringParams params;
    params.shading = 1;
    PaletteTable white;
    white.fill(0xffffffffu);
    return channel(row(samples, params, white)[samples.size() / 2], 0);
}

TEST(Shading, DarkensWhereTheCountClimbs) {
    const int flat = shaded({{10, 0.50f}, {10, 0.51f}, {10, 0.52f}});
    const int steep = shaded({{10, 0.5f}, {14, 0.5f}, {18, 0.5f}});
    EXPECT_GT(flat, 250);
    EXPECT_LT(steep, 100);
}

TEST(Shading, EstimatesTheDistanceOfAKnownGradient) {
    // d = 1 / (ln 2 * 0.5 per pixel) = 2.885 pixels; brightness d / sqrt(1 + d^2).
    const double d = 1 / (std::log(2.0) * 0.5);
    EXPECT_NEAR(shaded({{10, 0.0f}, {10, 0.5f}, {11, 0.0f}}), 255 * d / std::hypot(1, d), 1);
}

TEST(Shading, SeesAFilamentThatOnePixelCovers) {
    EXPECT_LT(shaded({{10, 0.5f}, {30, 0.5f}, {10, 0.5f}}), 40);
}

TEST(Shading, LeavesNoSeamBesideTheInterior) {
    // Where the limit, not the set, ends the iteration, counts climb gently up to interior pixels.
    const int open = shaded({{98, 0.0f}, {98, 0.1f}, {98, 0.2f}});
    const int beside = shaded({{98, 0.0f}, {98, 0.1f}, {0, 0}});
    EXPECT_NEAR(open, beside, 1);
}

TEST(Shading, APointAmongInteriorPixelsIsOnTheSet) {
    std::vector<Sample> samples(9, Sample{0, 0});
    samples[4] = {98, 0.1f};
    ColoringParams params;
    params.shading = 1;
    params.width = params.height = 3;
    PaletteTable white;
    white.fill(0xffffffffu);
    std::vector<std::uint32_t> pixels(9);
    colorize(samples, params, white, pixels);
    EXPECT_EQ(pixels[4], 0xff000000u);
}

TEST(Shading, HasNoEdgeAtTheBorderOfThePicture) {
    ColoringParams params;
    params.shading = 1;
    PaletteTable white;
    white.fill(0xffffffffu);
    std::vector<Sample> samples;
    for (std::uint32_t i = 0; i < 8; ++i) samples.push_back({10 + i, 0.5f});
    const auto pixels = row(samples, params, white);
    for (const std::uint32_t pixel : pixels) EXPECT_EQ(pixel, pixels[3]);
}

TEST(Coloring, SizesThatDisagreeAreRefused) {
    std::vector<Sample> samples(4);
    std::vector<std::uint32_t> pixels(4);
    ColoringParams params;
    params.width = 3;
    params.height = 2;
    EXPECT_THROW(colorize(samples, params, ramp(), pixels), std::invalid_argument);
}

TEST(Palettes, AreManyWithNamesOfTheirOwnAndTheDefault) {
    std::set<std::string> names;
    std::set<PaletteTable> tables;
    for (const Palette& palette : load_palettes()) {
        names.insert(palette.name);
        tables.insert(tabulate(palette));
    }
    EXPECT_GE(names.size(), 14u);
    EXPECT_EQ(tables.size(), load_palettes().size());
    EXPECT_EQ(names.size(), tables.size());
    EXPECT_TRUE(names.contains(ColorSettings{}.palette));
}

TEST(Palettes, CloseWithoutASeam) {
    for (const Palette& palette : load_palettes()) {
        const PaletteTable table = tabulate(palette);
        int largest = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const std::uint32_t next = table[(i + 1) % table.size()];
            EXPECT_EQ(channel(table[i], 3), 255);
            for (int k = 0; k < 3; ++k) {
                largest = std::max(largest, std::abs(channel(table[i], k) - channel(next, k)));
            }
        }
        EXPECT_LE(largest, 12) << palette.name;
    }
}

TEST(Palettes, GradientsMeetTheirStops) {
    const auto palettes = parse_palettes(
        "[[palette]]\nname = 'p'\nstops = [[0.0, '#102030'], [0.25, '#ff8000'], [0.5, '#00ff40']]");
    const PaletteTable table = tabulate(palettes.front());
    EXPECT_EQ(table[0], 0xff302010u);
    EXPECT_EQ(table[256], 0xff0080ffu);
    EXPECT_EQ(table[512], 0xff40ff00u);
}

TEST(Palettes, LinearLightBlendsBrighterThanEncodedValues) {
    const auto palettes = parse_palettes(
        "[[palette]]\nname = 'p'\nspace = 'linear'\nstops = [[0.0, '#000000'], [0.5, '#ffffff']]");
    EXPECT_NEAR(channel(tabulate(palettes.front())[256], 1), 188, 1);
}

TEST(Palettes, CosineFollowsItsFormula) {
    const auto palettes = parse_palettes(
        "[[palette]]\nname = 'p'\na = [0.5, 0.5, 0.5]\nb = [0.5, 0.5, 0.5]\nc = [1, 2, 1]\n"
        "d = [0, 0, 0.25]");
    const PaletteTable table = tabulate(palettes.front());
    EXPECT_EQ(channel(table[0], 0), 255);
    EXPECT_EQ(channel(table[512], 0), 0);
    EXPECT_EQ(channel(table[512], 1), 255);
    EXPECT_EQ(channel(table[256], 2), 0);
}

TEST(Palettes, MalformedOnesAreNamedWithWhatIsAccepted) {
    const auto problem = [](const char* text) -> std::string {
        try {
            parse_palettes(text);
        } catch (const PaletteError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_NE(problem("x = [").find("line 1"), std::string::npos);
    EXPECT_NE(problem("").find("no [[palette]]"), std::string::npos);
    EXPECT_NE(problem("[[palette]]\nstops = []").find("'name'"), std::string::npos);
    EXPECT_NE(problem("[[palette]]\nname = 'p'").find("'p'"), std::string::npos);
    for (const char* stops :
         {"[]", "[[0, '#000000']]", "[[0, '#000000'], [1, '#ffffff']]",
          "[[0.5, '#000000'], [0.5, '#ffffff']]", "[[0, '#00000g'], [0.5, '#ffffff']]",
          "[[0, 5], [0.5, '#ffffff']]", "[['a', '#000000'], [0.5, '#ffffff']]", "[1, 2]"}) {
        const std::string text = std::string{"[[palette]]\nname = 'p'\nstops = "} + stops;
        EXPECT_NE(problem(text.c_str()).find("stop"), std::string::npos) << stops;
    }
    EXPECT_NE(problem("[[palette]]\nname = 'p'\na = [1, 2]").find("'a'"), std::string::npos);
    EXPECT_NE(problem("[[palette]]\nname = 'p'\na = [1, 1, 1]\nb = [1, 1, 1]\nc = [1, 0.5, 1]\n"
                      "d = [0, 0, 0]")
                  .find("seam"),
              std::string::npos);
    EXPECT_NE(problem("[[palette]]\nname = 'p'\nspace = 'hsv'\nstops = []").find("oklab"),
              std::string::npos);
}

}  // namespace
}  // namespace warpscope
