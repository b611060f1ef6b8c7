// SPDX-License-Identifier: MIT
#include "app/session/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "app/session/atomic_file.h"
#include "app/session/command.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

State unusual() {
    State state;
    state.settings = {2.5, false, Pace::kEconomy, false, false, Theme::kLight, 1.5, true};
    state.color.palette = "Ice";
    state.color.density = 0.1f;
    state.color.offset = 0.3f;
    state.color.transfer = 1;
    state.color.smooth = false;
    state.color.interior[0] = 0.7f;
    state.backend = "cpu-simd";
    state.device = 2;
    state.tuning = {
        {Test::kEveryStep, InFlight::kOne, false, false, Schedule::kWait}, {13, 7}, 3, 32};
    return state;
}

TEST(Settings, SurviveARestart) {
    const TempDir dir;
    const State state = unusual();
    EXPECT_EQ(save_settings(dir.path() / "new" / "warpscope", state), "");
    const LoadedSettings loaded = load_settings(dir.path() / "new" / "warpscope");
    EXPECT_EQ(loaded.state, state);
    EXPECT_EQ(loaded.message, "");
}

TEST(Settings, AreTheDefaultsWithoutAFile) {
    const TempDir dir;
    EXPECT_EQ(load_settings(dir.path()).state, State{});
    EXPECT_EQ(load_settings(dir.path()).message, "");
    EXPECT_EQ(load_settings("").state, State{});
}

TEST(Settings, ThatAreDamagedAreSetAsideUnderTheNextFreeName) {
    const TempDir dir;
    for (const char* number : {"1", "2", "3"}) {
        const std::string damage = std::string{"pace = = "} + number;
        dir.file("settings.toml", damage);
        const LoadedSettings loaded = load_settings(dir.path());
        EXPECT_EQ(loaded.state, State{});
        const std::string aside = std::string{"settings.toml.damaged-"} + number;
        EXPECT_NE(loaded.message.find(aside), std::string::npos) << loaded.message;
        EXPECT_EQ(read_file(dir.path() / aside, 100), damage);
        EXPECT_FALSE(std::filesystem::exists(dir.path() / "settings.toml"));
    }
}

TEST(Settings, ThatAreBinaryOrADirectoryAreSetAside) {
    const TempDir dir;
    dir.file("settings.toml", std::string("\x00\xff\xfe garbage", 12));
    EXPECT_NE(load_settings(dir.path()).message, "");
    std::filesystem::create_directory(dir.path() / "settings.toml");
    EXPECT_NE(load_settings(dir.path()).message.find("damaged-2"), std::string::npos);
    EXPECT_EQ(save_settings(dir.path(), State{}), "");
}

