// SPDX-License-Identifier: MIT
// The ranges of everything that people type or files hold. A value outside never reaches a kernel.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/state.h"

namespace warpscope {

inline constexpr std::int64_t kMaxLimit = 1'000'000'000;     ///< iterations
inline constexpr double kMinBailout = 2, kMaxBailout = 1e9;  ///< escape radius
inline constexpr double kMaxCoordinate = 1e9;                ///< |re|, |im| of a centre
inline constexpr int kMaxCpuThreads = 1024;
inline constexpr int kMinCpuTile = 8, kMaxCpuTile = 1024;  ///< pixels
inline constexpr int kMaxCudaDevice = 255;

/// Each puts its argument within the documented range and returns a sentence naming what was
/// changed and to what, empty where nothing was. NaN becomes the default.
std::string clamp_limit(std::int64_t& limit);
std::string clamp_bailout(double& bailout);
std::string clamp_block(BlockShape& block);
std::string clamp_method(Method& method);
/// Of what_if: more shared memory than any GPU has, and registers that so large a block cannot
/// have.
std::string clamp_what_if(Tuning& tuning);
std::string clamp_tuning(Tuning& tuning);
std::string clamp_color(ColorSettings& color);
std::string clamp_settings(Settings& settings);
/// Zoom within 2^-40 to 2^4096 and a centre within kMaxCoordinate; a zoom <= 0 becomes 1.
std::string clamp_view(View& view);

/// A number as people read it: up to six significant digits.
std::string short_number(double value);

}  // namespace warpscope
