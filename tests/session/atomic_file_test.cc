// SPDX-License-Identifier: MIT
#include "app/session/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

TEST(AtomicFile, ReplacesTheOldContentAndLeavesNothingBeside) {
    const TempDir dir;
    const auto path = dir.file("a.txt", "old");
    write_file(path, "new");
    EXPECT_EQ(read_file(path, 100), "new");
    EXPECT_EQ(dir.names(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, KeepsTheOldFileUntilItIsCommitted) {
    const TempDir dir;
    const auto path = dir.file("a.txt", "old");
    {
        AtomicFile file{path};
        file.write("half");
        EXPECT_EQ(read_file(path, 100), "old");
    }
    EXPECT_EQ(read_file(path, 100), "old");
    EXPECT_EQ(dir.names(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, SaysWhatCannotBeWrittenAndWhy) {
    const TempDir dir;
    const auto expect = [](const std::filesystem::path& path, const std::string& reason) {
        try {
            write_file(path, "x");
            FAIL() << path << " was written";
        } catch (const FileError& error) {
            EXPECT_NE(std::string{error.what()}.find(path.string()), std::string::npos);
            EXPECT_NE(std::string{error.what()}.find(reason), std::string::npos) << error.what();
        }
    };
    expect(dir.path(), "Is a directory");
    expect(dir.path() / "missing" / "a.txt", "No such file");
    expect("", "names no file");
}

TEST(AtomicFile, IsCheckedBeforeLongWorkWithoutATrace) {
    const TempDir dir;
    const auto path = dir.file("a.txt", "old");
    check_writable(path);
    check_writable(dir.path() / "b.txt");
    check_writable("/dev/null");
    const auto pipe = dir.path() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    check_writable(pipe);  // must not wait for a reader
    EXPECT_EQ(read_file(path, 100), "old");
    EXPECT_FALSE(std::filesystem::exists(dir.path() / "b.txt"));
    for (const std::filesystem::path& bad :
         {dir.path(), dir.path() / "missing" / "a.txt", std::filesystem::path{"/dev/full"}}) {
        EXPECT_THROW(check_writable(bad), FileError) << bad;
    }
}

TEST(AtomicFile, ReplacesTheFileBehindALink) {
    const TempDir dir;
    const auto path = dir.file("real.txt", "old");
    std::filesystem::create_symlink(path, dir.path() / "link.txt");
    write_file(dir.path() / "link.txt", "new");
    EXPECT_EQ(read_file(path, 100), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link.txt"));
}

TEST(AtomicFile, WritesToADeviceWithoutReplacingIt) {
    write_file("/dev/null", "gone");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, LeavesNothingBehindOnAFullDisk) {
    if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
    EXPECT_THROW(write_file("/dev/full", "x"), FileError);
}

TEST(AtomicFile, KeepsThePermissionsOfTheOldFile) {
    const TempDir dir;
    const auto path = dir.file("a.txt", "old");
    std::filesystem::permissions(
        path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    write_file(path, "new");
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(AtomicFile, LeavesNothingWhereTheProcessIsKilled) {
    const TempDir dir;
    const int probe = open(dir.path().c_str(), O_WRONLY | O_TMPFILE, 0600);
    if (probe < 0) GTEST_SKIP() << "this file system has no files without a name";
    close(probe);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        AtomicFile file{dir.path() / "a.txt"};
        file.write(std::string(100'000, 'x'));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(dir.names(), std::vector<std::string>{});
}

TEST(AtomicFile, FollowsTheUmask) {
    const TempDir dir;
    const mode_t old = umask(027);
    write_file(dir.path() / "a.txt", "x");
    umask(old);
    EXPECT_EQ(static_cast<int>(std::filesystem::status(dir.path() / "a.txt").permissions()), 0640);
}

TEST(ReadFile, NeverWaitsForAPipe) {
    const TempDir dir;
    const auto path = dir.path() / "pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    for (const auto& odd : {path, std::filesystem::path{"/dev/null"}}) {
        try {
            read_file(odd, 100);
            FAIL() << odd << " was read";
        } catch (const FileError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(odd.string()), std::string::npos) << message;
            EXPECT_NE(message.find("a pipe, a socket or a device"), std::string::npos) << message;
        }
    }
}

TEST(ReadFile, RefusesWhatIsTooLarge) {
    const TempDir dir;
    const auto path = dir.file("a.txt", "12345");
    EXPECT_EQ(read_file(path, 5), "12345");
    EXPECT_THROW(read_file(path, 4), FileError);
    EXPECT_THROW(read_file(dir.path(), 4), FileError);
}

}  // namespace
}  // namespace warpscope
