// SPDX-License-Identifier: MIT
#include "app/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace warpscope {
namespace {

std::string three_digits(double value) {
    std::array<char, 64> text{};
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

}  // namespace

std::string format_si(double value, const char* unit) {
    struct Prefix {
        double size;
        const char* name;
    };
    static constexpr std::array kPrefixes{Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"},
                                          Prefix{1e6, "M"},  Prefix{1e3, "k"},  Prefix{1, ""},
                                          Prefix{1e-3, "m"}, Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}};
    if (value == 0 || !std::isfinite(value)) {
        return std::string{value == 0 ? "0 " : "— "} + unit;
    }
    for (const Prefix& prefix : kPrefixes) {
        if (std::abs(value) < 0.9995 * prefix.size && &prefix != &kPrefixes.back()) continue;
        return three_digits(value / prefix.size) + " " + prefix.name + unit;
    }
    return {};
}

std::string format_ms(double ms) { return format_si(ms * 1e-3, "s"); }

std::string format_ratio(double ratio) {
    if (ratio >= 1000) return format_count(static_cast<std::uint64_t>(std::llround(ratio))) + "×";
    if (ratio > 0 && ratio < 0.0995) {  // two digits of what is small rather than "0.00"
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.2g×", ratio);
        return text.data();
    }
    return three_digits(ratio) + "×";
}

std::string format_number(double value) {
    if (!std::isfinite(value)) return "—";
    if (std::abs(value) >= 999.5) {
        return (value < 0 ? "-" : "") + format_count(static_cast<std::uint64_t>(
                                            std::llround(std::min(std::abs(value), 1e18))));
    }
    if (value == 0 || std::abs(value) >= 0.9995) return value == 0 ? "0" : three_digits(value);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

std::string format_count(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string format_bytes(double bytes) {
    static constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < kUnits.size()) {
        bytes /= 1024;
        ++unit;
    }
    if (unit == 0) return std::to_string(static_cast<long long>(bytes)) + " B";
    return three_digits(bytes) + " " + kUnits[unit];
}

std::string format_percent(double fraction) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * fraction);
    return text.data();
}

std::string format_share(double share) {
    const double percent = share < 1 ? std::clamp(100 * share, 0.0, 99.0) : 100;
    int decimals = 0;
    for (double least = 9.95; percent < least && decimals < 4; least /= 10) ++decimals;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f %%", percent > 0 ? decimals : 0, percent);
    return text.data();
}

std::string format_zoom(double log2_zoom) {
    constexpr double kLog10Of2 = 0.30102999566398120;
    std::array<char, 64> text{};
    const double log10_zoom = log2_zoom * kLog10Of2;
    if (log10_zoom > -2 && log10_zoom < 4) {
        std::snprintf(text.data(), text.size(), "%.4g", std::exp2(log2_zoom));
        return text.data();
    }
    const double exponent = std::floor(log10_zoom);
    std::snprintf(text.data(), text.size(), "%.2fe%.0f", std::pow(10, log10_zoom - exponent),
                  exponent);
    return text.data();
}

std::string format_seconds_left(double seconds) {
    constexpr double kMost = 1e9;  // over thirty years
    const auto whole = static_cast<long>(std::ceil(std::clamp(seconds, 1.0, kMost)));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) {
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    }
    constexpr long kDay = 24 * 3600;
    if (whole >= 2 * kDay) {
        return std::to_string(whole / kDay) + " d " + std::to_string(whole % kDay / 3600) + " h";
    }
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace warpscope
