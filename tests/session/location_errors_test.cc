// SPDX-License-Identifier: MIT
// Files that must be refused with a line and a sentence, never a crash.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "app/session/location.h"
#include "tests/session/temp_dir.h"

namespace warpscope {
namespace {

struct BadFile {
    const char* name;
    const char* text;
    int line;             ///< 0: not tied to one
    const char* mention;  ///< must stand in the message
};

class BadLocation : public testing::TestWithParam<BadFile> {};

TEST_P(BadLocation, IsRefusedWithLineAndReason) {
    const BadFile& bad = GetParam();
    try {
        parse_location(bad.text);
        FAIL() << "accepted";
    } catch (const LocationError& error) {
        const std::string message = error.what();
        EXPECT_EQ(error.line, bad.line) << message;
        EXPECT_NE(message.find(bad.mention), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << "one line only: " << message;
    }
}

#define VIEW "re = \"0\"\nim = \"0\"\nzoom = \"1\"\n"
const BadFile kBadFiles[] = {
    {"Empty", "", 1, "re is missing"},
    {"NoZoom", "re = \"0\"\nim = \"0\"\n", 1, "zoom is missing"},
    {"NoIm", "re = \"0\"\nzoom = \"1\"\n", 1, "im is missing"},
    {"NotToml", "re = = 1\n", 1, "not a place in TOML"},
    {"KalleFile", "Re: -0.75\r\nIm: 0\r\n", 1, "not a place in TOML"},
    {"Duplicate", "re = \"0\"\nre = \"1\"\n", 2, "not a place in TOML"},
    {"BadDecimal", "re = \"0.1.2\"\nim = \"0\"\nzoom = \"1\"\n", 1, "0.1.2"},
    {"EmptyDecimal", "re = \"\"\nim = \"0\"\nzoom = \"1\"\n", 1, "re must be a decimal"},
    {"HexDecimal", "re = \"0x10\"\nim = \"0\"\nzoom = \"1\"\n", 1, "0x10"},
    {"NanText", "re = \"0\"\nim = \"nan\"\nzoom = \"1\"\n", 2, "nan"},
    {"InfText", "re = \"0\"\nim = \"0\"\nzoom = \"inf\"\n", 3, "inf"},
    {"NumberForText", "re = 0.5\nim = \"0\"\nzoom = \"1\"\n", 1, "re must be a string"},
    {"NanNumber", "re = \"0\"\nim = nan\nzoom = \"1\"\n", 2, "im must be a string"},
    {"ZeroZoom", "re = \"0\"\nim = \"0\"\nzoom = \"0\"\n", 3, "above 0"},
    {"NegativeZoom", "re = \"0\"\nim = \"0\"\nzoom = \"-2\"\n", 3, "above 0"},
    {"VanishingZoom", "re = \"0\"\nim = \"0\"\nzoom = \"1e-9999999999999999999\"\n", 3, "zoom"},
    {"HugeZoom", "re = \"0\"\nim = \"0\"\nzoom = \"1e9999999999999999999\"\n", 3, "zoom"},
    {"ZeroLimit", VIEW "max_iter = 0\n", 4, "max_iter must be 1 to 1000000000, got 0"},
    {"HugeLimit", VIEW "max_iter = 1000000001\n", 4, "max_iter must be 1"},
    {"LimitAsText", VIEW "max_iter = \"100\"\n", 4, "must be an integer, got a string"},
    {"LimitAsFloat", VIEW "max_iter = 1.5\n", 4, "must be an integer"},
    {"SmallBailout", VIEW "bailout = 1.9\n", 4, "bailout must be 2 to 1e9"},
    {"NanBailout", VIEW "bailout = nan\n", 4, "bailout must be 2 to 1e9"},
    {"InfBailout", VIEW "bailout = inf\n", 4, "bailout must be 2 to 1e9"},
    {"NoSuchFormula", VIEW "formula = \"nova\"\n", 4, "multibrot of power 8"},
    {"NoSuchPower", VIEW "formula = \"multibrot\"\npower = 9\n", 5, "power must be 2 to 8"},
    {"WrongPower", VIEW "formula = \"tricorn\"\npower = 3\n", 5, "of power 3"},
    {"FormulaAsNumber", VIEW "formula = 3\n", 4, "must be a string"},
    {"NoSuchPrecision", VIEW "precision = \"f16\"\n", 4, "auto, f32, df64 or f64"},
    {"JuliaAsText", VIEW "julia = \"yes\"\n", 4, "true or false"},
    {"BadJulia", VIEW "julia_re = \"x\"\n", 4, "julia_re must be a decimal"},
    {"ColorAsText", VIEW "color = \"red\"\n", 4, "must be a table"},
    {"BadColor", VIEW "[color]\ndensity = \"much\"\n", 5, "color.density must be a number"},
    {"BadInterior", VIEW "[color]\ninterior = [1, 2]\n", 5, "three numbers"},
    {"BadBits", VIEW "bits = { re = 0 }\n", 4, "bits.re"},
    {"HugeBits", VIEW "bits = { re = 99999999999 }\n", 4, "bits.re"},
    {"BitsAsText", VIEW "bits = { re = \"64\" }\n", 4, "bits.re"},
    {"TitleAsNumber", "title = 5\n" VIEW, 1, "title must be a string"},
    {"ForeignWithoutZoom", "location.real = \"0\"\nlocation.imag = \"0\"\n", 1, "zoom is missing"},
    {"ForeignNumber", "location.real = 0\nlocation.imag = \"0\"\nlocation.zoom = \"1\"\n", 1,
     "location.real must be a string"},
    {"ForeignLimit",
     "location.real = \"0\"\nlocation.imag = \"0\"\nlocation.zoom = \"1\"\n"
     "bailout.iterations = 0\n",
     4, "at least 1"},
    {"Hybrid",
     "location.real = \"0\"\nlocation.imag = \"0\"\nlocation.zoom = \"1\"\n"
     "[[formula]]\npower = 2\n[[formula]]\npower = 3\n",
     4, "hybrids"},
    {"UnknownForeign",
     "location.real = \"0\"\nlocation.imag = \"0\"\nlocation.zoom = \"1\"\n"
     "[[formula]]\nabs_x = true\npower = 5\n",
     4, "is none of"},
};
INSTANTIATE_TEST_SUITE_P(Table, BadLocation, testing::ValuesIn(kBadFiles),
                         [](const auto& row) { return std::string{row.param.name}; });

std::string dotted(int parts) {
    std::string key = "a";
    for (int i = 1; i < parts; ++i) key += i % 2 == 0 ? ".a" : " . \"b.\\\"\"";
    return key;
}

std::string nested(int tables, int parts) {
    std::string text;
    for (int i = 0; i < tables; ++i) text += (i == 0 ? "" : "{") + dotted(parts) + " = ";
    return text + "1" + std::string(static_cast<std::size_t>(tables - 1), '}') + "\n";
}

TEST(LocationText, ThatNestsTooDeeplyIsRefusedBeforeItIsParsed) {
    for (const int parts : {66, 50'000}) {
        for (const std::string& text :
             {"[" + dotted(parts) + "]\n", "[[" + dotted(parts) + "]]\n", dotted(parts) + " = 1\n",
              "x = {" + dotted(parts) + " = 1}\n", "x = [\n {" + dotted(parts) + " = 1}]\n",
              nested(200, 60), "x = " + std::string(static_cast<std::size_t>(parts), '[')}) {
            try {
                parse_location(VIEW "s = '''\n'[''''\n" + text);
                FAIL() << "accepted: " << text.substr(0, 60);
            } catch (const LocationError& error) {
                EXPECT_NE(std::string{error.what()}.find("64 levels"), std::string::npos)
                    << error.what();
                EXPECT_EQ(error.line, text.starts_with("x = [\n") ? 7 : 6) << text.substr(0, 60);
            }
        }
    }
}

TEST(LocationText, WithManyDotsInStringsAndCommentsIsRead) {
    const std::string dots(500, '.'), open(500, '[');
    const std::string text = "title = \"" + dots + "\\\"" + open + "\" # " + dots + open +
                             "\n" VIEW + "a = '" + dots + "\\'\nb = \"\"\"\n" + dots + "\\\"\"\" " +
                             open + "\"\"\"\"\"\nc = '''" + open + "'''''\nd = [" +
                             "[1.5, 2.5], {x.y = 1.5}]\n[t." + dotted(63) + "]\nx = 1\n";
    EXPECT_EQ(parse_location(text).title, dots + "\"" + open);
}

TEST(LocationText, WithMillionsOfDigitsIsRefused) {
    const std::string digits = "0." + std::string(3'000'000, '3');
    try {
        parse_location("re = \"" + digits + "\"\nim = \"0\"\nzoom = \"1\"\n");
        FAIL() << "accepted";
    } catch (const LocationError& error) {
        EXPECT_EQ(error.line, 1);
        EXPECT_NE(std::string{error.what()}.find("20,000 digits"), std::string::npos);
    }
}

std::string error_of(const std::filesystem::path& path) {
    try {
        read_location(path);
    } catch (const LocationError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LocationFile, ThatIsMissingIsNamed) {
    const std::string message = error_of("/nowhere/place.toml");
    EXPECT_NE(message.find("/nowhere/place.toml"), std::string::npos);
    EXPECT_NE(message.find("No such file"), std::string::npos) << message;
}

TEST(LocationFile, ThatIsADirectoryIsRefused) {
    const TempDir dir;
    EXPECT_NE(error_of(dir.path()).find("Is a directory"), std::string::npos);
}

TEST(LocationFile, ThatIsAPipeIsRefused) {
    const TempDir dir;
    ASSERT_EQ(mkfifo((dir.path() / "f.toml").c_str(), 0600), 0);
    EXPECT_NE(error_of(dir.path() / "f.toml").find("a pipe"), std::string::npos);
}

TEST(LocationFile, BeyondFourMebibytesIsRefused) {
    const TempDir dir;
    const auto path = dir.file("big.toml", VIEW "# " + std::string(kMaxLocationBytes, 'x'));
    EXPECT_NE(error_of(path).find("4194304 bytes"), std::string::npos) << error_of(path);
}

TEST(LocationFile, WithAnErrorNamesPathAndLine) {
    const TempDir dir;
    const auto path = dir.file("bad.toml", VIEW "max_iter = -1\n");
    EXPECT_NE(error_of(path).find(path.string() + "': line 4: max_iter"), std::string::npos);
}

TEST(LocationFile, OfRandomBytesNeverCrashes) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    const std::string good =
        VIEW "formula = \"tricorn\"\n[color]\npalette = \"Ice\"\ninterior = [0, 0, 0]\n";
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (int edits = 0; edits < 3; ++edits) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        try {
            parse_location(to_toml(parse_location(text)));
        } catch (const LocationError& error) {
            EXPECT_NE(std::string{error.what()}, "");
        }
    }
}

}  // namespace
}  // namespace warpscope
