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
    two.start({}, {});
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

TEST_F(SampleBufferTest, WrongOrderAndSizesAreRefused) {
    ListBackend backend{random_samples(1, 1)};
    SampleBuffer buffer;
    EXPECT_THROW(buffer.map(), std::logic_error);
    buffer.use(backend, {});
    EXPECT_THROW(buffer.map(), std::logic_error);
    EXPECT_THROW(buffer.publish(), std::logic_error);
    EXPECT_THROW(buffer.resize(0, 10), std::invalid_argument);
    EXPECT_THROW(buffer.resize(10, 32769), std::invalid_argument);
}

}  // namespace
}  // namespace warpscope::test
