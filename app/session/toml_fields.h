// SPDX-License-Identifier: MIT
// Typed reading of TOML tables with messages that people can act on. Only .cc files include this.
#pragma once

#include <toml++/toml.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "app/session/state.h"

namespace warpscope {

/// Reads known keys of one table and remembers which; what remains is unknown.
class Fields {
  public:
    /// Called with the line (0 unknown) and a sentence for each value that cannot be taken.
    using Problem = std::function<void(int line, const std::string& what)>;

    /// `table` is borrowed. `prefix` stands before keys in messages, e.g. "color.".
    Fields(toml::table& table, std::string prefix, Problem problem)
        : table_{table}, prefix_{std::move(prefix)}, problem_{std::move(problem)} {}

    // Each stores the value of `key` in `out` and takes the key out of the table. Where the key is
    // missing `out` stays; on a wrong type too, after the problem was reported. Returns the line of
    // the value, or -1 where none was stored.
    int take(std::string_view key, std::string& out);
    int take(std::string_view key, std::int64_t& out);
    int take(std::string_view key, double& out);  ///< integers too; the caller tests for NaN
    int take(std::string_view key, bool& out);
    int take(std::string_view key, int& out);
    int take(std::string_view key, float& out);

    /// The subtable `key`, or nullptr; a value of another type is reported.
    toml::table* subtable(std::string_view key);

    bool has(std::string_view key) const { return table_.contains(key); }
    void report(int line, std::string_view key, const std::string& what) const;
    toml::table& rest() const { return table_; }

  private:
    template <class Accepts>
    const toml::node* find(std::string_view key, std::string_view accepted, Accepts accepts) const;
    template <class T, class Accepts>
    int take_as(std::string_view key, std::string_view accepted, Accepts accepts, T& out);

    toml::table& table_;
    std::string prefix_;
    Problem problem_;
};

/// Line of `node` in its file, 0 where unknown.
int line_of(const toml::node& node);

/// "a string", "an integer" … as messages say it.
std::string_view type_name(const toml::node& node);

/// Levels of tables and lists that one header, or one value with its key, may open.
inline constexpr int kMaxTomlLevels = 64;

/// Parses `text`; throws toml::parse_error, also beyond kMaxTomlLevels: the library would recurse
/// until the stack ends.
toml::table parse_toml(std::string_view text, std::string_view name);

/// `table` as TOML text that ends in a newline; empty for an empty table.
std::string to_text(const toml::table& table);

/// `text` as a quoted TOML string; bytes that are not UTF-8 become '?'.
std::string toml_string(std::string_view text);

/// The double that is written with the fewest digits and still reads back as `value`.
double shortest(float value);

/// Colour settings as a table, and back: known keys are taken out of fields.rest(), values clamped.
toml::table color_table(const ColorSettings& color);
ColorSettings take_color(Fields fields);

}  // namespace warpscope
