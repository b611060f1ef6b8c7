// SPDX-License-Identifier: MIT
#include "kernels/deep/big_float.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpscope {
namespace {

TEST(BigFloat, ReadsDecimalsOfAnyLength) {
    EXPECT_EQ(BigFloat::parse("-0.75").to_double(), -0.75);
    EXPECT_EQ(BigFloat::parse("+.5").to_double(), 0.5);
    EXPECT_EQ(BigFloat::parse("5.").to_double(), 5);
    EXPECT_EQ(BigFloat::parse("1.25E-3").to_double(), 0.00125);
    const std::string digits = "-1." + std::string(1000, '3') + "7";
    EXPECT_NEAR(BigFloat::parse(digits).to_double(), -1.3333333333333333, 1e-15);
    EXPECT_GT(BigFloat::parse(digits).bits(), 3300);
}

TEST(BigFloat, KeepsEveryDigitOnARoundTrip) {
    for (const char* text :
         {"0", "1", "-0.743643887037158704752191506114774", "1.5e-300", "4.00000000000E533",
          "123456789012345678901234567890", "0.000001", "1e22", "99999999999999999999.5"}) {
        const BigFloat value = BigFloat::parse(text);
        EXPECT_EQ(BigFloat::parse(value.to_string(), value.bits()).with_bits(value.bits()), value)
            << text;
    }
}

TEST(BigFloat, WritesShortNumbersPlainly) {
    EXPECT_EQ(BigFloat::parse("-0.75").to_string(), "-0.75");
    EXPECT_EQ(BigFloat{1.5}.to_string(), "1.5");
    EXPECT_EQ(BigFloat{0}.to_string(), "0");
    EXPECT_EQ(BigFloat{-1200}.to_string(), "-1200");
    EXPECT_EQ(BigFloat::parse("1e100").to_string(4), "1e100");
    EXPECT_EQ(BigFloat::parse("0.00001234").to_string(3), "0.0000123");
}

TEST(BigFloat, RefusesWhatIsNotADecimalNumber) {
    for (const char* text : {"", " 1", "1 ", "nan", "inf", "-", ".", "e5", "1e", "1e+", "0x10",
                             "1,5", "1.2.3", "--1", "1e999999999999999999999"}) {
        EXPECT_THROW(BigFloat::parse(text), NumberError) << "'" << text << "'";
    }
}

TEST(BigFloat, RefusesMoreDigitsThanAnyZoomNeeds) {
    const std::string most = "0." + std::string(kMaxDecimalDigits - 1, '7');
    const BigFloat value = BigFloat::parse(most);
    EXPECT_EQ(value.bits(), kMaxDecimalBits);
    EXPECT_EQ(BigFloat::parse(value.to_string()), value) << "what was read can be written and read";
    for (const std::string& text : {most + "7", "-" + std::string(3'000'000, '1') + "e5"}) {
        try {
            BigFloat::parse(text);
            FAIL() << "accepted";
        } catch (const NumberError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find("has more than 20,000 digits"), std::string::npos) << message;
            EXPECT_LT(message.size(), 100u);
        }
    }
}

TEST(BigFloat, ReachesFarBeyondDouble) {
    const BigFloat big = BigFloat::parse("1e1086");
    EXPECT_NEAR(big.log2_abs(), 1086 * std::log2(10.0), 1e-6);
    EXPECT_TRUE(std::isinf(big.to_double()));
    EXPECT_TRUE(std::isinf(BigFloat{0}.log2_abs()));
    EXPECT_LT(BigFloat{0}.log2_abs(), 0);
}

TEST(BigFloat, CalculatesInTheLargerPrecision) {
    const BigFloat fine = BigFloat::parse("1." + std::string(60, '0') + "1");
    EXPECT_EQ((fine - BigFloat{1}).sign(), 1);
    EXPECT_EQ((BigFloat{1} - fine).sign(), -1);
    EXPECT_GE((fine * BigFloat{2}).bits(), fine.bits());
    EXPECT_TRUE(BigFloat{1} < fine);
    EXPECT_EQ(BigFloat{6} / BigFloat{4}, BigFloat{1.5});
}

TEST(BigFloat, SurvivesMovesAndSelfAssignment) {
    BigFloat a{2.5}, b{std::move(a)};
    EXPECT_EQ(b.to_double(), 2.5);
    const BigFloat& same = b;
    b = same;
    EXPECT_EQ(b.to_double(), 2.5);
    a = b;  // a moved-from number can be given a value again
    EXPECT_EQ(a.to_double(), 2.5);
}

}  // namespace
}  // namespace warpscope
