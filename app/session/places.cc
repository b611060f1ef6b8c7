// SPDX-License-Identifier: MIT
#include "app/session/places.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "app/session/atomic_file.h"
#include "assets/assets.h"

namespace warpscope {
namespace {

constexpr std::size_t kMaxSavedPlaces = 10'000;

std::filesystem::path saved_directory(const std::filesystem::path& directory) {
    return directory / "places";
}

std::vector<std::filesystem::path> saved_files(const std::filesystem::path& directory,
                                               std::string_view ending) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    std::filesystem::directory_iterator entry{saved_directory(directory), error};
    for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
        if (entry->path().filename().string().ends_with(ending)) files.push_back(entry->path());
        if (files.size() == kMaxSavedPlaces) break;
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<Place> built_in_places() {
    std::vector<Place> places;
    for (const std::string_view path : asset_paths("assets/locations/")) {
        places.push_back({std::string{path}, false, parse_location(asset(path))});
    }
    return places;
}

PlaceList load_places(const std::filesystem::path& directory) {
    PlaceList list{built_in_places(), {}};
    if (directory.empty()) return list;
    for (const std::filesystem::path& file : saved_files(directory, ".toml")) {
        try {
            list.places.push_back({file.string(), true, read_location(file)});
        } catch (const LocationError& error) {
            list.problems.emplace_back(error.what());
        }
    }
    return list;
}

std::vector<std::filesystem::path> saved_traces(const std::filesystem::path& directory) {
    return directory.empty() ? std::vector<std::filesystem::path>{}
                             : saved_files(directory, kTraceEnding);
}

std::filesystem::path save_place(const std::filesystem::path& directory, const Location& location) {
    const std::filesystem::path path =
        fresh_saved_file(directory, file_name_for(location.title), ".toml");
    write_location(path, location);
    return path;
}

std::filesystem::path fresh_saved_file(const std::filesystem::path& directory,
                                       const std::string& name, const std::string& ending) {
    if (directory.empty()) {
        throw FileError{"cannot save: neither XDG_CONFIG_HOME nor HOME is an absolute path"};
    }
    const std::filesystem::path folder = saved_directory(directory);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw FileError{"cannot make '" + folder.string() + "': " + error.message()};
    std::filesystem::path path = folder / (name + ending);
    for (int number = 2; std::filesystem::exists(std::filesystem::symlink_status(path, error));
         ++number) {
        path = folder / (name + "-" + std::to_string(number) + ending);
    }
    return path;
}

std::string file_name_for(const std::string& title) {
    constexpr std::size_t kLongest = 60;
    std::string name;
    for (const char c : title) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (plain) name += lower;
        if (!plain && !name.empty() && name.back() != '-') name += '-';
        if (name.size() == kLongest) break;
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "place" : name;
}

}  // namespace warpscope
