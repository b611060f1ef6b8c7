// SPDX-License-Identifier: MIT
#include "render/count_histogram.h"

#include <algorithm>
#include <numeric>

#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

TEST(CountBins, TileAllCountsAndAreNarrow) {
    EXPECT_EQ(first_count(kCountBins), std::uint64_t{1} << 32);
    for (std::size_t bin = 0; bin < kCountBins; ++bin) {
        const std::uint64_t from = first_count(bin), to = first_count(bin + 1);
        ASSERT_LT(from, to);
        EXPECT_EQ(count_bin(static_cast<std::uint32_t>(from)), bin);
        EXPECT_EQ(count_bin(static_cast<std::uint32_t>(to - 1)), bin);
        EXPECT_LE((to - from) * kBinsPerOctave, std::max<std::uint64_t>(from, kBinsPerOctave));
    }
    EXPECT_EQ(first_count(count_bin(kExactCounts)), kExactCounts);
}

/// The same by the CPU.
CountSummary summary_of(const std::vector<Sample>& samples) {
    CountSummary summary;
    for (const Sample& sample : samples) {
        ++summary.bins[count_bin(sample.count)];
        summary.sum += sample.count;
        if (sample.count == 0) continue;
        if (summary.least == 0 || sample.count < summary.least) summary.least = sample.count;
        summary.most = std::max(summary.most, sample.count);
    }
    return summary;
}

class CountHistogramTest : public GlTest {
  protected:
    static CountSummary measured(const std::vector<Sample>& samples, int width, int height) {
        const GlBuffer buffer;
        glNamedBufferData(buffer.id(), static_cast<GLsizeiptr>(samples.size() * sizeof(Sample)),
                          samples.data(), GL_STATIC_DRAW);
        CountHistogram histogram;
        EXPECT_FALSE(histogram.take()) << "nothing was asked for";
        histogram.measure({buffer.id(), width, height});
        EXPECT_TRUE(histogram.pending());
        glFinish();
        const std::optional<CountSummary> result = histogram.take();
        EXPECT_TRUE(result) << "the GPU has finished";
        EXPECT_FALSE(histogram.pending());
        EXPECT_FALSE(histogram.take()) << "it comes once";
        return result.value_or(CountSummary{});
    }
};

TEST_F(CountHistogramTest, EqualsTheCpuOnCountsOfEveryMagnitude) {
    SCOPED_TRACE("seed 11");
    // Several groups, the last of them partly filled; sums far beyond 32 bits.
    for (const auto& [width, height] : {std::pair{640, 361}, {1, 1}, {128, 128}}) {
        const std::vector<Sample> samples =
            random_samples(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 11);
        const CountSummary expected = summary_of(samples);
        const CountSummary got = measured(samples, width, height);
        EXPECT_EQ(got.bins, expected.bins);
        EXPECT_EQ(got.sum, expected.sum);
        EXPECT_EQ(got.least, expected.least);
        EXPECT_EQ(got.most, expected.most);
        EXPECT_EQ(got.pixels(), samples.size());
        EXPECT_DOUBLE_EQ(got.mean(), expected.mean());
    }
}

TEST_F(CountHistogramTest, HasAnExactMeanAndANearMedian) {
    SCOPED_TRACE("seed 3");
    std::vector<Sample> samples = random_samples(20'000, 3);
    const CountSummary summary = measured(samples, 200, 100);
    std::vector<double> counts;
    for (const Sample& sample : samples) {
        if (sample.count > 0) counts.push_back(sample.count);
    }
    std::ranges::sort(counts);
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    EXPECT_EQ(summary.escaped(), counts.size());
    EXPECT_NEAR(summary.mean(), sum / static_cast<double>(counts.size()), 1e-6 * summary.mean());
    const double median = counts[(counts.size() - 1) / 2];
    EXPECT_NEAR(summary.median(), median, 0.004 * median);
}

TEST_F(CountHistogramTest, SmallCountsAreExact) {
    std::vector<Sample> samples(100, Sample{7, 0});
    for (std::size_t i = 0; i < 60; ++i) samples[i].count = 250;
    samples[0].count = samples[1].count = 0;
    const CountSummary summary = measured(samples, 10, 10);
    EXPECT_EQ(summary.median(), 250);
    EXPECT_EQ(summary.bins[7], 40u);
    EXPECT_EQ(summary.bins[250], 58u);
    EXPECT_EQ(summary.bins[0], 2u);
    EXPECT_EQ(summary.least, 7u);
    EXPECT_EQ(summary.most, 250u);
}

TEST_F(CountHistogramTest, APictureOfTheInteriorHasNoCounts) {
    const CountSummary summary = measured(std::vector<Sample>(64, Sample{0, 0}), 8, 8);
    EXPECT_EQ(summary.escaped(), 0u);
    EXPECT_EQ(summary.mean(), 0);
    EXPECT_EQ(summary.median(), 0);
    EXPECT_EQ(summary.least, 0u);
    EXPECT_EQ(summary.most, 0u);
}

}  // namespace
}  // namespace warpscope::test
