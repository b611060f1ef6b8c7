// SPDX-License-Identifier: MIT
// Numbers of any precision as decimal text that reads back to the very same value.
#pragma once

#include <string>
#include <string_view>

#include "kernels/deep/big_float.h"

namespace warpscope {

/// A number as text. `bits` is 0 where BigFloat::parse(text) is the value; else the value is `text`
/// rounded to that many bits (its own digits would give another precision, so another number).
struct DecimalText {
    std::string text;
    long bits = 0;
};

/// The shortest such text that was found; decimal_value() gives back exactly `value`.
DecimalText decimal_text(const BigFloat& value);

/// The inverse. Throws NumberError where the text is not a decimal number.
BigFloat decimal_value(const DecimalText& decimal);

}  // namespace warpscope
