// SPDX-License-Identifier: MIT
#include "render/offscreen.h"

#include "render/program.h"
#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

using OffscreenTest = GlTest;

TEST_F(OffscreenTest, ReadsRowsFromTheTop) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, kWidth, kHeight / 2);  // OpenGL's lower half
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(0, kHeight / 2, kWidth, kHeight / 2);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const std::vector<std::uint32_t> pixels = gl_->read_pixels();
    ASSERT_EQ(pixels.size(), static_cast<std::size_t>(kWidth * kHeight));
    EXPECT_EQ(pixels.front(), 0xff0000ffu);
    EXPECT_EQ(pixels.back(), 0xffff0000u);
}

TEST_F(OffscreenTest, SeveralContextsTakeTurns) {
    OffscreenContext other{{.width = 8, .height = 8}};
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_->make_current();
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_EQ(gl_->read_pixels().front(), 0xffffffffu);
    other.make_current();
    EXPECT_EQ(other.read_pixels().front(), 0xff00ff00u);
}

TEST_F(OffscreenTest, ErrorsNameTheCallAndThePlace) {
    try {
        GL_CHECK(glEnable(0x1234));
        FAIL() << "no exception";
    } catch (const GlError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("offscreen_test.cc:"), std::string::npos) << what;
        EXPECT_NE(what.find("glEnable(0x1234): GL_INVALID_ENUM"), std::string::npos) << what;
    }
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Offscreen, ImpossibleSizesAreRefused) {
    EXPECT_THROW(OffscreenContext({.width = 0, .height = 10}), GlError);
    EXPECT_THROW(OffscreenContext({.width = 10, .height = 20000}), GlError);
}

TEST(Program, IncludesAreResolved) {
    const std::string source = shader_source("shaders/present.comp.glsl");
    EXPECT_EQ(source.find("#include"), std::string::npos);
    EXPECT_NE(source.find("vec3 pixel_color("), std::string::npos);
}

}  // namespace
}  // namespace warpscope::test
