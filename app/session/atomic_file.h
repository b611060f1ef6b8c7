// SPDX-License-Identifier: MIT
// Files that are there whole or not at all: written beside their name, flushed to disk, renamed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpscope {

/// A file could not be read or written. The message names the path and the reason.
struct FileError : std::runtime_error {
    explicit FileError(const std::string& what, int error_ = 0)
        : std::runtime_error{what}, error{error_} {}
    int error;  ///< errno where the system refused, else 0
};

/// A file being written. Unless commit() returns, the old file stays as it was and nothing is left
/// beside it; not even where the process is killed, if the file system knows files without a name
/// (O_TMPFILE). Through a symbolic link the file behind it is replaced; a pipe or a device such as
/// /dev/stdout is written directly, since a rename would replace it.
class AtomicFile {
  public:
    /// Throws FileError where nothing can be written.
    explicit AtomicFile(const std::filesystem::path& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    /// Throws FileError, e.g. on a full disk.
    void write(std::string_view bytes);

    /// Puts the file in place; nothing can be written afterwards. Throws FileError.
    void commit();

  private:
    [[noreturn]] void fail(std::string_view action, int error) const;
    void open_beside();
    bool open_nameless();
    template <class Take>
    int take_name(Take take);
    int open_named();
    void adopt(int descriptor);
    void name_it();
    void copy_to_named();

    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };

    std::filesystem::path path_;       ///< as asked for
    std::filesystem::path target_;     ///< behind symbolic links
    std::filesystem::path temporary_;  ///< beside the target; empty while there is no such name
    bool beside_ = false;              ///< not written directly
    std::unique_ptr<std::FILE, Close> file_;
};

/// For long work whose result goes to `path`: throws FileError where that could not be written now.
/// What is there stays as it is.
void check_writable(const std::filesystem::path& path);

/// Writes `bytes` as the whole content of `path`. Throws FileError.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The content of `path`. Throws FileError where it is missing, no regular file (a pipe is never
/// waited for), or larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace warpscope
