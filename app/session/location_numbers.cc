// SPDX-License-Identifier: MIT
#include "app/session/location_numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpscope {
namespace {

constexpr double kDigitsPerBit = 0.30102999566398120;

/// `text` with zeros appended to its mantissa until it has `digits` digits: more digits make
/// parse() read in more bits.
std::string padded(std::string text, long digits) {
    const std::size_t end = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa{text.data(), end};
    const long present = std::count_if(mantissa.begin(), mantissa.end(),
                                       [](char c) { return c >= '0' && c <= '9'; });
    if (present >= digits) return text;
    std::string zeros(static_cast<std::size_t>(digits - present), '0');
    if (mantissa.find('.') == std::string_view::npos) zeros.insert(0, ".");
    return text.insert(end, zeros);
}

}  // namespace

DecimalText decimal_text(const BigFloat& value) {
    std::string plain = value.to_string();
    if (BigFloat::parse(plain) == value) return {std::move(plain), 0};
    // A number that was read from n digits has about n * 3.32 + 32 bits: look for that n, so that a
    // place is written with the digits that it was read from.
    const auto guess =
        static_cast<long>(std::floor(static_cast<double>(value.bits() - 32) * kDigitsPerBit));
    for (long digits = std::max(guess - 2, 2L); digits <= guess + 1; ++digits) {
        std::string text = value.to_string(static_cast<int>(digits));
        if (BigFloat::parse(text) == value) return {std::move(text), 0};
        text = padded(std::move(text), digits);
        if (BigFloat::parse(text) == value) return {std::move(text), 0};
    }
    DecimalText result{std::move(plain), value.bits()};
    if (decimal_value(result) == value) return result;
    // Rounded twice, the shortest text may land beside the value; ten more digits cannot.
    const double digits = std::ceil(static_cast<double>(value.bits()) * kDigitsPerBit) + 10;
    result.text = value.to_string(static_cast<int>(digits));
    return result;
}

BigFloat decimal_value(const DecimalText& decimal) {
    if (decimal.bits == 0) return BigFloat::parse(decimal.text);
    return BigFloat::parse(decimal.text, decimal.bits).with_bits(decimal.bits);
}

}  // namespace warpscope
