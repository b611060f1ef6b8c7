// SPDX-License-Identifier: MIT
#include "kernels/engine/number_types.h"

#include <gtest/gtest.h>

#include "kernels/engine/device_info.h"

namespace warpscope {
namespace {

/// Takes a set time a pixel, by number type.
class Paced final : public Backend {
  public:
    Paced(double double_ns, double df64_ns) : double_ns_{double_ns}, df64_ns_{df64_ns} {}
    const BackendInfo& info() const noexcept override { return info_; }
    void start(const FrameJob& job, const Tuning& tuning, std::span<const Part>) override {
        EXPECT_FALSE(tuning.method.closed_form || tuning.method.periodicity);
        EXPECT_NE(job.precision, Precision::kFloat);
        stats_.job = job;
        const double each = job.precision == Precision::kDf64 ? df64_ns_ : double_ns_;
        stats_.kernel_ms = each * job.width * job.height * 1e-6;
        longest_ms = std::max(longest_ms, stats_.kernel_ms);
    }
    Progress advance(Target, double) override { return {1, true}; }
    void cancel() noexcept override {}
    FrameStats stats() override { return stats_; }
    bool accepts(Memory) const noexcept override { return true; }
    HostSamples allocate_host(std::size_t count) override {
        return {new Sample[count](), [](Sample* samples) { delete[] samples; }};
    }

    double longest_ms = 0;

  private:
    double double_ns_, df64_ns_;
    BackendInfo info_;
    FrameStats stats_;
};

TEST(NumberTypes, TheFasterIsChosen) {
    Paced gaming{6400, 1100}, computing{200, 1100};
    EXPECT_EQ(measure_df64(gaming), Df64Speed::kFaster);
    EXPECT_EQ(measure_df64(computing), Df64Speed::kSlower);
}

TEST(NumberTypes, MeasuresForMillisecondsOnly) {
    for (const double ns : {0.5, 20.0, 3000.0}) {
        Paced backend{ns, 2 * ns};
        measure_df64(backend);
        EXPECT_LT(backend.longest_ms, 30) << ns;
    }
}

TEST(NumberTypes, VectorsOfDoublesBeatPairsOfFloatsOnThisProcessor) {
    EXPECT_EQ(measure_df64(*make_backend("cpu")), Df64Speed::kSlower);
}

}  // namespace
}  // namespace warpscope