TEST(Settings, ThatNestTooDeeplyOrAreAPipeAreSetAside) {
    const TempDir dir;
    std::string deep = "[a";
    for (int i = 0; i < 50'000; ++i) deep += ".a";
    dir.file("settings.toml", deep + "]\n");
    EXPECT_NE(load_settings(dir.path()).message.find("damaged-1"), std::string::npos);
    ASSERT_EQ(mkfifo((dir.path() / "settings.toml").c_str(), 0600), 0);
    EXPECT_NE(load_settings(dir.path()).message.find("damaged-2"), std::string::npos);
    EXPECT_EQ(save_settings(dir.path(), State{}), "");
}

/// The rights of nobody, for whom permissions count; root may read everything.
class AsNobody {
  public:
    AsNobody() : works_{geteuid() != 0 || seteuid(65534) == 0} {}
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
    ~AsNobody() {
        if (seteuid(getuid()) != 0) std::abort();
    }
    bool works() const { return works_; }

  private:
    bool works_;
};

TEST(Settings, ThatMayNotBeReadAreLeftAlone) {
    const TempDir dir;
    const auto file = dir.file("settings.toml", "[interface]\npace = \"economy\"\n");
    std::filesystem::permissions(file, std::filesystem::perms::none);
    std::filesystem::permissions(dir.path(), std::filesystem::perms::all);
    {
        const AsNobody nobody;
        if (!nobody.works()) GTEST_SKIP() << "cannot give up root's rights";
        const std::string message = load_settings(dir.path()).message;
        EXPECT_NE(message.find("Permission denied"), std::string::npos) << message;
        EXPECT_NE(message.find("left alone"), std::string::npos) << message;
        EXPECT_EQ(message.find("damaged"), std::string::npos) << message;
        EXPECT_NE(save_settings(dir.path(), State{}).find("may not be read"), std::string::npos);
    }
    EXPECT_EQ(dir.names(), std::vector<std::string>{"settings.toml"});
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    EXPECT_EQ(load_settings(dir.path()).state.settings.pace, Pace::kEconomy);
}

TEST(Settings, KeepEveryRungOfTheLadder) {
    for (const MethodRung& rung : kMethods) {
        const TempDir dir;
        State state;
        state.tuning.method = rung.method;
        EXPECT_EQ(save_settings(dir.path(), state), "");
        EXPECT_EQ(load_settings(dir.path()).state.tuning.method, rung.method) << rung.key;
    }
}

TEST(Settings, RememberWhatWasMeasuredOfGpus) {
    const TempDir dir;
    State state;
    state = apply(state, LearnDf64{"NVIDIA \"X\" 1.5", Df64Speed::kFaster}).state;
    state = apply(state, LearnDf64{"NVIDIA H200", Df64Speed::kSlower}).state;
    EXPECT_EQ(save_settings(dir.path(), state), "");
    EXPECT_EQ(load_settings(dir.path()).state.settings.df64, state.settings.df64);
    dir.file("settings.toml", "[df64]\n\"A 1\" = \"quick\"\n\"B 2\" = \"faster\"\n");
    const LoadedSettings loaded = load_settings(dir.path());
    EXPECT_EQ(loaded.state.settings.df64.count("A 1"), 0u);
    EXPECT_EQ(loaded.state.settings.df64.at("B 2"), Df64Speed::kFaster);
    EXPECT_NE(loaded.message.find("slower or faster"), std::string::npos) << loaded.message;
}

TEST(Settings, SayWhichWayToRunTheLoopIsUnknown) {
    const TempDir dir;
    dir.file("settings.toml",
             "[compute]\nperiodicity = false\nschedule = \"hurry\"\nin_flight = \"one\"\n");
    const LoadedSettings loaded = load_settings(dir.path());
    Method expected;
    expected.periodicity = false;
    expected.in_flight = InFlight::kOne;
    EXPECT_EQ(loaded.state.tuning.method, expected);
    EXPECT_NE(loaded.message.find("compute.schedule"), std::string::npos) << loaded.message;
    EXPECT_NE(loaded.message.find("wait or refill"), std::string::npos) << loaded.message;
}

TEST(Settings, WithOneWrongValueKeepTheOthers) {
    const TempDir dir;
    dir.file("settings.toml",
             "[interface]\npace = \"economy\"\nvsync = \"maybe\"\n[compute]\nblock_x = 16\n");
    const LoadedSettings loaded = load_settings(dir.path());
    EXPECT_EQ(loaded.state.settings.pace, Pace::kEconomy);
    EXPECT_TRUE(loaded.state.settings.vsync);
    EXPECT_EQ(loaded.state.tuning.block.x, 16);
    EXPECT_NE(loaded.message.find("line 3: interface.vsync must be true or false"),
              std::string::npos)
        << loaded.message;
}

TEST(Settings, OutOfRangeAreClamped) {
    const TempDir dir;
    dir.file("settings.toml",
             "[interface]\nwheel_factor = nan\nui_scale = 99\npace = \"warp\"\n"
             "[compute]\nblock_x = 0\nblock_y = 99999999999\ncpu_tile = -4\ndevice = -1\n"
             "backend = \"abacus\"\n[color]\ndensity = 0\n");
    const LoadedSettings loaded = load_settings(dir.path());
    EXPECT_EQ(loaded.state.settings.wheel_factor, 1.25);
    EXPECT_EQ(loaded.state.settings.ui_scale, 4);
    EXPECT_EQ(loaded.state.settings.pace, Pace::kLive);
    EXPECT_EQ(loaded.state.tuning, (Tuning{{}, {1, 1024}, 0, 8}));
    EXPECT_EQ(loaded.state.device, 0);
    EXPECT_EQ(loaded.state.backend, "auto");
    EXPECT_FLOAT_EQ(loaded.state.color.density, 1e-5f);
    EXPECT_NE(loaded.message, "");
}

TEST(Settings, ThatCannotBeWrittenGiveAMessage) {
    const TempDir dir;
    const auto blocked = dir.file("file", "x");
    EXPECT_NE(save_settings(blocked, State{}).find("Settings are not kept"), std::string::npos);
    EXPECT_NE(save_settings("", State{}), "");
    for (const auto& directory : {blocked, blocked / "warpscope", std::filesystem::path{}}) {
        EXPECT_NE(settings_refusal(directory).find("Settings are not kept"), std::string::npos);
    }
    EXPECT_EQ(settings_refusal(dir.path() / "new" / "warpscope"), "");
    EXPECT_EQ(dir.names(), std::vector<std::string>{"file"}) << "asking leaves nothing behind";
}

class ConfigDirectory : public testing::Test {
  protected:
    void SetUp() override {
        remember("XDG_CONFIG_HOME", config_);
        remember("HOME", home_);
    }
    void TearDown() override {
        restore("XDG_CONFIG_HOME", config_);
        restore("HOME", home_);
    }

  private:
    static void remember(const char* name, std::string& value) {
        if (const char* now = getenv(name)) value = now;
    }
    static void restore(const char* name, const std::string& value) {
        if (value.empty()) {
            unsetenv(name);
        } else {
            setenv(name, value.c_str(), 1);
        }
    }
    std::string config_, home_;
};

TEST_F(ConfigDirectory, FollowsTheXdgSpecification) {
    setenv("XDG_CONFIG_HOME", "/somewhere", 1);
    setenv("HOME", "/home/me", 1);
    EXPECT_EQ(config_directory(), "/somewhere/warpscope");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    EXPECT_EQ(config_directory(), "/home/me/.config/warpscope");
    unsetenv("XDG_CONFIG_HOME");
    EXPECT_EQ(config_directory(), "/home/me/.config/warpscope");
    unsetenv("HOME");
    EXPECT_EQ(config_directory(), "");
}

}  // namespace
}  // namespace warpscope
