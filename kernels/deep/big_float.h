// SPDX-License-Identifier: MIT
// An arbitrary-precision number: an owner for MPFR's mpfr_t with value semantics.
#pragma once

#include <mpfr.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace warpscope {

/// Most digits that BigFloat::parse() reads: sixteen times what the deepest zoom can show, and read
/// in milliseconds. Millions would take seconds.
inline constexpr long kMaxDecimalDigits = 20'000;

/// Most bits that digits alone give a number; it is then written in fewer than kMaxDecimalDigits.
inline constexpr long kMaxDecimalBits = 66'000;

/// Text that is not a finite decimal number. The message quotes it (shortened).
struct NumberError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A finite binary floating-point number of any precision; exponents far beyond double's.
class BigFloat {
  public:
    /// `value`, exactly, in at least `bits` (64 at the least).
    explicit BigFloat(double value = 0, long bits = 64);
    BigFloat(const BigFloat& other);
    BigFloat(BigFloat&& other) noexcept;
    BigFloat& operator=(BigFloat other) noexcept;
    ~BigFloat();

    /// Reads a decimal number ("-1.25e-3"), rounded to nearest in as many bits as its digits carry,
    /// plus 32, at most kMaxDecimalBits, and at least in `bits`. Throws NumberError on anything
    /// else, infinities and more than kMaxDecimalDigits included.
    static BigFloat parse(std::string_view decimal, long bits = 64);

    /// Shortest decimal string that reads back to this value at this precision.
    std::string to_string() const;
    /// Decimal string with `digits` significant digits, at least 2.
    std::string to_string(int digits) const;

    double to_double() const noexcept;  ///< nearest double; infinity beyond its range
    double log2_abs() const noexcept;   ///< log2 |x|; -infinity for zero
    int sign() const noexcept;          ///< -1, 0, 1
    long bits() const noexcept;         ///< precision

    /// This value rounded to nearest in `bits`.
    BigFloat with_bits(long bits) const;
    /// The nearest integer, halves away from zero.
    BigFloat rounded() const;

    // Results have the larger precision of the two operands.
    friend BigFloat operator+(const BigFloat& a, const BigFloat& b);
    friend BigFloat operator-(const BigFloat& a, const BigFloat& b);
    friend BigFloat operator*(const BigFloat& a, const BigFloat& b);
    friend BigFloat operator/(const BigFloat& a, const BigFloat& b);
    friend bool operator==(const BigFloat& a, const BigFloat& b) noexcept;
    friend bool operator<(const BigFloat& a, const BigFloat& b) noexcept;

  private:
    mpfr_t value_;
};

}  // namespace warpscope
