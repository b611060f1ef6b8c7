// SPDX-License-Identifier: MIT
#include "app/session/export.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstring>
#include <vector>

#include "app/session/atomic_file.h"
#include "app/session/location.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

/// Decodes a PNG to RGBA with libpng's own simple reader.
std::vector<std::uint32_t> decode(const std::filesystem::path& path, int& width, int& height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str())) return {};
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint32_t> pixels(std::size_t{image.width} * image.height);
    png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr);
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
    return pixels;
}

std::string file_error(const std::filesystem::path& path, int width, int height,
                       std::size_t count) {
    const std::vector<std::uint32_t> pixels(count, 0xFF000000u);
    try {
        write_png(path, width, height, pixels, "");
    } catch (const FileError& error) {
        return error.what();
    }
    return "written";
}

TEST(Png, HoldsThePixelsRowByRowWithRedLowest) {
    const TempDir dir;
    for (const std::uint32_t alpha : {0xFFu, 0x80u}) {
        std::vector<std::uint32_t> pixels;
        for (std::uint32_t i = 0; i < 6; ++i) pixels.push_back(alpha << 24 | (0x010203u * (i + 1)));
        write_png(dir.path() / "a.png", 3, 2, pixels, "");
        int width = 0, height = 0;
        EXPECT_EQ(decode(dir.path() / "a.png", width, height), pixels);
        EXPECT_EQ(width, 3);
        EXPECT_EQ(height, 2);
    }
}

TEST(Png, BringsItsPlaceBack) {
    const TempDir dir;
    const std::vector<std::uint32_t> pixels(4, 0xFF102030u);
    for (const char* title : {"Plain", "Žižkov 山"}) {
        Location place;
        place.title = title;
        place.scene.view.re = BigFloat::parse("-1." + std::string(1086, '7'));
        write_png(dir.path() / "a.png", 2, 2, pixels, to_toml(place));
        EXPECT_EQ(location_text(dir.path() / "a.png"), to_toml(place));
        const Location again = read_location(dir.path() / "a.png");
        EXPECT_EQ(again.title, title);
        EXPECT_EQ(again.scene, place.scene);
    }
}

TEST(Png, WithoutAPlaceOrDamagedIsRefusedAsAPlace) {
    const TempDir dir;
    const std::vector<std::uint32_t> pixels(4, 0xFF102030u);
    write_png(dir.path() / "a.png", 2, 2, pixels, "");
    EXPECT_THROW(read_location(dir.path() / "a.png"), LocationError);
    const std::string whole = read_file(dir.path() / "a.png", 10000);
    for (std::size_t size = 8; size + 1 < whole.size(); size += 3) {
        const auto cut = dir.file("cut.png", whole.substr(0, size));
        EXPECT_THROW(read_location(cut), LocationError) << size;
    }
}

TEST(Png, ErrorsNamePathAndReason) {
    const TempDir dir;
    const auto path = dir.path() / "none" / "a.png";
    EXPECT_NE(file_error(path, 1, 1, 1).find(path.string()), std::string::npos);
    EXPECT_NE(file_error(dir.path() / "a.png", 0, 1, 0).find("0x1"), std::string::npos);
    EXPECT_NE(file_error(dir.path() / "a.png", 40000, 1, 40000).find("32768"), std::string::npos);
    EXPECT_NE(file_error(dir.path() / "a.png", 2, 2, 3).find("do not make 2x2"), std::string::npos);
    EXPECT_TRUE(dir.names().empty()) << "nothing half-written stays";
}

TEST(Npy, IsAVersionOneArrayOfCounts) {
    const TempDir dir;
    std::vector<Sample> samples;
    for (std::uint32_t i = 0; i < 6; ++i) samples.push_back({i * 1000000u, 0.5f});
    write_npy(dir.path() / "a.npy", 3, 2, samples);
    const std::string bytes = read_file(dir.path() / "a.npy", 10000);
    ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length =
        static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0u);
    const std::string header = bytes.substr(10, length);
    EXPECT_NE(header.find("'descr': '<u4'"), std::string::npos);
    EXPECT_NE(header.find("'fortran_order': False"), std::string::npos);
    EXPECT_NE(header.find("'shape': (2, 3)"), std::string::npos);
    EXPECT_EQ(header.back(), '\n');
    ASSERT_EQ(bytes.size(), 10 + length + 24);
    for (std::uint32_t i = 0; i < 6; ++i) {
        std::uint32_t count = 0;
        std::memcpy(&count, bytes.data() + 10 + length + 4 * i, 4);
        EXPECT_EQ(count, i * 1000000u);
    }
    EXPECT_EQ(dir.names().size(), 1u);
}

TEST(Npy, RefusesAWrongSize) {
    const TempDir dir;
    const std::vector<Sample> samples(5);
    EXPECT_THROW(write_npy(dir.path() / "a.npy", 3, 2, samples), FileError);
    EXPECT_TRUE(dir.names().empty());
}

}  // namespace
}  // namespace warpscope
