// SPDX-License-Identifier: MIT
// Numbers for people: SI prefixes, three significant digits, a fixed number of characters.
#pragma once

#include <cstdint>
#include <string>

namespace warpscope {

/// "4.10 T", "312 m", "0": three significant digits and a prefix from n to P, then `unit`.
std::string format_si(double value, const char* unit);

/// Milliseconds as "0.213 ms", "12.4 ms", "1.34 s", "213 us".
std::string format_ms(double ms);

/// "12.4×", "0.0024×"; thousands grouped.
std::string format_ratio(double ratio);

/// A number without unit or prefix: "0.998", "12.4", "2,074"; three significant digits below 1000.
std::string format_number(double value);

/// "2,073,600".
std::string format_count(std::uint64_t count);

/// Bytes with binary prefixes: "16.6 MiB".
std::string format_bytes(double bytes);

/// "87.5 %".
std::string format_percent(double fraction);

/// How far long work is: "41 %", "4.1 %", "0.02 %"; two digits down to 0.0001 %, and 100 % only at
/// the end.
std::string format_share(double share);

/// A zoom such as "1.2e4" or "1.5".
std::string format_zoom(double log2_zoom);

/// "12 s", "3 min 20 s", "2 h 5 min", "3 d 4 h": rounded up, never 0.
std::string format_seconds_left(double seconds);

}  // namespace warpscope
