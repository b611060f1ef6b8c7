// SPDX-License-Identifier: MIT
#include "app/session/places.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "app/session/atomic_file.h"
#include "app/session/palette.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

TEST(BuiltInPlaces, AreAtLeastFourteenWithinDoublesReach) {
    const std::vector<Place> places = built_in_places();
    EXPECT_GE(places.size(), 14u);
    std::set<std::string> titles;
    std::set<Formula> formulas;
    int julias = 0;
    for (const Place& place : places) {
        const Location& location = place.location;
        EXPECT_NE(location.title, "") << place.id;
        EXPECT_TRUE(titles.insert(location.title).second) << location.title << " stands twice";
        EXPECT_LE(location.scene.view.zoom.to_double(), 1e12) << place.id;
        EXPECT_TRUE(choose_precision(location.scene.view, 2160)) << place.id;
        EXPECT_TRUE(location.color) << place.id;
        EXPECT_EQ(location.unknown, "") << place.id;
        formulas.insert(location.scene.formula);
        julias += location.scene.julia ? 1 : 0;
    }
    EXPECT_GE(julias, 1);
    for (const Formula formula : {Formula::kMandelbrot, Formula::kBurningShip, Formula::kTricorn}) {
        EXPECT_TRUE(formulas.count(formula)) << info(formula).title;
    }
}

TEST(BuiltInPlaces, NamePalettesThatExist) {
    std::set<std::string> names;
    for (const Palette& palette : load_palettes()) names.insert(palette.name);
    for (const Place& place : built_in_places()) {
        ASSERT_TRUE(place.location.color) << place.id;
        EXPECT_TRUE(names.count(place.location.color->palette)) << place.id;
    }
}

// A place is dull when it is all inside, all outside in a few steps, or cut off by its limit.
TEST(BuiltInPlaces, ShowSomethingAtTheirLimits) {
    constexpr int kWidth = 96, kHeight = 54;
    const std::unique_ptr<Backend> backend = make_backend("cpu");
    for (const Place& place : built_in_places()) {
        const std::optional<FrameJob> job = plan(place.location.scene, kWidth, kHeight);
        ASSERT_TRUE(job) << place.id;
        std::vector<Sample> samples(std::size_t{kWidth} * kHeight);
        backend->start(*job, Tuning{});
        while (!backend->advance({samples.data(), Memory::kHost}, 100).done) {
        }
        std::set<std::uint32_t> counts;
        std::size_t inside = 0, near_limit = 0;
        for (const Sample& sample : samples) {
            counts.insert(sample.count);
            inside += sample.count == 0 ? 1 : 0;
            near_limit += sample.count > job->limit - job->limit / 4 ? 1 : 0;
        }
        EXPECT_GE(counts.size(), 20u) << place.id;
        EXPECT_LT(inside, samples.size() * 2 / 3) << place.id;
        EXPECT_LT(near_limit, samples.size() / 50) << place.id << ": the limit is too low";
    }
}

TEST(SavedPlaces, ComeBackAfterTheBuiltInOnes) {
    const TempDir dir;
    Location location;
    location.title = "My Place!";
    location.scene.limit = 77;
    const auto path = save_place(dir.path(), location);
    EXPECT_EQ(path.filename(), "my-place.toml");
    const PlaceList list = load_places(dir.path());
    ASSERT_EQ(list.places.size(), built_in_places().size() + 1);
    EXPECT_TRUE(list.places.back().saved);
    EXPECT_EQ(list.places.back().id, path.string());
    EXPECT_EQ(list.places.back().location.title, "My Place!");
    EXPECT_EQ(list.places.back().location.scene, location.scene);
    EXPECT_TRUE(list.problems.empty());
}

TEST(SavedPlaces, NeverReplaceEachOther) {
    const TempDir dir;
    Location location;
    location.title = "Twice";
    EXPECT_EQ(save_place(dir.path(), location).filename(), "twice.toml");
    EXPECT_EQ(save_place(dir.path(), location).filename(), "twice-2.toml");
    location.title = "../../Twice";
    EXPECT_EQ(save_place(dir.path(), location).filename(), "twice-3.toml");
    EXPECT_EQ(load_places(dir.path()).places.size(), built_in_places().size() + 3);
}

TEST(SavedTraces, StandBesidePlacesAndNeverReplaceEachOther) {
    const TempDir dir;
    EXPECT_TRUE(saved_traces(dir.path()).empty());
    EXPECT_TRUE(saved_traces("").empty());
    const std::filesystem::path first = fresh_saved_file(dir.path(), "cpu-1", kTraceEnding);
    EXPECT_EQ(first.filename(), "cpu-1.trace.json");
    write_file(first, "{}");
    const std::filesystem::path second = fresh_saved_file(dir.path(), "cpu-1", kTraceEnding);
    EXPECT_EQ(second.filename(), "cpu-1-2.trace.json");
    write_file(second, "{}");
    dir.file("places/other.json", "{}");
    EXPECT_EQ(saved_traces(dir.path()).size(), 2u);
    EXPECT_EQ(load_places(dir.path()).places.size(), built_in_places().size());
    EXPECT_THROW(fresh_saved_file("", "cpu", kTraceEnding), FileError);
}

TEST(SavedPlaces, ThatAreDamagedAreNamedAndLeftOut) {
    const TempDir dir;
    std::filesystem::create_directory(dir.path() / "places");
    dir.file("places/bad.toml", "re = ");
    dir.file("places/readme.txt", "not a place");
    const PlaceList list = load_places(dir.path());
    EXPECT_EQ(list.places.size(), built_in_places().size());
    ASSERT_EQ(list.problems.size(), 1u);
    EXPECT_NE(list.problems[0].find("bad.toml"), std::string::npos);
}

TEST(SavedPlaces, WithoutADirectoryAreRefused) {
    const TempDir dir;
    EXPECT_THROW(save_place("", {}), FileError);
    EXPECT_THROW(save_place(dir.file("file", "x"), {}), FileError);
    EXPECT_EQ(load_places("").places.size(), built_in_places().size());
}

TEST(FileName, HoldsOnlyPlainCharacters) {
    EXPECT_EQ(file_name_for("Seahorse Valley"), "seahorse-valley");
    EXPECT_EQ(file_name_for("../etc/passwd"), "etc-passwd");
    EXPECT_EQ(file_name_for("山"), "place");
    EXPECT_EQ(file_name_for(""), "place");
    EXPECT_EQ(file_name_for(std::string(500, 'a')).size(), 60u);
}

}  // namespace
}  // namespace warpscope
