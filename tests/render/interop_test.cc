// SPDX-License-Identifier: MIT
// The verdict for every cause that was reported, from facts as those machines give them.
#include "render/interop.h"

#include "render/interop_facts.h"
#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

InteropFacts good_machine() {
    InteropFacts facts;
    facts.gl = {"NVIDIA Corporation", "NVIDIA GeForce RTX 3070/PCIe/SSE2", "4.5.0"};
    facts.cuda.built = true;
    facts.cuda.devices.resize(2);
    facts.cuda.devices[0].name = "RTX 3070";
    facts.cuda.devices[1].name = "RTX A4000";
    facts.cuda.devices[1].index = 1;
    facts.gl_devices = {0};
    return facts;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(InteropVerdict, IsActiveWhereEverythingWorks) {
    const InteropVerdict verdict = judge(good_machine(), InteropChoice::kAuto);
    EXPECT_TRUE(verdict.active);
    EXPECT_EQ(verdict.cuda_device, 0);
    EXPECT_TRUE(has(verdict.reason, "RTX 3070")) << verdict.reason;
    EXPECT_TRUE(verdict.remedy.empty());
}

TEST(InteropVerdict, NamesBothGpusAndTheRelaunchLineOnAHybridLaptop) {
    InteropFacts facts = good_machine();
    facts.gl = {"Intel", "Mesa Intel(R) UHD Graphics 630", "4.6"};
    facts.gl_devices = {};
    const InteropVerdict verdict = judge(facts, InteropChoice::kAuto);
    EXPECT_FALSE(verdict.active);
    EXPECT_EQ(verdict.cuda_device, -1);
    EXPECT_TRUE(has(verdict.reason, "UHD Graphics 630")) << verdict.reason;
    EXPECT_TRUE(has(verdict.reason, "RTX 3070")) << verdict.reason;
    EXPECT_TRUE(has(verdict.remedy,
                    "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia warpscope"));
}

TEST(InteropVerdict, NamesTheSoftwareRenderer) {
    InteropFacts facts = good_machine();
    facts.gl = {"Mesa", "llvmpipe (LLVM 15.0.6, 256 bits)", "4.5"};
    facts.gl_devices = {};
    const InteropVerdict verdict = judge(facts, InteropChoice::kOn);
    EXPECT_FALSE(verdict.active);
    EXPECT_TRUE(has(verdict.reason, "llvmpipe")) << verdict.reason;
    EXPECT_TRUE(has(verdict.remedy, "LIBGL_ALWAYS_SOFTWARE")) << verdict.remedy;
}

TEST(InteropVerdict, KnowsWsl) {
    InteropFacts facts = good_machine();
    facts.gl = {"Microsoft Corporation", "D3D12 (NVIDIA GeForce RTX 3070)", "4.5"};
    facts.gl_devices = {};
    facts.wsl = true;
    EXPECT_TRUE(has(judge(facts, InteropChoice::kAuto).reason, "WSL2"));
}

TEST(InteropVerdict, TellsWhichDeviceDraws) {
    InteropFacts facts = good_machine();
    facts.wanted_device = 1;
    const InteropVerdict verdict = judge(facts, InteropChoice::kAuto);
    EXPECT_FALSE(verdict.active);
    EXPECT_TRUE(has(verdict.reason, "RTX A4000 (device 1)")) << verdict.reason;
    EXPECT_TRUE(has(verdict.remedy, "--device 0")) << verdict.remedy;
}

TEST(InteropVerdict, SaysWhatFailedInTheTrial) {
    InteropFacts facts = good_machine();
    facts.trial_problem = "cudaGraphicsMapResources: unknown error";
    const InteropVerdict verdict = judge(facts, InteropChoice::kAuto);
    EXPECT_FALSE(verdict.active);
    EXPECT_TRUE(has(verdict.reason, "cudaGraphicsMapResources: unknown error"));
}

TEST(InteropVerdict, QuotesCudaWhereAnNvidiaContextCannotShare) {
    InteropFacts facts = good_machine();
    facts.gl_devices = {};
    facts.gl_problem = "cudaGLGetDevices: OS call failed";
    EXPECT_TRUE(has(judge(facts, InteropChoice::kAuto).reason, "OS call failed"));
}

TEST(InteropVerdict, SaysWhyThereIsNoCuda) {
    InteropFacts facts = good_machine();
    facts.cuda.problem = "CUDA driver version is insufficient";
    EXPECT_TRUE(has(judge(facts, InteropChoice::kAuto).reason, "insufficient"));
    facts.cuda.built = false;
    EXPECT_TRUE(has(judge(facts, InteropChoice::kAuto).reason, "built without CUDA"));
    EXPECT_TRUE(has(judge(facts, InteropChoice::kOff).reason, "by request"));
}

/// Contexts of Mesa's software renderer, also where there is a GPU and Mesa beside it.
class SoftwareInterop : public GlTest {
  protected:
    void SetUp() override {
        GlTest::SetUp();
        if (gl_ && !is_software_renderer(gl_->identity())) {
            GTEST_SKIP() << "no Mesa here: " << gl_->identity().renderer;
        }
    }

  private:
    Environment software_{"LIBGL_ALWAYS_SOFTWARE", "1"};
};

TEST_F(SoftwareInterop, ProbeSaysInactiveAndNamesTheRenderer) {
    const InteropVerdict verdict = probe_interop(InteropChoice::kAuto, 0);
    EXPECT_FALSE(verdict.active);
    EXPECT_TRUE(has(verdict.reason, "llvmpipe")) << verdict.reason;
    EXPECT_FALSE(verdict.remedy.empty());
}

TEST_F(SoftwareInterop, RegisteringFailsWithAReason) {
    const GlBuffer buffer;
    GL_CHECK(glNamedBufferData(buffer.id(), 64, nullptr, GL_DYNAMIC_DRAW));
    try {
        SharedBuffer shared{buffer.id(), 0};
        FAIL() << "no exception";
    } catch (const InteropError& error) {
        EXPECT_GT(std::string{error.what()}.size(), 10u);
    }
}

TEST_F(SoftwareInterop, OffIsHonouredWithoutAskingCuda) {
    const InteropVerdict verdict = probe_interop(InteropChoice::kOff, 0);
    EXPECT_FALSE(verdict.active);
    EXPECT_TRUE(has(verdict.reason, "by request")) << verdict.reason;
}

}  // namespace
}  // namespace warpscope::test
