// SPDX-License-Identifier: MIT
#include "render/gpu_timer.h"

#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

using GpuTimerTest = GlTest;

TEST_F(GpuTimerTest, HasAResultOnceTheGpuIsDone) {
    GpuTimer timer;
    EXPECT_FALSE(timer.latest_ms());
    timer.begin();
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    timer.end();
    glFinish();
    ASSERT_TRUE(timer.latest_ms());
    EXPECT_GE(*timer.latest_ms(), 0);
    EXPECT_LT(*timer.latest_ms(), 10'000);
}

TEST_F(GpuTimerTest, ManyFramesWithoutAResultAreSkippedNotWaitedFor) {
    GpuTimer timer;
    for (int frame = 0; frame < 100; ++frame) {
        timer.begin();
        glClear(GL_COLOR_BUFFER_BIT);
        timer.end();
    }
    timer.end();  // without begin: nothing
    glFinish();
    EXPECT_TRUE(timer.latest_ms());
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace warpscope::test
