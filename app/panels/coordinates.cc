// SPDX-License-Identifier: MIT
#include "app/panels/coordinates.h"

#include <algorithm>
#include <cmath>

#include "app/format.h"

namespace warpscope {
namespace {

constexpr std::string_view kTypographicMinus = "\u2212";

std::string named(const char* field, const NumberError& error) {
    return std::string{field} + ": " + error.what();
}

BigFloat field_or(const BigFloat& now, const char* field, std::string_view text) {
    if (text.find_first_not_of(" \t\n") == std::string_view::npos) return now;
    try {
        return parse_typed(text);
    } catch (const NumberError& error) {
        throw NumberError{named(field, error)};
    }
}

/// What a pixel is wide in units of the last place of a number with `bits` near the view.
double units_per_pixel(const View& view, int height, double bits) {
    const double extent = std::max({1.0, view.re.log2_abs(), view.im.log2_abs()});
    return std::exp2(pixel_spacing(view, height).log2_abs() - extent + bits);
}

/// "32.0", "17.2 G".
std::string short_si(double value) {
    std::string text = format_si(value, "");
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

}  // namespace

BigFloat parse_typed(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        if (text.starts_with(kTypographicMinus)) {
            plain += '-';
            text.remove_prefix(kTypographicMinus.size());
            continue;
        }
        const char c = text.front();
        if (c != ' ' && c != '_' && c != '\t' && c != '\n' && c != '\r') plain += c;
        text.remove_prefix(1);
    }
    return BigFloat::parse(plain);
}

View typed_view(const View& now, std::string_view re, std::string_view im, std::string_view zoom) {
    View view{field_or(now.re, "Real part", re), field_or(now.im, "Imaginary part", im),
              field_or(now.zoom, "Zoom", zoom)};
    if (view.zoom.sign() <= 0) {
        throw NumberError{"Zoom: must be above 0; the half-height of the view is 2/zoom"};
    }
    return view;
}

std::string precision_sentence(const Scene& scene, int height, Df64Speed df64) {
    constexpr double kFloatBits = 24, kDf64Bits = 46, kDoubleBits = 53;
    const double floats = units_per_pixel(scene.view, height, kFloatBits);
    const double pairs = units_per_pixel(scene.view, height, kDf64Bits);
    const double doubles = units_per_pixel(scene.view, height, kDoubleBits);
    const std::string wide = " units in the last place wide";
    if (scene.precision == PrecisionChoice::kFloat) {
        return floats >= 1 ? "Float, as chosen: a pixel is " + short_si(floats) + wide + "."
                           : "Float, as chosen, is too coarse here: neighbouring pixels are the "
                             "same number. Choose Auto or Double for a sharp picture.";
    }
    if (scene.precision == PrecisionChoice::kDouble) {
        return "Double, as chosen: a pixel is " + short_si(doubles) + wide + ".";
    }
    if (scene.precision == PrecisionChoice::kDf64) {
        return "df64, as chosen: a pixel is " + short_si(pairs) + wide + ", of 46 bits.";
    }
    const std::optional<Precision> precision = choose_precision(scene.view, height, df64);
    if (precision == Precision::kFloat) {
        return "Auto runs float: a pixel is " + short_si(floats) + wide + ". Below 256 " +
               (df64 == Df64Speed::kFaster ? "df64" : "double") + " takes over.";
    }
    if (precision == Precision::kDf64) {
        return "Auto runs df64, which this GPU does faster than double: a pixel is " +
               short_si(pairs) + wide + ", of 46 bits. Below 64 double takes over.";
    }
    return "Auto runs double: a pixel would be only " + short_si(floats) +
           " float units wide; it is " + short_si(doubles) +
           " double units. At 4 zooming in stops.";
}

}  // namespace warpscope
