// SPDX-License-Identifier: MIT
#include "app/session/location.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/session/command.h"
#include "app/session/location_numbers.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

const std::filesystem::path kData{WARPSCOPE_SESSION_DATA};

Location round_trip(const Location& location) { return parse_location(to_toml(location)); }

TEST(Location, ReadsEveryKey) {
    const Location place = parse_location(R"(
title = "Dust"
credit = "somebody"
re = "-0.1"
im = "0.25"
zoom = "2e3"
formula = "multibrot"
power = 5
max_iter = 4321
bailout = 1000
precision = "f64"
julia = true
julia_re = "0.3"
julia_im = "-0.4"
[color]
palette = "Ice"
density = 0.5
transfer = 2
interior = [1, 0.5, 0]
)");
    EXPECT_EQ(place.title, "Dust");
    EXPECT_EQ(place.credit, "somebody");
    EXPECT_EQ(place.scene.view.re, BigFloat::parse("-0.1"));
    EXPECT_EQ(place.scene.view.zoom, BigFloat{2000});
    EXPECT_EQ(place.scene.formula, Formula::kMultibrot5);
    EXPECT_EQ(place.scene.limit, 4321u);
    EXPECT_EQ(place.scene.bailout, 1000);
    EXPECT_EQ(place.scene.precision, PrecisionChoice::kDouble);
    EXPECT_TRUE(place.scene.julia);
    EXPECT_EQ(place.scene.julia_im, BigFloat::parse("-0.4"));
    ASSERT_TRUE(place.color);
    EXPECT_EQ(place.color->palette, "Ice");
    EXPECT_EQ(place.color->transfer, 2);
    EXPECT_FLOAT_EQ(place.color->interior[1], 0.5f);
    EXPECT_EQ(place.unknown, "");
}

TEST(Location, NeedsOnlyCentreAndZoom) {
    const Location place = parse_location("re = \"0\"\nim = \"1\"\nzoom = \"3\"\n");
    Scene expected;
    expected.view = {BigFloat{0}, BigFloat{1}, BigFloat{3}};
    EXPECT_EQ(place.scene, expected);
    EXPECT_FALSE(place.color);
}

TEST(Location, KeepsEverythingOnARoundTrip) {
    Location place;
    place.title = "Quotes \" and \\ and \n and Жук";
    place.credit = "\x01 tab\t";
    place.scene.view = {BigFloat::parse("-1.25066"), BigFloat::parse("0.02012"), BigFloat{17}};
    place.scene.formula = Formula::kTricorn;
    place.scene.julia_re = BigFloat::parse("0.1234567890123456789012345678901234567890");
    place.scene.limit = 1000000000;
    place.scene.bailout = 2.5;
    place.scene.precision = PrecisionChoice::kFloat;
    place.color = ColorSettings{};
    place.color->density = 0.1f;
    place.color->cycling = true;
    place.color->interior[2] = 1.0f / 3;
    const Location again = round_trip(place);
    EXPECT_EQ(again.title, place.title);
    EXPECT_EQ(again.credit, place.credit);
    EXPECT_EQ(again.scene, place.scene);
    EXPECT_EQ(again.color, place.color);
}

TEST(Location, KeepsTheJuliaConstantWhileJuliaIsOff) {
    Location place;
    place.scene.julia_re = BigFloat{0.5};
    EXPECT_EQ(round_trip(place).scene, place.scene);
    EXPECT_FALSE(round_trip(place).scene.julia);
}

TEST(Location, KeepsUnknownKeysOnRewriting) {
    const Location place = parse_location(
        "future = [1, 2]\nre = \"0\"\nim = \"0\"\nzoom = \"1\"\n"
        "[color]\npalette = \"Ice\"\nglow = 0.5\n[camera]\nangle = 30\n");
    const Location again = round_trip(place);
    EXPECT_EQ(again.unknown, place.unknown);
    for (const char* kept : {"future", "glow", "[camera]", "angle"}) {
        EXPECT_NE(to_toml(again).find(kept), std::string::npos) << kept;
    }
}

TEST(Location, LosesNothingOfADeepPlace) {
    const Location place = read_location(kData / "kf_1e1086.toml");
    EXPECT_EQ(place.title, "kf_1e1086");
    EXPECT_EQ(place.scene.limit, 600100u);
    EXPECT_NEAR(place.scene.view.zoom.log2_abs(), 1086 * std::log2(10.0), 1e-6);
    EXPECT_GT(place.scene.view.re.bits(), 3600);
    const Location again = round_trip(place);
    EXPECT_EQ(again.scene, place.scene);
    EXPECT_EQ(again.scene.view.re.bits(), place.scene.view.re.bits());
    EXPECT_EQ(to_toml(again), to_toml(place));
}

TEST(Location, ClampsAForeignLimitWithANote) {
    const Location place = read_location(kData / "seahorse.toml");
    EXPECT_EQ(place.scene.limit, 1000000000u);
    ASSERT_EQ(place.notes.size(), 1u);
    EXPECT_NE(place.notes[0].find("1e+09"), std::string::npos) << place.notes[0];
}

