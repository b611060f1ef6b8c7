// SPDX-License-Identifier: MIT
// What persists from start to start: settings, colours, tuning and the choice of backend, in
// $XDG_CONFIG_HOME/warpscope/settings.toml. Nothing here is ever fatal: the program starts with its
// defaults and a message instead.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/state.h"

namespace warpscope {

/// $XDG_CONFIG_HOME/warpscope, by default ~/.config/warpscope. Empty where neither variable holds
/// an absolute path (the specification says to ignore relative ones).
std::filesystem::path config_directory();

/// What was read, and a sentence for the user where something was wrong.
struct LoadedSettings {
    State state;  ///< the scene is the home view
    std::string message;
};

/// Reads settings.toml in `directory`. A missing file gives the defaults. One that is not TOML is
/// renamed to settings.toml.damaged-1 (-2, …) and the message says so; one that may not be read is
/// left alone, by save_settings() too. Single values of a wrong
/// type or out of range are replaced by their default or clamped.
LoadedSettings load_settings(const std::filesystem::path& directory);

/// A sentence that says why save_settings() would not write into `directory` now; empty where it
/// would. Writes nothing.
std::string settings_refusal(const std::filesystem::path& directory);

/// Writes settings.toml in `directory`, which is made if need be. Returns a sentence that says why
/// it could not be written, empty on success.
std::string save_settings(const std::filesystem::path& directory, const State& state);

}  // namespace warpscope
