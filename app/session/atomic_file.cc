// SPDX-License-Identifier: MIT
#include "app/session/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace warpscope {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// The file behind `path` where that is a symbolic link, else `path`.
std::filesystem::path behind_links(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error)) return path;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target;
}

/// Makes a rename durable. Some file systems cannot sync a directory; the rename holds all the
/// same.
void sync_directory(const std::filesystem::path& directory) {
    const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_{path}, target_{behind_links(path)} {
    if (path.empty() || !path.has_filename())
        throw FileError{"cannot write '" + path.string() + "': it names no file"};
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(target_, ignored);
    if (std::filesystem::is_directory(status)) fail("write", EISDIR);
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) {
        open_beside();
        return;
    }
    file_.reset(std::fopen(target_.c_str(), "wb"));
    if (!file_) fail("open", errno);
}

AtomicFile::~AtomicFile() {
    if (file_ && !temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::open_beside() {
    static std::atomic<unsigned> counter{0};
    const std::string prefix = ".warpscope-" + std::to_string(getpid()) + "-";
    int descriptor = -1;
    // A leftover of another process with our id may be in the way; the next number is free.
    for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
        temporary_ = directory_of(target_) / (prefix + std::to_string(counter++) + ".tmp");
        constexpr mode_t kMode = 0666;  // less the umask, as for any new file
        descriptor = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
        if (descriptor < 0 && errno != EEXIST) fail("write", errno);
    }
    if (descriptor < 0) fail("write", EEXIST);
    struct stat old {};
    // The same people may read the new file as the old one; where that fails, the umask decides.
    if (stat(target_.c_str(), &old) == 0 && fchmod(descriptor, old.st_mode & 0777) != 0) errno = 0;
    file_.reset(fdopen(descriptor, "wb"));
    if (file_) return;
    const int error = errno;
    close(descriptor);
    unlink(temporary_.c_str());
    fail("write", error);
}

void AtomicFile::fail(std::string_view action, int error) const {
    throw FileError{"cannot " + std::string{action} + " '" + path_.string() +
                    "': " + reason(error)};
}

void AtomicFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
        fail("write", errno);
    }
}

void AtomicFile::commit() {
    if (std::fflush(file_.get()) != 0) fail("write", errno);
    if (temporary_.empty()) {
        file_.reset();
        return;
    }
    if (fsync(fileno(file_.get())) != 0) fail("write", errno);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", errno);
    file_.reset();
    sync_directory(directory_of(target_));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file{path};
    file.write(bytes);
    file.commit();
}

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const auto fail = [&](const std::string& why) {
        throw FileError{"cannot read '" + path.string() + "': " + why};
    };
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> file{std::fopen(path.c_str(), "rb")};
    if (!file) fail(reason(errno));
    std::string content;
    std::string chunk(std::size_t{1} << 16, '\0');
    for (;;) {
        const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get());
        const int error = errno;
        content.append(chunk, 0, count);
        if (content.size() > max_bytes) {
            fail("it is larger than " + std::to_string(max_bytes) + " bytes, the most accepted");
        }
        if (count == chunk.size()) continue;
        if (std::ferror(file.get())) fail(reason(error));
        return content;
    }
}

}  // namespace warpscope
