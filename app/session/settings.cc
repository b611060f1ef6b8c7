// SPDX-License-Identifier: MIT
#include "app/session/settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/session/atomic_file.h"
#include "app/session/clamp.h"
#include "app/session/command.h"
#include "app/session/toml_fields.h"

namespace warpscope {
namespace {

constexpr const char* kFileName = "settings.toml";
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr int kMaxDamaged = 1000;

std::filesystem::path absolute_from(const char* variable) {
    const char* value = std::getenv(variable);
    std::filesystem::path path{value ? value : ""};
    return path.is_absolute() ? path : std::filesystem::path{};
}

/// Renames a damaged file out of the way; says what was done.
std::string set_aside(const std::filesystem::path& file, const std::string& why) {
    const std::string start = "The settings in '" + file.string() + "' are damaged (" + why + "). ";
    std::error_code error;
    for (int number = 1; number <= kMaxDamaged; ++number) {
        const std::filesystem::path aside = file.string() + ".damaged-" + std::to_string(number);
        if (std::filesystem::exists(std::filesystem::symlink_status(aside, error))) continue;
        std::filesystem::rename(file, aside, error);
        if (error) break;
        return start + "They were set aside as '" + aside.filename().string() +
               "'; defaults are in use.";
    }
    return start + "Defaults are in use.";
}

/// A file that the system does not let us read is not damaged; says so.
std::string left_alone(const std::filesystem::path& file, const FileError& error) {
    return "The settings in '" + file.string() + "' are not in use (" + error.what() +
           "). The file was left alone; defaults are in use.";
}

/// Whether `file` is there and the system refuses it to us: to replace it would lose what others
/// may read.
bool is_refused(const std::filesystem::path& file) {
    return access(file.c_str(), F_OK) == 0 && eaccess(file.c_str(), R_OK) != 0;
}

constexpr std::array kPaces{"live", "economy"};
constexpr std::array kThemes{"dark", "light"};
constexpr std::array kTests{"every step", "blocks"};
constexpr std::array kInFlight{"one", "several"};
constexpr std::array kDf64Speeds{"slower", "faster"};
constexpr std::array kSchedules{"wait", "refill"};

/// The name of an enum's value, of names in the enum's order.
template <std::size_t kCount, class Enum>
const char* name_in(const std::array<const char*, kCount>& names, Enum value) {
    return names[static_cast<std::size_t>(value)];
}

/// Takes an enum by the names of its values.
template <std::size_t kCount, class Enum>
void take_choice(Fields& fields, std::string_view key, const std::array<const char*, kCount>& names,
                 Enum& out) {
    std::string text{name_in(names, out)};
    const int line = fields.take(key, text);
    std::string accepted;
    for (std::size_t i = 0; i < kCount; ++i) {
        if (text == names[i]) {
            out = static_cast<Enum>(i);
            return;
        }
        accepted += (i == 0 ? "" : i + 1 == kCount ? " or " : ", ") + std::string{names[i]};
    }
    fields.report(line, key, "must be " + accepted);
}

void take_interface(Fields fields, Settings& settings) {
    fields.take("wheel_factor", settings.wheel_factor);
    fields.take("animate_zoom", settings.animate_zoom);
    take_choice(fields, "pace", kPaces, settings.pace);
    fields.take("antialias", settings.antialias);
    fields.take("vsync", settings.vsync);
    take_choice(fields, "theme", kThemes, settings.theme);
    fields.take("ui_scale", settings.ui_scale);
    fields.take("timeline", settings.timeline);
    clamp_settings(settings);
}

/// Keys are names of GPUs; one with an unknown value is measured anew.
void take_df64(Fields fields, Settings& settings) {
    std::vector<std::string> devices;
    for (const auto& [key, value] : fields.rest()) devices.emplace_back(key.str());
    for (const std::string& device : devices) {
        std::string text;
        const int line = fields.take(device, text);
        if (line < 0) continue;
        const auto found =
            std::ranges::find(kDf64Speeds, std::string_view{text},
                              [](const char* name) { return std::string_view{name}; });
        if (found == kDf64Speeds.end()) {
            fields.report(line, device, "must be slower or faster");
            continue;
        }
        settings.df64[device] = static_cast<Df64Speed>(found - kDf64Speeds.begin());
    }
}

void take_method(Fields& fields, Method& method) {
    take_choice(fields, "escape_test", kTests, method.test);
    take_choice(fields, "in_flight", kInFlight, method.in_flight);
    fields.take("closed_form", method.closed_form);
    fields.take("periodicity", method.periodicity);
    take_choice(fields, "schedule", kSchedules, method.schedule);
}

void take_compute(Fields fields, State& state) {
    std::string backend = state.backend;
    int device = state.device;
    const int line = fields.take("backend", backend);
    fields.take("device", device);
    fields.take("block_x", state.tuning.block.x);
    fields.take("block_y", state.tuning.block.y);
    fields.take("cpu_threads", state.tuning.cpu_threads);
    fields.take("cpu_tile", state.tuning.cpu_tile);
    take_method(fields, state.tuning.method);
    clamp_tuning(state.tuning);
    state = apply(std::move(state), SetDevice{device}).state;
    Applied applied = apply(std::move(state), SetBackend{backend});
    state = std::move(applied.state);
    if (!applied.message.empty()) fields.report(line, "backend", "is unknown: " + applied.message);
}

State read_state(toml::table root, const Fields::Problem& problem) {
    State state;
    Fields fields{root, "", problem};
    if (toml::table* table = fields.subtable("interface")) {
        take_interface({*table, "interface.", problem}, state.settings);
    }
    if (toml::table* table = fields.subtable("compute")) {
        take_compute({*table, "compute.", problem}, state);
    }
    if (toml::table* table = fields.subtable("df64")) {
        take_df64({*table, "df64.", problem}, state.settings);
    }
    if (toml::table* table = fields.subtable("color")) {
        state.color = take_color({*table, "color.", problem});
    }
    return state;
}

std::string to_toml(const State& state) {
    const Settings& settings = state.settings;
    const Tuning& tuning = state.tuning;
    const Method& method = tuning.method;
    toml::table df64;
    for (const auto& [device, speed] : settings.df64) {
        df64.insert(device, name_in(kDf64Speeds, speed));
    }
    const toml::table root{
        {"interface", toml::table{{"wheel_factor", settings.wheel_factor},
                                  {"animate_zoom", settings.animate_zoom},
                                  {"pace", name_in(kPaces, settings.pace)},
                                  {"antialias", settings.antialias},
                                  {"vsync", settings.vsync},
                                  {"theme", name_in(kThemes, settings.theme)},
                                  {"ui_scale", settings.ui_scale},
                                  {"timeline", settings.timeline}}},
        {"compute", toml::table{{"backend", state.backend},
                                {"device", std::int64_t{state.device}},
                                {"block_x", std::int64_t{tuning.block.x}},
                                {"block_y", std::int64_t{tuning.block.y}},
                                {"cpu_threads", std::int64_t{tuning.cpu_threads}},
                                {"cpu_tile", std::int64_t{tuning.cpu_tile}},
                                {"escape_test", name_in(kTests, method.test)},
                                {"in_flight", name_in(kInFlight, method.in_flight)},
                                {"closed_form", method.closed_form},
                                {"periodicity", method.periodicity},
                                {"schedule", name_in(kSchedules, method.schedule)}}},
        {"df64", df64},
        {"color", color_table(state.color)}};
    return "# Written by Warpscope at its end; edit it while the program is not running.\n" +
           to_text(root);
}

std::string not_kept(const std::string& why) { return "Settings are not kept: " + why + "."; }

/// `path`, or the first above it that exists.
std::filesystem::path nearest_existing(std::filesystem::path path) {
    std::error_code error;
    while (!std::filesystem::exists(path, error) && path.has_relative_path()) {
        path = path.parent_path();
    }
    return path;
}

}  // namespace

std::filesystem::path config_directory() {
    const std::filesystem::path config = absolute_from("XDG_CONFIG_HOME");
    if (!config.empty()) return config / "warpscope";
    const std::filesystem::path home = absolute_from("HOME");
    return home.empty() ? home : home / ".config" / "warpscope";
}

LoadedSettings load_settings(const std::filesystem::path& directory) {
    LoadedSettings result;
    if (directory.empty()) return result;
    const std::filesystem::path file = directory / kFileName;
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) return result;
    const Fields::Problem problem = [&](int line, const std::string& what) {
        if (!result.message.empty()) return;
        result.message = "In '" + file.string() + "', line " + std::to_string(line) + ": " + what;
    };
    try {
        result.state = read_state(parse_toml(read_file(file, kMaxBytes), kFileName), problem);
    } catch (const toml::parse_error& damage) {
        const auto line = std::to_string(damage.source().begin.line);
        result.message = set_aside(file, "line " + line + ": " + std::string{damage.description()});
    } catch (const FileError& damage) {
        result.message =
            damage.error == 0 ? set_aside(file, damage.what()) : left_alone(file, damage);
    }
    return result;
}

std::string settings_refusal(const std::filesystem::path& directory) {
    if (directory.empty()) {
        return not_kept("neither XDG_CONFIG_HOME nor HOME is an absolute path");
    }
    const std::filesystem::path file = directory / kFileName;
    if (is_refused(file)) {
        return not_kept("'" + file.string() + "' may not be read, so it is not replaced");
    }
    const std::filesystem::path there = nearest_existing(directory);
    if (!std::filesystem::is_directory(there)) {
        return not_kept("'" + there.string() + "' is no folder");
    }
    try {
        check_writable(there / kFileName);
    } catch (const FileError& failure) {
        return not_kept(failure.what());
    }
    return {};
}

std::string save_settings(const std::filesystem::path& directory, const State& state) {
    const std::string refusal = settings_refusal(directory);
    if (!refusal.empty()) return refusal;
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        return not_kept("cannot make '" + directory.string() + "': " + error.message());
    }
    try {
        write_file(directory / kFileName, to_toml(state));
    } catch (const FileError& failure) {
        return not_kept(failure.what());
    }
    return {};
}

}  // namespace warpscope
