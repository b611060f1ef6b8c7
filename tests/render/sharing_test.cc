// SPDX-License-Identifier: MIT
// CUDA writing into OpenGL's buffers. Needs a GPU that both share; skipped elsewhere.
#include <memory>

#include "app/session/coloring.h"
#include "app/session/palette.h"
#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

FrameJob seahorse(int width, int height) {
    FrameJob job;
    job.precision = Precision::kDouble;
    job.center_re = -0.7436;
    job.center_im = 0.1318;
    job.spacing = 0.01 / height;
    job.width = width;
    job.height = height;
    job.limit = 2000;
    return job;
}

class Sharing : public GlTest {
  protected:
    void SetUp() override {
        GlTest::SetUp();
        if (IsSkipped()) return;
        verdict_ = probe_interop(InteropChoice::kAuto, 0);
        if (!verdict_.active) GTEST_SKIP() << verdict_.reason;
        cuda_ = make_backend("cuda", 0);
    }

    std::vector<std::uint32_t> drawn(const SampleBuffer& buffer) {
        presenter_ = std::make_unique<Presenter>();
        const PaletteTable palette = tabulate(load_palettes().front());
        presenter_->draw({.grid = buffer.front(),
                          .coloring = coloring_params({}, 0, Formula::kMandelbrot, kWidth, kHeight),
                          .palette = palette,
                          .reprojection = {},
                          .width = kWidth,
                          .height = kHeight,
                          .framebuffer = gl_->framebuffer()});
        return gl_->read_pixels();
    }

    InteropVerdict verdict_;
    std::unique_ptr<Backend> cuda_;
    std::unique_ptr<Presenter> presenter_;
};

TEST_F(Sharing, SharedBufferAndHostCopyGiveTheSameSamplesAndPixels) {
    const FrameJob job = seahorse(kWidth, kHeight);
    SampleBuffer shared, copied;
    shared.use(*cuda_, verdict_);
    shared.resize(kWidth, kHeight);
    EXPECT_EQ(shared.path(), SamplePath::kShared);
    fill(shared, *cuda_, job);
    EXPECT_EQ(shared.stats().bytes_uploaded, 0u);
    EXPECT_GT(shared.stats().map_ms, 0);

    InteropVerdict off;
    off.reason = "for this test";
    copied.use(*cuda_, off);
    copied.resize(kWidth, kHeight);
    EXPECT_EQ(copied.path(), SamplePath::kHostCopy);
    fill(copied, *cuda_, job);

    const std::vector<Sample> samples = shared.read_front();
    EXPECT_GT(std::ranges::count_if(samples, [](const Sample& s) { return s.count > 0; }), 1000);
    EXPECT_TRUE(samples == copied.read_front());
    EXPECT_EQ(drawn(shared), drawn(copied));
    shared.release();
    copied.release();
}

TEST_F(Sharing, CountsEqualTheCpus) {
    const FrameJob job = seahorse(kWidth, kHeight);
    SampleBuffer buffer;
    buffer.resize(kWidth, kHeight);
    buffer.use(*cuda_, verdict_);
    fill(buffer, *cuda_, job);
    const std::vector<Sample> gpu = buffer.read_front();
    const auto cpu = make_backend("cpu-scalar");
    buffer.use(*cpu, verdict_);  // an active verdict is no use to a CPU backend
    EXPECT_EQ(buffer.path(), SamplePath::kHostCopy);
    fill(buffer, *cpu, job);
    EXPECT_TRUE(std::ranges::equal(gpu, buffer.read_front(), {}, &Sample::count, &Sample::count));
    buffer.use(*cuda_, verdict_);  // and back again
    EXPECT_EQ(buffer.path(), SamplePath::kShared);
    fill(buffer, *cuda_, job);
    EXPECT_TRUE(buffer.read_front() == gpu);
    buffer.release();
}

TEST_F(Sharing, ManyResizesAndFramesStayCorrect) {
    SampleBuffer buffer;
    buffer.use(*cuda_, verdict_);
    const auto cpu = make_backend("cpu");
    for (const auto& [width, height] : {std::pair{31, 17}, {640, 360}, {1, 1}, {333, 222}}) {
        const FrameJob job = seahorse(width, height);
        buffer.resize(width, height);
        for (int frame = 0; frame < 5; ++frame) fill(buffer, *cuda_, job);
        std::vector<Sample> expected(static_cast<std::size_t>(width) *
                                     static_cast<std::size_t>(height));
        cpu->start(job, {});
        while (!cpu->advance({expected.data(), Memory::kHost}, 100).done) continue;
        EXPECT_TRUE(
            std::ranges::equal(buffer.read_front(), expected, {}, &Sample::count, &Sample::count))
            << width << " x " << height;
    }
    buffer.release();
}

TEST_F(Sharing, AFailureLeavesNoErrorBehind) {
    // A buffer that does not exist cannot be registered.
    EXPECT_THROW(SharedBuffer(0xfffffff0u, verdict_.cuda_device), InteropError);
    while (glGetError() != GL_NO_ERROR) continue;
    SampleBuffer buffer;
    buffer.use(*cuda_, verdict_);
    buffer.resize(kWidth, kHeight);
    EXPECT_NO_THROW(fill(buffer, *cuda_, seahorse(kWidth, kHeight)));
    EXPECT_TRUE(probe_interop(InteropChoice::kOn, verdict_.cuda_device).active);
    buffer.release();
}

TEST_F(Sharing, UnmappedAndUnregisteredWhenAbandonedInTheMiddle) {
    {
        SampleBuffer buffer;
        buffer.use(*cuda_, verdict_);
        buffer.resize(kWidth, kHeight);
        buffer.map();
    }
    SampleBuffer buffer;
    buffer.use(*cuda_, verdict_);
    buffer.resize(kWidth, kHeight);
    EXPECT_NO_THROW(fill(buffer, *cuda_, seahorse(kWidth, kHeight)));
    buffer.release();
}

}  // namespace
}  // namespace warpscope::test
