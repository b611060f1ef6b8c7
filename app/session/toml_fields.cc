// SPDX-License-Identifier: MIT
#include "app/session/toml_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>
#include <vector>

#include "app/session/clamp.h"

namespace warpscope {
namespace {

/// Bytes of the UTF-8 character that begins `text`, 0 where it is not valid.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80   ? 1
                               : byte(0) < 0xC2 ? 0
                               : byte(0) < 0xE0 ? 2
                               : byte(0) < 0xF0 ? 3
                               : byte(0) < 0xF5 ? 4
                                                : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if (byte(0) == 0xE0 && byte(1) < 0xA0) return 0;
    if (byte(0) == 0xED && byte(1) >= 0xA0) return 0;
    if (byte(0) == 0xF0 && byte(1) < 0x90) return 0;
    if (byte(0) == 0xF4 && byte(1) >= 0x90) return 0;
    return length;
}

std::string escaped(char c) {
    if (c == '"') return "\\\"";
    if (c == '\\') return "\\\\";
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7F) return {c};
    constexpr std::string_view kHex = "0123456789ABCDEF";
    return std::string{"\\u00"} + kHex[code >> 4] + kHex[code & 15];
}

/// Where the string that begins at text[begin] with a quotation mark ends: after its last mark, or
/// where a line ends that leaves it open (the parser says so).
std::size_t string_end(std::string_view text, std::size_t begin) {
    const char mark = text[begin];
    const std::string three(3, mark);
    const bool multiline = text.substr(begin, 3) == three;
    std::size_t i = begin + (multiline ? 3 : 1);
    for (; i < text.size(); ++i) {
        if (mark == '"' && text[i] == '\\') {
            ++i;
            continue;
        }
        if (!multiline && text[i] == '\n') return i;
        if (!multiline && text[i] == mark) return i + 1;
        if (multiline && text.substr(i, 3) == three) break;
    }
    // Up to two marks may stand before the three that close it.
    const std::size_t last = text.find_first_not_of(mark, i);
    return std::min({last, i + 5, text.size()});
}

/// Line of the first header or key that opens more than kMaxTomlLevels tables and lists, 0 if none
/// does. One pass without a stack frame per level; only what it has to know of TOML.
int too_deep_line(std::string_view text) {
    std::vector<int> open;  // levels that each open bracket added
    int levels = 0;         // their sum
    int dots = 0;           // of the key that is being read
    int line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        std::size_t next = i + 1;
        if (c == '"' || c == '\'') next = string_end(text, i);
        if (c == '#') next = std::min(text.find('\n', i), text.size());
        if (c == '.') ++dots;
        if (c == '[' || c == '{') {
            open.push_back(dots + 1);
            levels += open.back();
        }
        if ((c == ']' || c == '}') && !open.empty()) {
            levels -= open.back();
            open.pop_back();
        }
        if (levels + dots > kMaxTomlLevels) return line;
        if (c == '[' || c == '{' || c == ']' || c == '}' || c == ',' || c == '\n') dots = 0;
        line +=
            static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                        text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
        i = next;
    }
    return 0;
}

}  // namespace

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string_view type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a number with a point";
        case toml::node_type::boolean:
            return "true or false";
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::date:
        case toml::node_type::time:
        case toml::node_type::date_time:
            return "a date or time";
        case toml::node_type::none:
            break;
    }
    return "nothing";
}

void Fields::report(int line, std::string_view key, const std::string& what) const {
    problem_(line, prefix_ + std::string{key} + " " + what);
}

template <class Accepts>
const toml::node* Fields::find(std::string_view key, std::string_view accepted,
                               Accepts accepts) const {
    const toml::node* node = table_.get(key);
    if (!node || accepts(*node)) return node;
    report(line_of(*node), key,
           "must be " + std::string{accepted} + ", got " + std::string{type_name(*node)});
    return nullptr;
}

template <class T, class Accepts>
int Fields::take_as(std::string_view key, std::string_view accepted, Accepts accepts, T& out) {
    const toml::node* node = find(key, accepted, accepts);
    if (!node) return -1;
    const int line = line_of(*node);
    out = *node->value<T>();
    table_.erase(key);
    return line;
}

int Fields::take(std::string_view key, std::string& out) {
    return take_as(
        key, "a string", [](const auto& node) { return node.is_string(); }, out);
}

