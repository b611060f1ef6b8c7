// SPDX-License-Identifier: MIT
#include "assets/assets.h"

#include <span>
#include <stdexcept>
#include <string>

namespace warpscope {
namespace {

std::span<const packed::Entry> all() { return {packed::entries, packed::count}; }

}  // namespace

std::string_view asset(std::string_view path) {
    for (const packed::Entry& entry : all()) {
        if (entry.path == path) return entry.content;
    }
    throw std::out_of_range{"no packed file '" + std::string{path} + "'"};
}

std::vector<std::string_view> asset_paths(std::string_view prefix) {
    std::vector<std::string_view> paths;
    for (const packed::Entry& entry : all()) {
        if (entry.path.starts_with(prefix)) paths.push_back(entry.path);
    }
    return paths;
}

}  // namespace warpscope
