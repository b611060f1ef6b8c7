// SPDX-License-Identifier: MIT
#include "app/session/export.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <fstream>
#include <vector>

#include "app/session/atomic_file.h"
#include "app/session/location.h"

namespace warpscope {
namespace {

static_assert(std::endian::native == std::endian::little, "pixels and counts are written as bytes");

constexpr int kMaxEdge = 32768;
constexpr const char* kTextKey = "warpscope";
constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

void check_size(const std::filesystem::path& path, int width, int height, std::size_t count) {
    const auto fail = [&](const std::string& why) {
        throw FileError{"cannot write '" + path.string() + "': " + why};
    };
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (width < 1 || height < 1 || width > kMaxEdge || height > kMaxEdge) {
        fail("size " + size + " is not within 1x1 and 32768x32768");
    }
    if (count != static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        fail(std::to_string(count) + " pixels do not make " + size);
    }
}

/// What libpng's callbacks need. Errors travel as text: libpng is C and leaves by longjmp.
struct PngSink {
    std::string bytes;
    std::array<char, 128> problem{};
};

void on_error(png_structp png, png_const_charp message) {
    auto* sink = static_cast<PngSink*>(png_get_error_ptr(png));
    std::strncpy(sink->problem.data(), message, sink->problem.size() - 1);
    png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, png_size_t size) {
    auto* sink = static_cast<PngSink*>(png_get_io_ptr(png));
    try {
        sink->bytes.append(reinterpret_cast<const char*>(data), size);
        return;
    } catch (...) {  // out of memory must not unwind through C
    }
    png_error(png, "out of memory");
}

struct Picture {
    int width, height;
    const std::uint32_t* pixels;
    bool opaque;
    char* text;  ///< zero-terminated, or nullptr
    std::size_t text_size;
    bool ascii;
};

/// Encodes between setjmp and longjmp: nothing here has a destructor. False on failure.
bool encode(png_structp png, png_infop info, PngSink& sink, const Picture& picture) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, &sink, on_write, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
                 static_cast<png_uint_32>(picture.height), 8,
                 picture.opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (picture.text) {
        // tEXt is Latin-1; titles beyond ASCII need iTXt, which is UTF-8.
        png_text text{};
        text.compression = picture.ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        text.key = const_cast<png_charp>(kTextKey);
        text.text = picture.text;
        text.text_length = picture.ascii ? picture.text_size : 0;
        text.itxt_length = picture.ascii ? 0 : picture.text_size;
        png_set_text(png, info, &text, 1);
    }
    png_write_info(png, info);
    if (picture.opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < picture.height; ++y) {
        const std::uint32_t* row = picture.pixels + static_cast<std::ptrdiff_t>(y) * picture.width;
        png_write_row(png, reinterpret_cast<png_const_bytep>(row));
    }
    png_write_end(png, info);
    return true;
}

/// A PNG being read from memory, and the place found in it.
struct PngSource {
    std::string_view bytes;
    PngSink errors;
    std::string place;
};

void on_read(png_structp png, png_bytep data, png_size_t size) {
    auto* source = static_cast<PngSource*>(png_get_io_ptr(png));
    if (size > source->bytes.size()) png_error(png, "the file ends early");
    std::memcpy(data, source->bytes.data(), size);
    source->bytes.remove_prefix(size);
}

/// Reads the chunks before the pixels; false on failure.
bool read_texts(png_structp png, png_infop info, PngSource& source, png_textp& texts, int& count) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, &source, on_read);
    png_set_chunk_malloc_max(png, kMaxLocationBytes + 1024);
    png_read_info(png, info);
    png_get_text(png, info, &texts, &count);
    return true;
}

std::string place_in_png(const std::filesystem::path& path, std::string_view bytes) {
    PngSource source{bytes, {}, {}};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &source.errors, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    png_textp texts = nullptr;
    int count = 0;
    const bool good = info && read_texts(png, info, source, texts, count);
    bool found = false;
    for (int i = 0; i < count; ++i) {
        if (std::strcmp(texts[i].key, kTextKey) != 0) continue;
        const bool latin = texts[i].compression <= PNG_TEXT_COMPRESSION_zTXt;
        source.place.assign(texts[i].text, latin ? texts[i].text_length : texts[i].itxt_length);
        found = true;
    }
    png_destroy_read_struct(&png, &info, nullptr);
    if (!good) {
        throw FileError{"cannot read '" + path.string() + "': damaged PNG, " +
                        source.errors.problem.data()};
    }
    if (!found) {
        throw FileError{"cannot read '" + path.string() +
                        "': this PNG holds no place; those saved by Warpscope do"};
    }
    return std::move(source.place);
}

/// Only regular files are looked into: opening a pipe would wait for its writer.
bool is_png(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::array<char, kPngSignature.size()> start{};
    std::ifstream{path, std::ios::binary}.read(start.data(), start.size());
    return std::string_view{start.data(), start.size()} == kPngSignature;
}

}  // namespace

void write_png(const std::filesystem::path& path, int width, int height,
               std::span<const std::uint32_t> rgba, std::string_view place) {
    check_size(path, width, height, rgba.size());
    std::vector<char> text{place.begin(), place.end()};
    text.push_back('\0');
    const auto is_opaque = [](std::uint32_t pixel) { return pixel >> 24 == 0xFF; };
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    const Picture picture{width,
                          height,
                          rgba.data(),
                          std::all_of(rgba.begin(), rgba.end(), is_opaque),
                          place.empty() ? nullptr : text.data(),
                          place.size(),
                          std::all_of(place.begin(), place.end(), is_ascii)};
    PngSink sink;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    const bool good = info && encode(png, info, sink, picture);
    png_destroy_write_struct(&png, &info);
    if (!good) {
        throw FileError{"cannot write '" + path.string() + "': " + sink.problem.data()};
    }
    write_file(path, sink.bytes);
}

void write_npy(const std::filesystem::path& path, int width, int height,
               std::span<const Sample> samples) {
    check_size(path, width, height, samples.size());
    std::string header = "{'descr': '<u4', 'fortran_order': False, 'shape': (" +
                         std::to_string(height) + ", " + std::to_string(width) + "), }";
    // Magic, version 1.0 and length take 10 bytes; the data begins at a multiple of 64.
    constexpr std::size_t kPrefix = 10, kAlignment = 64;
    while ((kPrefix + header.size() + 1) % kAlignment != 0) header += ' ';
    header += '\n';
    std::string start{"\x93NUMPY\x01\x00", 8};
    start += static_cast<char>(header.size() & 0xFF);
    start += static_cast<char>(header.size() >> 8);

    AtomicFile file{path};
    file.write(start + header);
    std::vector<std::uint32_t> row(static_cast<std::size_t>(width));
    for (std::size_t first = 0; first < samples.size(); first += row.size()) {
        std::transform(samples.begin() + static_cast<std::ptrdiff_t>(first),
                       samples.begin() + static_cast<std::ptrdiff_t>(first + row.size()),
                       row.begin(), [](const Sample& sample) { return sample.count; });
        file.write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof row[0]});
    }
    file.commit();
}

std::string location_text(const std::filesystem::path& path) {
    constexpr std::size_t kMaxPngBytes = std::size_t{1} << 30;
    if (!is_png(path)) return read_file(path, kMaxLocationBytes);
    return place_in_png(path, read_file(path, kMaxPngBytes));
}

}  // namespace warpscope
