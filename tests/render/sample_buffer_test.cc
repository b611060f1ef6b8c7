// SPDX-License-Identifier: MIT
#include "render/sample_buffer.h"

#include <stdexcept>

#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

using SampleBufferTest = GlTest;

TEST_F(SampleBufferTest, ReadsBackWhatTheBackendWrote) {
    const std::vector<Sample> samples = random_samples(40 * 30, 1);
    ListBackend backend{samples};
    SampleBuffer buffer;
    buffer.use(backend, {});
    buffer.resize(40, 30);
    EXPECT_EQ(buffer.front().width, 0);
    fill(buffer, backend);
    EXPECT_EQ(buffer.front().width, 40);
    EXPECT_EQ(buffer.front().height, 30);
    EXPECT_TRUE(buffer.read_front() == samples);
    EXPECT_EQ(buffer.path(), SamplePath::kHostCopy);
    EXPECT_EQ(buffer.stats().bytes_uploaded, 40u * 30u * 8u);
    EXPECT_GT(buffer.stats().upload_ms, 0);
}

TEST_F(SampleBufferTest, FrontStaysUntilTheNextFrameIsPublished) {
    const std::vector<Sample> first = random_samples(40 * 30, 1),
                              second = random_samples(40 * 30, 2);
    ListBackend one{first}, two{second};
    SampleBuffer buffer;
    buffer.use(one, {});
    buffer.resize(40, 30);
    fill(buffer, one);
    buffer.use(two, {});  // the backend is switched while the picture stays
    two.start({}, {}, {});
    two.advance(buffer.map(), 1);
    buffer.unmap();
    EXPECT_TRUE(buffer.read_front() == first);
    two.advance(buffer.map(), 1);
    buffer.unmap();
    EXPECT_TRUE(buffer.read_front() == first);
    buffer.publish();
    EXPECT_TRUE(buffer.read_front() == second);
}

TEST_F(SampleBufferTest, ResizeKeepsTheFrontUntilTheNextFrame) {
    const std::vector<Sample> small = random_samples(40 * 30, 1),
                              large = random_samples(80 * 50, 2);
    ListBackend one{small}, two{large};
    SampleBuffer buffer;
    buffer.use(one, {});
    buffer.resize(40, 30);
    fill(buffer, one);
    fill(buffer, one);
    buffer.use(two, {});
    buffer.resize(80, 50);
    EXPECT_EQ(buffer.front().width, 40);
    EXPECT_TRUE(buffer.read_front() == small);
    fill(buffer, two);
    EXPECT_EQ(buffer.front().width, 80);
    EXPECT_TRUE(buffer.read_front() == large);
    fill(buffer, two);  // the other buffer follows
    EXPECT_TRUE(buffer.read_front() == large);
}

TEST_F(SampleBufferTest, EveryCpuRungFillsTheSameFrame) {
    FrameJob job;
    job.center_re = -0.75;
    job.spacing = 0.05;
    job.width = kWidth;
    job.height = kHeight;
    job.limit = 200;
    std::vector<Sample> first;
    SampleBuffer buffer;
    buffer.resize(kWidth, kHeight);
    for (const char* name : {"cpu-scalar", "cpu-threads"}) {
        const auto backend = make_backend(name);
        buffer.use(*backend, {});
        fill(buffer, *backend, job);
        if (first.empty()) first = buffer.read_front();
        EXPECT_TRUE(buffer.read_front() == first) << name;
        buffer.release();
    }
    EXPECT_GT(std::ranges::count_if(first, [](const Sample& s) { return s.count == 0; }), 10);
}

