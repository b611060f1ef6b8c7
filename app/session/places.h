// SPDX-License-Identifier: MIT
// The list of places: those that are built in, and those that the user saved.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/location.h"

namespace warpscope {

struct Place {
    std::string id;      ///< asset path, or path of the user's file; unique
    bool saved = false;  ///< by the user, not built in
    Location location;
};

/// All places, built-in ones first, each part in the order of their file names.
struct PlaceList {
    std::vector<Place> places;
    std::vector<std::string> problems;  ///< a sentence for each saved file that could not be read
};

/// The built-in places and those under `directory`/places. A damaged saved file is left out and
/// named in the problems; a missing directory is an empty one.
PlaceList load_places(const std::filesystem::path& directory);

/// The built-in places.
std::vector<Place> built_in_places();

/// Saves a place under `directory`/places in a new file named after its title, and returns its
/// path. Never replaces another place. Throws FileError.
std::filesystem::path save_place(const std::filesystem::path& directory, const Location& location);

/// A file under `directory`/places that does not exist yet: `name` and `ending`, with a number
/// between them where there is one already. Makes the folder. Throws FileError.
std::filesystem::path fresh_saved_file(const std::filesystem::path& directory,
                                       const std::string& name, const std::string& ending);

/// What recorded traces are called at their end.
inline constexpr const char* kTraceEnding = ".trace.json";

/// The recorded traces under `directory`/places, in the order of their names.
std::vector<std::filesystem::path> saved_traces(const std::filesystem::path& directory);

/// A file name (without ending) for a title: lower-case letters, digits and dashes, at most 60;
/// what else there is becomes a dash, an empty rest "place".
std::string file_name_for(const std::string& title);

}  // namespace warpscope
