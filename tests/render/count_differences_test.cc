// SPDX-License-Identifier: MIT
#include "render/count_differences.h"

#include <algorithm>

#include "tests/render/gl_test.h"

namespace warpscope::test {
namespace {

/// The same by the CPU.
DifferenceSummary summary_of(const std::vector<Sample>& first, const std::vector<Sample>& second) {
    DifferenceSummary summary{first.size(), 0, 0, 0};
    for (std::size_t i = 0; i < first.size(); ++i) {
        const std::uint32_t a = first[i].count, b = second[i].count;
        if (a == b) continue;
        ++summary.differing;
        if (a == 0 || b == 0) {
            ++summary.escape_once;
        } else {
            summary.most = std::max(summary.most, std::max(a, b) - std::min(a, b));
        }
    }
    return summary;
}

class CountDifferencesTest : public GlTest {
  protected:
    static GlBuffer buffer_of(const std::vector<Sample>& samples) {
        GlBuffer buffer;
        glNamedBufferData(buffer.id(), static_cast<GLsizeiptr>(samples.size() * sizeof(Sample)),
                          samples.data(), GL_STATIC_DRAW);
        return buffer;
    }

    static void expect_as_by_cpu(const std::vector<Sample>& first,
                                 const std::vector<Sample>& second, int width, int height) {
        const GlBuffer a = buffer_of(first), b = buffer_of(second);
        CountDifferences differences;
        EXPECT_FALSE(differences.take()) << "nothing was asked for";
        differences.measure({a.id(), width, height}, {b.id(), width, height});
        EXPECT_TRUE(differences.pending());
        glFinish();
        const std::optional<DifferenceSummary> got = differences.take();
        ASSERT_TRUE(got) << "the GPU has finished";
        EXPECT_FALSE(differences.pending());
        EXPECT_FALSE(differences.take()) << "it comes once";
        const DifferenceSummary want = summary_of(first, second);
        EXPECT_EQ(got->pixels, want.pixels);
        EXPECT_EQ(got->differing, want.differing);
        EXPECT_EQ(got->escape_once, want.escape_once);
        EXPECT_EQ(got->most, want.most);
    }
};

TEST_F(CountDifferencesTest, EqualFramesDifferNowhere) {
    const std::vector<Sample> samples = random_samples(640 * 361, 5);
    expect_as_by_cpu(samples, samples, 640, 361);
}

TEST_F(CountDifferencesTest, EqualsTheCpuOnFramesThatDifferHereAndThere) {
    SCOPED_TRACE("seeds 7 and 8");
    // Several groups, the last of them partly filled.
    for (const auto& [width, height] : {std::pair{640, 361}, {1, 1}, {128, 128}}) {
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        const std::vector<Sample> first = random_samples(count, 7),
                                  other = random_samples(count, 8);
        std::vector<Sample> second = first;
        for (std::size_t i = 0; i < count; i += 5) second[i] = other[i];
        expect_as_by_cpu(first, second, width, height);
        expect_as_by_cpu(first, other, width, height);
    }
}

TEST_F(CountDifferencesTest, FractionsAreNoCounts) {
    std::vector<Sample> first(64, Sample{7, 0.25f}), second(64, Sample{7, 0.75f});
    expect_as_by_cpu(first, second, 8, 8);
    second[63].count = 0;
    expect_as_by_cpu(first, second, 8, 8);
}

}  // namespace
}  // namespace warpscope::test