TEST(Location, ReadsFraktalersKeys) {
    const Location place = parse_location(
        "location.real = \"-1\"\nlocation.imag = \"2\"\nlocation.zoom = \"4E2\"\n"
        "bailout.iterations = 77\nbailout.escape_radius = 625.0\ntransform.rotate = 30\n"
        "[[formula]]\nabs_x = true\nabs_y = true\npower = 2\n");
    EXPECT_EQ(place.scene.view, (View{BigFloat{-1}, BigFloat{2}, BigFloat{400}}));
    EXPECT_EQ(place.scene.limit, 77u);
    EXPECT_EQ(place.scene.bailout, 625);
    EXPECT_EQ(place.scene.formula, Formula::kBurningShip);
    EXPECT_NE(to_toml(place).find("rotate"), std::string::npos);
    EXPECT_EQ(round_trip(place).scene, place.scene);
}

TEST(Location, ReadsRustFractalsKeys) {
    const Location place = parse_location(
        "real = \"-1\"\nimag = \"2\"\nzoom = \"4E2\"\niterations = 55\nrotate = 10.0\n");
    EXPECT_EQ(place.scene.view, (View{BigFloat{-1}, BigFloat{2}, BigFloat{400}}));
    EXPECT_EQ(place.scene.limit, 55u);
}

// After zooming and dragging a centre has more bits than its digits would tell.
TEST(Location, LosesNothingOfAViewThatWasWanderedTo) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> x{0, 1280}, y{0, 720};
    Location place;
    for (int i = 0; i < 300; ++i) {
        place.scene.view = zoom_at(place.scene.view, {x(random), y(random), 1280, 720}, 1.25);
        place.scene.view = pan(place.scene.view, x(random) / 10, -y(random) / 10, 720);
        ASSERT_EQ(round_trip(place).scene, place.scene) << i << "\n" << to_toml(place);
    }
}

TEST(DecimalText, ReadsBackToTheSameValueAtAnyPrecision) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> uniform{-2, 2};
    for (long bits = 64; bits < 400; ++bits) {
        const BigFloat value = BigFloat{uniform(random), bits} / BigFloat{uniform(random), bits};
        const DecimalText text = decimal_text(value);
        EXPECT_EQ(decimal_value(text), value) << bits << " bits, " << text.text;
    }
}

TEST(DecimalText, WritesWhatWasReadAsItStood) {
    for (const char* text :
         {"-0.75", "0", "0.1", "-1.7688", "0.131825904205330", "-1.76881000000000000000000000",
          "-0.743643887037158704752191506114774"}) {
        const DecimalText written = decimal_text(BigFloat::parse(text));
        EXPECT_EQ(written.bits, 0) << text;
        EXPECT_LE(written.text.size(), std::string_view{text}.size()) << text;
    }
}

TEST(Location, FileRoundTripGoesThroughTheDisk) {
    const TempDir dir;
    Location place;
    place.title = "On disk";
    write_location(dir.path() / "a.toml", place);
    EXPECT_EQ(read_location(dir.path() / "a.toml").title, "On disk");
    EXPECT_EQ(read_location(dir.path() / "a.toml").scene, place.scene);
}

TEST(FindFormula, KnowsEveryRow) {
    for (const FormulaInfo& row : kFormulas) {
        EXPECT_EQ(find_formula(row.key, row.power), row.formula);
    }
    EXPECT_EQ(find_formula("multibrot", 0), Formula::kMultibrot3);
    EXPECT_THROW(find_formula("mandelbrot", 3), std::invalid_argument);
    EXPECT_THROW(find_formula("", 0), std::invalid_argument);
}

TEST(Location, WithAnUnknownPaletteKeepsItsNameAndSaysWhatIsUsed) {
    const std::string view = "re = \"0\"\nim = \"0\"\nzoom = \"1\"\n[color]\n";
    const Location odd = parse_location(view + "palette = \"Nova\"\n");
    ASSERT_EQ(odd.notes.size(), 1u);
    EXPECT_EQ(odd.notes[0], "palette 'Nova' is not known here; Ember is used");
    EXPECT_EQ(parse_location(to_toml(odd)).color->palette, "Nova");
    for (const char* known : {"palette = \"Glacier\"\n", "palette = \"Ember\"\n", ""}) {
        EXPECT_TRUE(parse_location(view + known).notes.empty()) << known;
    }
}

TEST(DecimalText, OfTheMostDigitsAndBitsReadsBack) {
    for (const std::string& text : {"0." + std::string(kMaxDecimalDigits - 1, '7'),
                                    "-0.00000" + std::string(kMaxDecimalDigits - 6, '3')}) {
        const BigFloat value = BigFloat::parse(text);
        EXPECT_EQ(decimal_value(decimal_text(value)), value);
        const BigFloat fine = BigFloat::parse("0.1", kMaxDecimalBits);
        EXPECT_EQ(decimal_value(decimal_text(fine)), fine);
    }
}

}  // namespace
}  // namespace warpscope
