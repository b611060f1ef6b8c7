// SPDX-License-Identifier: MIT
#include "app/session/atomic_file.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace warpscope {
namespace {

constexpr mode_t kMode = 0666;  // less the umask, as for any new file
constexpr std::string_view kDescriptors = "/proc/self/fd/";

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
    beside_ = true;
    if (!open_nameless()) adopt(open_named());
}

/// Opens a file that has no name yet, so that nothing is left of it if the process is killed. False
/// where the file system cannot.
bool AtomicFile::open_nameless() {
    if (access(kDescriptors.data(), X_OK) != 0) return false;  // no way to name it later
    // Readable too: copy_to_named() may have to.
    const int descriptor =
        open(directory_of(target_).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, kMode);
    if (descriptor < 0) return false;
    adopt(descriptor);
    return true;
}

/// Tries the names that a file beside the target may have, until one is free. `take` returns at
/// least 0, or -1 with errno.
template <class Take>
int AtomicFile::take_name(Take take) {
    static std::atomic<unsigned> counter{0};
    const std::string prefix = ".warpscope-" + std::to_string(getpid()) + "-";
    // A leftover of another process with our id may be in the way; the next number is free.
    for (int attempt = 0; attempt < 100; ++attempt) {
        const auto name = directory_of(target_) / (prefix + std::to_string(counter++) + ".tmp");
        const int result = take(name.c_str());
        if (result >= 0) temporary_ = name;
        if (result >= 0 || errno != EEXIST) return result;
    }
    return -1;
}

/// Opens a file with a name of its own.
int AtomicFile::open_named() {
    const int descriptor = take_name([](const char* name) {
        return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    });
    if (descriptor < 0) fail("write", errno);
    return descriptor;
}

/// Takes over `descriptor`, with the permissions of the old file.
void AtomicFile::adopt(int descriptor) {
    struct stat old {};
    // The same people may read the new file as the old one; where that fails, the umask decides.
    if (stat(target_.c_str(), &old) == 0 && fchmod(descriptor, old.st_mode & 0777) != 0) errno = 0;
    file_.reset(fdopen(descriptor, "wb"));
    if (file_) return;
    const int error = errno;
    close(descriptor);
    if (!temporary_.empty()) unlink(temporary_.c_str());
    fail("write", error);
}

/// Gives the nameless file a name beside the target: a link cannot replace, but a rename can.
void AtomicFile::name_it() {
    const std::string source = std::string{kDescriptors} + std::to_string(fileno(file_.get()));
    const int result = take_name([&](const char* name) {
        return linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
    // Some sandboxes let nobody link; the bytes then move the long way.
    if (result < 0) copy_to_named();
}

void AtomicFile::copy_to_named() {
    const auto nameless = std::move(file_);
    adopt(open_named());
    off_t done = 0;
    struct stat all {};
    if (fstat(fileno(nameless.get()), &all) != 0) fail("write", errno);
    while (done < all.st_size) {
        const auto rest = static_cast<std::size_t>(all.st_size - done);
        const ssize_t sent = sendfile(fileno(file_.get()), fileno(nameless.get()), &done, rest);
        if (sent < 0 && errno != EINTR) fail("write", errno);
        if (sent == 0) fail("write", EIO);
    }
    if (fsync(fileno(file_.get())) != 0) fail("write", errno);
}

void AtomicFile::fail(std::string_view action, int error) const {
    throw FileError{"cannot " + std::string{action} + " '" + path_.string() + "': " + reason(error),
                    error};
}

void AtomicFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
        fail("write", errno);
    }
}

void AtomicFile::commit() {
    if (std::fflush(file_.get()) != 0) fail("write", errno);
    if (!beside_) {
        file_.reset();
        return;
    }
    if (fsync(fileno(file_.get())) != 0) fail("write", errno);
    if (temporary_.empty()) name_it();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", errno);
    file_.reset();
    sync_directory(directory_of(target_));
}

void check_writable(const std::filesystem::path& path) {
    const auto fail = [&path](int error) {
        throw FileError{"cannot write '" + path.string() + "': " + reason(error), error};
    };
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    const bool special =
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (!special || std::filesystem::is_directory(status)) {
        const AtomicFile never_committed{path};
        return;
    }
    if (access(path.c_str(), W_OK) != 0) fail(errno);
    // To open a pipe would wait for its reader, and to close it again would end what it reads.
    if (!std::filesystem::is_character_file(status)) return;
    const int descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) fail(errno);
    const int error = ::write(descriptor, "", 0) < 0 ? errno : 0;  // /dev/full refuses even that
    close(descriptor);
    if (error != 0) fail(error);
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file{path};
    file.write(bytes);
    file.commit();
}

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const auto fail = [&](const std::string& why, int error = 0) {
        throw FileError{"cannot read '" + path.string() + "': " + why, error};
    };
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    // Opening a pipe that nobody writes to would wait for ever; regular files never wait.
    const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) fail(reason(errno), errno);
    const std::unique_ptr<std::FILE, Close> file{fdopen(descriptor, "rb")};
    if (!file) {
        const int error = errno;
        close(descriptor);
        fail(reason(error), error);
    }
    struct stat kind {};
    if (fstat(descriptor, &kind) != 0) fail(reason(errno), errno);
    if (S_ISDIR(kind.st_mode)) fail(reason(EISDIR));
    if (!S_ISREG(kind.st_mode)) fail("it is a pipe, a socket or a device; a file is needed");
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
        if (std::ferror(file.get())) fail(reason(error), error);
        return content;
    }
}

}  // namespace warpscope
