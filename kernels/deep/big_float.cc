// SPDX-License-Identifier: MIT
#include "kernels/deep/big_float.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace warpscope {
namespace {

constexpr long kMinBits = 64;
static_assert(kMaxDecimalDigits > kMaxDecimalBits * 30103 / 100'000 + 40,
              "what was read must be written in digits that can be read");
constexpr double kBitsPerDigit = 3.3219280948873623;

std::string shortened(std::string_view text) {
    constexpr std::size_t kShown = 40;
    if (text.size() <= kShown) return std::string{text};
    return std::string{text.substr(0, kShown)} + "…";
}

long digit_count(std::string_view text) {
    const std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
    return std::count_if(mantissa.begin(), mantissa.end(),
                         [](char c) { return c >= '0' && c <= '9'; });
}

/// Sign, digits with at most one point, at least one digit, optional exponent.
bool is_decimal(std::string_view text) {
    const auto skip_sign = [&] {
        if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
    };
    const auto skip_digits = [&] {
        const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
        text.remove_prefix(end);
        return end;
    };
    skip_sign();
    std::size_t digits = skip_digits();
    if (!text.empty() && text[0] == '.') {
        text.remove_prefix(1);
        digits += skip_digits();
    }
    if (digits == 0) return false;
    if (text.empty()) return true;
    if (text[0] != 'e' && text[0] != 'E') return false;
    text.remove_prefix(1);
    skip_sign();
    return skip_digits() > 0 && text.empty();
}

/// mantissa digits (with sign) and decimal exponent to "-1.25e-3" or a plain number where short.
std::string format(std::string digits, long exponent) {
    std::string sign;
    if (digits[0] == '-') {
        sign = "-";
        digits.erase(0, 1);
    }
    const std::size_t last = digits.find_last_not_of('0');
    if (last == std::string::npos) return "0";
    digits.erase(last + 1);
    const long count = static_cast<long>(digits.size());
    constexpr long kPlainBelow = 21, kPlainAbove = -6;
    if (exponent > 0 && exponent <= kPlainBelow) {
        if (count <= exponent) {
            return sign + digits + std::string(static_cast<std::size_t>(exponent - count), '0');
        }
        const auto point = static_cast<std::size_t>(exponent);
        return sign + digits.substr(0, point) + "." + digits.substr(point);
    }
    if (exponent <= 0 && exponent > kPlainAbove) {
        return sign + "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
    }
    std::string text = sign + digits[0];
    if (count > 1) text.append(1, '.').append(digits, 1, std::string::npos);
    return text + "e" + std::to_string(exponent - 1);
}

using MpfrString = std::unique_ptr<char, decltype(&mpfr_free_str)>;

}  // namespace

BigFloat::BigFloat(double value, long bits) {
    mpfr_init2(value_, std::max(bits, kMinBits));
    mpfr_set_d(value_, value, MPFR_RNDN);
}

BigFloat::BigFloat(const BigFloat& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
}

BigFloat::BigFloat(BigFloat&& other) noexcept : BigFloat{} { mpfr_swap(value_, other.value_); }

BigFloat& BigFloat::operator=(BigFloat other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
}

BigFloat::~BigFloat() { mpfr_clear(value_); }

BigFloat BigFloat::parse(std::string_view decimal, long bits) {
    if (!is_decimal(decimal)) {
        throw NumberError{"'" + shortened(decimal) +
                          "' is not a decimal number such as -1.25 or 3.5e-7"};
    }
    const long count = digit_count(decimal);
    if (count > kMaxDecimalDigits) {
        throw NumberError{"'" + shortened(decimal) + "' has more than 20,000 digits"};
    }
    const long carried = std::min(
        std::lround(std::ceil(static_cast<double>(count) * kBitsPerDigit)) + 32, kMaxDecimalBits);
    BigFloat result{0, std::max(carried, bits)};
    const std::string text{decimal};
    mpfr_set_str(result.value_, text.c_str(), 10, MPFR_RNDN);
    if (!mpfr_number_p(result.value_)) {
        throw NumberError{"'" + shortened(decimal) + "' is beyond every number type's range"};
    }
    return result;
}

std::string BigFloat::to_string() const {
    // 0 digits asks MPFR for as many as identify the value at its precision.
    mpfr_exp_t exponent = 0;
    const MpfrString digits{mpfr_get_str(nullptr, &exponent, 10, 0, value_, MPFR_RNDN),
                            &mpfr_free_str};
    return format(digits.get(), exponent);
}

std::string BigFloat::to_string(int digits) const {
    mpfr_exp_t exponent = 0;
    const auto wanted = static_cast<std::size_t>(std::max(digits, 2));
    const MpfrString text{mpfr_get_str(nullptr, &exponent, 10, wanted, value_, MPFR_RNDN),
                          &mpfr_free_str};
    return format(text.get(), exponent);
}

double BigFloat::to_double() const noexcept { return mpfr_get_d(value_, MPFR_RNDN); }

double BigFloat::log2_abs() const noexcept {
    if (mpfr_zero_p(value_)) return -std::numeric_limits<double>::infinity();
    long exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, value_, MPFR_RNDN);
    return std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}

int BigFloat::sign() const noexcept { return mpfr_sgn(value_); }

long BigFloat::bits() const noexcept { return static_cast<long>(mpfr_get_prec(value_)); }

BigFloat BigFloat::with_bits(long bits) const {
    BigFloat result{0, bits};
    mpfr_set(result.value_, value_, MPFR_RNDN);
    return result;
}

BigFloat BigFloat::rounded() const {
    BigFloat result{0, bits()};
    mpfr_round(result.value_, value_);
    return result;
}

BigFloat operator+(const BigFloat& a, const BigFloat& b) {
    BigFloat result{0, std::max(a.bits(), b.bits())};
    mpfr_add(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
}

BigFloat operator-(const BigFloat& a, const BigFloat& b) {
    BigFloat result{0, std::max(a.bits(), b.bits())};
    mpfr_sub(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
}

BigFloat operator*(const BigFloat& a, const BigFloat& b) {
    BigFloat result{0, std::max(a.bits(), b.bits())};
    mpfr_mul(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
}

BigFloat operator/(const BigFloat& a, const BigFloat& b) {
    BigFloat result{0, std::max(a.bits(), b.bits())};
    mpfr_div(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
}

bool operator==(const BigFloat& a, const BigFloat& b) noexcept {
    return mpfr_equal_p(a.value_, b.value_) != 0;
}

bool operator<(const BigFloat& a, const BigFloat& b) noexcept {
    return mpfr_less_p(a.value_, b.value_) != 0;
}

}  // namespace warpscope
