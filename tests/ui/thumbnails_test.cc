// SPDX-License-Identifier: MIT
// Thumbnails up to the point where OpenGL takes them.
#include "app/thumbnails.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace warpscope {
namespace {

constexpr std::uint32_t kBlack = 0xff000000u;

std::uint32_t pixel(const std::vector<std::uint32_t>& rgba, int x, int y) {
    return rgba[static_cast<std::size_t>(y * kThumbnailWidth + x)];
}

Place place(const std::string& id) {
    Place result;
    result.id = id;
    return result;
}

/// Waits for one; a CPU thread of the lowest priority may take its time.
std::optional<Thumbnail> wait_for_one(ThumbnailPainter& painter) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (std::chrono::steady_clock::now() < patience) {
        if (auto thumbnail = painter.take()) return thumbnail;
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    return std::nullopt;
}

TEST(Thumbnails, ShowTheSet) {
    const auto rgba = paint_thumbnail({}, load_palettes(), {});
    ASSERT_EQ(rgba.size(), std::size_t{kThumbnailWidth} * kThumbnailHeight);
    EXPECT_EQ(pixel(rgba, kThumbnailWidth / 2, kThumbnailHeight / 2), kBlack);
    EXPECT_NE(pixel(rgba, 2, 2), kBlack);
    // The home view lies on the real axis, about which the set is symmetric.
    for (int x = 0; x < kThumbnailWidth; x += 7) {
        EXPECT_EQ(pixel(rgba, x, 20), pixel(rgba, x, kThumbnailHeight - 1 - 20)) << x;
    }
    for (const std::uint32_t value : rgba) ASSERT_EQ(value >> 24, 255u);
}

TEST(Thumbnails, WearThePlacesOwnColours) {
    Location location;
    location.color = ColorSettings{};
    location.color->palette = "Glacier";
    location.color->interior[0] = 1;
    const auto glacier = paint_thumbnail(location, load_palettes(), {});
    const auto usual = paint_thumbnail({}, load_palettes(), {});
    EXPECT_EQ(pixel(glacier, kThumbnailWidth / 2, kThumbnailHeight / 2), 0xff0000ffu);
    EXPECT_NE(pixel(glacier, 2, 2), pixel(usual, 2, 2));
}

TEST(Thumbnails, AreMadeOfEveryBuiltInPlace) {
    const std::vector<Palette> palettes = load_palettes();
    for (const Place& built_in : built_in_places()) {
        const auto rgba = paint_thumbnail(built_in.location, palettes, {});
        const std::set<std::uint32_t> colors{rgba.begin(), rgba.end()};
        EXPECT_GT(colors.size(), 100u) << built_in.id;
    }
}

TEST(Thumbnails, PaintDeeperThanDoubleRatherThanFail) {
    Location location;
    location.scene.view.zoom = BigFloat::parse("1e30");
    location.scene.limit = 50;
    EXPECT_FALSE(paint_thumbnail(location, load_palettes(), {}).empty());
}

TEST(Thumbnails, StopEarly) {
    std::stop_source stop;
    stop.request_stop();
    Location location;
    location.scene.limit = 1'000'000'000;
    location.scene.view.zoom = BigFloat{4};  // little but inside
    EXPECT_TRUE(paint_thumbnail(location, load_palettes(), stop.get_token()).empty());
}

TEST(ThumbnailPainter, PaintsWhatIsWanted) {
    ThumbnailPainter painter;
    EXPECT_FALSE(painter.take());
    painter.want({place("a"), place("b")});
    std::set<std::string> ids;
    for (int i = 0; i < 2; ++i) {
        const auto thumbnail = wait_for_one(painter);
        ASSERT_TRUE(thumbnail);
        EXPECT_EQ(thumbnail->problem, "");
        EXPECT_FALSE(thumbnail->rgba.empty());
        ids.insert(thumbnail->id);
    }
    EXPECT_EQ(ids, (std::set<std::string>{"a", "b"}));
}

TEST(ThumbnailPainter, DropsWhatIsNoLongerLookedAt) {
    ThumbnailPainter painter;
    std::vector<Place> many;
    for (int i = 0; i < 500; ++i) many.push_back(place("old" + std::to_string(i)));
    painter.want(many);
    painter.want({place("new")});
    // At most one of the old ones was at work already.
    auto thumbnail = wait_for_one(painter);
    ASSERT_TRUE(thumbnail);
    if (thumbnail->id != "new") thumbnail = wait_for_one(painter);
    ASSERT_TRUE(thumbnail);
    EXPECT_EQ(thumbnail->id, "new");
}

TEST(ThumbnailPainter, PaintsNothingTwiceWhileItIsAskedEveryFrame) {
    ThumbnailPainter painter;
    int painted = 0;
    for (int frame = 0; frame < 200; ++frame) {
        painter.want({place("a")});
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    while (wait_for_one(painter)) {
        if (++painted == 1) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    EXPECT_FALSE(painter.take());
}

TEST(ThumbnailPainter, EndsWhileItWorks) {
    Place endless = place("endless");
    endless.location.scene.limit = 1'000'000'000;
    ThumbnailPainter painter;
    painter.want({endless});
    std::this_thread::sleep_for(std::chrono::milliseconds{30});
}  // must not hang

}  // namespace
}  // namespace warpscope
