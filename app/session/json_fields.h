// SPDX-License-Identifier: MIT
// Typed reading of JSON objects with messages that name the key and what was wanted.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpscope {

/// A value is missing or not what it must be. The message names its key.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The double. Throws JsonError beginning with `where`.
double json_number(const nlohmann::json& value, const std::string& where);

/// A whole number within bounds, and as JSON writes whole numbers: no point, no exponent.
template <class T>
T json_whole(const nlohmann::json& value, const std::string& where, T least, T most) {
    static_assert(std::is_integral_v<T>);
    const bool negative = value.is_number_integer() && !value.is_number_unsigned();
    if (negative && std::is_signed_v<T>) {
        const auto number = value.get<std::int64_t>();
        if (number >= static_cast<std::int64_t>(least) && number <= static_cast<std::int64_t>(most))
            return static_cast<T>(number);
    }
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        const bool above = least <= 0 || number >= static_cast<std::uint64_t>(least);
        if (most >= 0 && above && number <= static_cast<std::uint64_t>(most))
            return static_cast<T>(number);
    }
    throw JsonError{where + " must be a whole number from " + std::to_string(least) + " to " +
                    std::to_string(most)};
}

/// The keys of one object; each must be there unless it is asked for as optional.
class JsonFields {
  public:
    /// `object` is borrowed; `where` is its key path, empty at the top. Throws JsonError.
    explicit JsonFields(const nlohmann::json& object, std::string where = {});

    /// Throws JsonError where there is no such key.
    const nlohmann::json& at(std::string_view key) const;

    std::string text(std::string_view key) const;
    bool flag(std::string_view key) const;
    double number(std::string_view key) const { return json_number(at(key), path(key)); }
    template <class T = int>
    T whole(std::string_view key, T least, T most = std::numeric_limits<T>::max()) const {
        return json_whole<T>(at(key), path(key), least, most);
    }
    /// Absent where the value is null.
    template <class T = int>
    std::optional<T> whole_or_null(std::string_view key, T least, T most) const {
        if (at(key).is_null()) return std::nullopt;
        return whole<T>(key, least, most);
    }
    /// The array `key`. Throws JsonError unless it has `size` items, if given.
    const nlohmann::json& list(std::string_view key,
                               std::optional<std::size_t> size = std::nullopt) const;
    JsonFields object(std::string_view key) const { return JsonFields{at(key), path(key)}; }

    /// "spans.unit": how messages name `key`.
    std::string path(std::string_view key) const;

  private:
    const nlohmann::json& object_;
    std::string where_;
};

}  // namespace warpscope