int Fields::take(std::string_view key, std::int64_t& out) {
    return take_as(
        key, "an integer", [](const auto& node) { return node.is_integer(); }, out);
}

int Fields::take(std::string_view key, bool& out) {
    return take_as(
        key, "true or false", [](const auto& node) { return node.is_boolean(); }, out);
}

int Fields::take(std::string_view key, double& out) {
    const toml::node* node =
        find(key, "a number", [](const auto& candidate) { return candidate.is_number(); });
    if (!node) return -1;
    const int line = line_of(*node);
    const auto* integer = node->as_integer();
    out = integer ? static_cast<double>(integer->get()) : node->as_floating_point()->get();
    table_.erase(key);
    return line;
}

int Fields::take(std::string_view key, int& out) {
    std::int64_t wide = out;
    const int line = take(key, wide);
    out = static_cast<int>(std::clamp<std::int64_t>(wide, std::numeric_limits<int>::min(),
                                                    std::numeric_limits<int>::max()));
    return line;
}

int Fields::take(std::string_view key, float& out) {
    double wide = static_cast<double>(out);
    const int line = take(key, wide);
    constexpr double kMax = static_cast<double>(std::numeric_limits<float>::max());
    out = static_cast<float>(wide != wide ? wide : std::clamp(wide, -kMax, kMax));
    return line;
}

toml::table* Fields::subtable(std::string_view key) {
    toml::node* node = table_.get(key);
    if (!node) return nullptr;
    if (toml::table* table = node->as_table()) return table;
    report(line_of(*node), key, "must be a table, got " + std::string{type_name(*node)});
    return nullptr;
}

toml::table parse_toml(std::string_view text, std::string_view name) {
    if (const int line = too_deep_line(text); line > 0) {
        static_assert(kMaxTomlLevels == 64, "the message says it");
        throw toml::parse_error{"a header or key opens more than 64 levels of tables and lists",
                                toml::source_position{static_cast<toml::source_index>(line), 1}};
    }
    return toml::parse(text, name);
}

std::string to_text(const toml::table& table) {
    if (table.empty()) return {};
    std::ostringstream text;
    text << toml::toml_formatter{table} << '\n';
    return text.str();
}

std::string toml_string(std::string_view text) {
    std::string result = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length > 1) result += text.substr(0, length);
        if (length == 1) result += escaped(text[0]);
        if (length == 0) result += '?';
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result + '"';
}

double shortest(float value) {
    std::array<char, 64> text{};
    char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double result = static_cast<double>(value);
    std::from_chars(text.data(), end, result);
    return result;
}

toml::table color_table(const ColorSettings& color) {
    toml::array interior;
    for (const float channel : color.interior) interior.push_back(shortest(channel));
    toml::table table;
    table.insert("palette", color.palette);
    table.insert("density", shortest(color.density));
    table.insert("offset", shortest(color.offset));
    table.insert("transfer", std::int64_t{color.transfer});
    table.insert("smooth", color.smooth);
    table.insert("cycling", color.cycling);
    table.insert("cycle_speed", shortest(color.cycle_speed));
    table.insert("interior", std::move(interior));
    table.insert("shading", shortest(color.shading));
    return table;
}

ColorSettings take_color(Fields fields) {
    ColorSettings color;
    fields.take("palette", color.palette);
    fields.take("density", color.density);
    fields.take("offset", color.offset);
    fields.take("transfer", color.transfer);
    fields.take("smooth", color.smooth);
    fields.take("cycling", color.cycling);
    fields.take("cycle_speed", color.cycle_speed);
    fields.take("shading", color.shading);
    if (const toml::node* node = fields.rest().get("interior")) {
        const toml::array* list = node->as_array();
        if (!list || list->size() != 3 || !list->at(0).is_number() || !list->at(1).is_number() ||
            !list->at(2).is_number()) {
            fields.report(line_of(*node), "interior", "must be a list of three numbers, 0 to 1");
        } else {
            for (std::size_t i = 0; i < 3; ++i) {
                color.interior[i] = static_cast<float>(list->at(i).value_or(0.0));
            }
            fields.rest().erase("interior");
        }
    }
    clamp_color(color);
    return color;
}

}  // namespace warpscope
