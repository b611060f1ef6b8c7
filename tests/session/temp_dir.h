// SPDX-License-Identifier: MIT
// A directory of a test's own, gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

class TempDir {
  public:
    TempDir() {
        std::string name = (std::filesystem::temp_directory_path() / "warpscope-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error{"cannot make " + name};
        path_ = name;
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    ~TempDir() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

    /// Writes a file and returns its path.
    std::filesystem::path file(const std::string& name, std::string_view content) const {
        std::ofstream{path_ / name, std::ios::binary} << content;
        return path_ / name;
    }

    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : std::filesystem::directory_iterator{path_}) {
            result.push_back(entry.path().filename().string());
        }
        return result;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace warpscope