TEST_F(SampleBufferTest, AFrameInFrontIsRefinedInPlace) {
    const std::vector<Sample> coarse = random_samples(40 * 30, 1),
                              fine = random_samples(40 * 30, 2);
    ListBackend one{coarse};
    SampleBuffer buffer;
    buffer.use(one, {});
    buffer.resize(40, 30);
    fill(buffer, one);
    const Target target = buffer.map(Side::kFront);
    EXPECT_TRUE(std::vector<Sample>(target.samples, target.samples + 40 * 30) == coarse)
        << "refining starts from what is there";
    std::ranges::copy(fine, target.samples);
    buffer.unmap();
    EXPECT_TRUE(buffer.read_front() == coarse);
    buffer.refresh();
    EXPECT_TRUE(buffer.read_front() == fine);
    EXPECT_EQ(buffer.stats().bytes_uploaded, 40u * 30u * 8u);
}

TEST_F(SampleBufferTest, SamplesAreCarriedOverWhereTheWindowHasMoved) {
    const std::vector<Sample> before = random_samples(40 * 30, 1);
    ListBackend backend{before};
    SampleBuffer buffer;
    buffer.use(backend, {});
    buffer.resize(40, 30);
    EXPECT_FALSE(buffer.can_carry());
    fill(buffer, backend);
    ASSERT_TRUE(buffer.can_carry());
    buffer.carry_over(7, -3);
    const Target target = buffer.map();
    for (int y = 3; y < 30; ++y) {
        for (int x = 0; x < 33; ++x) {
            const Sample& got = target.samples[y * 40 + x];
            const Sample& want = before[static_cast<std::size_t>((y - 3) * 40 + x + 7)];
            ASSERT_EQ(got.count, want.count) << x << ' ' << y;
            ASSERT_EQ(got.fraction, want.fraction);
        }
    }
    EXPECT_TRUE(buffer.read_front() == before) << "what is shown stays";
    buffer.resize(41, 30);
    EXPECT_FALSE(buffer.can_carry());
    buffer.resize(40, 30);
    buffer.use(backend, {});
    EXPECT_FALSE(buffer.can_carry()) << "what another backend left may differ in the last bit";
    EXPECT_THROW(buffer.carry_over(1, 1), std::logic_error);
}

// Where the buffers are shared with CUDA the samples never leave the GPU.
TEST_F(SampleBufferTest, BufferObjectsAreMovedAsHostMemoryIs) {
    constexpr int kW = 70, kH = 45;
    const std::vector<Sample> from = random_samples(kW * kH, 1), fresh = random_samples(kW * kH, 2);
    const auto bytes = static_cast<GLsizeiptr>(from.size() * sizeof(Sample));
    SampleMover mover;
    for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {-69, 44}, {13, -7}, {70, 0}, {0, -45}}) {
        const SampleShift shift{kW, kH, dx, dy};
        std::vector<Sample> expected = fresh, got(from.size());
        move_samples(shift, from.data(), expected.data());
        GlBuffer a, b;
        glNamedBufferData(a.id(), bytes, from.data(), GL_DYNAMIC_COPY);
        glNamedBufferData(b.id(), bytes, fresh.data(), GL_DYNAMIC_COPY);
        mover.move(shift, a.id(), b.id());
        GL_CHECK(glGetNamedBufferSubData(b.id(), 0, bytes, got.data()));
        EXPECT_TRUE(got == expected) << dx << ' ' << dy;
        EXPECT_EQ(got == fresh, std::abs(dx) >= kW || std::abs(dy) >= kH);
    }
}

TEST_F(SampleBufferTest, WrongOrderAndSizesAreRefused) {
    ListBackend backend{random_samples(1, 1)};
    SampleBuffer buffer;
    EXPECT_THROW(buffer.map(), std::logic_error);
    buffer.use(backend, {});
    EXPECT_THROW(buffer.map(), std::logic_error);
    EXPECT_THROW(buffer.publish(), std::logic_error);
    EXPECT_THROW(buffer.refresh(), std::logic_error);
    EXPECT_THROW(buffer.resize(0, 10), std::invalid_argument);
    EXPECT_THROW(buffer.resize(10, 32769), std::invalid_argument);
}

}  // namespace
}  // namespace warpscope::test
