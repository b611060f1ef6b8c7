// SPDX-License-Identifier: MIT
// The roofs of a GPU; skipped where no GPU works.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/engine/device_info.h"
#include "kernels/engine/roof_meter.h"

namespace warpscope {
namespace {

class RoofCuda : public testing::Test {
  protected:
    void SetUp() override {
        const CudaStatus status = cuda_status();
        if (!status.problem.empty()) GTEST_SKIP() << status.problem;
        device_ = status.devices.front();
    }
    CudaDevice device_;
};

TEST_F(RoofCuda, MemoryIsNearlyAsFastAsItsClockAndBusSay) {
    RoofMeter meter{{device_.index, 0}};
    meter.measure({});
    const MachineRoofs& found = meter.found();
    EXPECT_FALSE(found.fits_cache());
    for (const Traffic traffic : kTraffics) {
        const double rate = found.bytes_per_second[static_cast<std::size_t>(traffic)];
        printf("%s: %.0f GB/s\n", std::string{traffic_name(traffic)}.c_str(), rate / 1e9);
        EXPECT_GT(rate, 1e10);
    }
    if (device_.memory_clock_khz == 0 || device_.memory_bus_bits == 0) return;
    const double model = 2.0 * device_.memory_clock_khz * 1e3 * device_.memory_bus_bits / 8;
    const double best = found.roofs(Precision::kFloat).bytes_per_second;
    printf("best: %.1f %% of the model's %.0f GB/s\n", 100 * best / model, model / 1e9);
    EXPECT_GT(best / model, 0.7);
    EXPECT_LT(best / model, 1.02);  // more would be a cache
}

TEST_F(RoofCuda, FloatIsNotSlowerThanDouble) {
    RoofMeter meter{{device_.index, 0}};
    meter.measure({});
    const Roofs single = meter.found().roofs(Precision::kFloat);
    const Roofs twice = meter.found().roofs(Precision::kDouble);
    printf("float %.1f, double %.1f TFLOP/s, ridge at %.1f\n", single.flops_per_second / 1e12,
           twice.flops_per_second / 1e12, single.ridge());
    EXPECT_GE(single.flops_per_second, twice.flops_per_second);
    EXPECT_GT(single.ridge(), 1);
}

TEST_F(RoofCuda, StreamsRunAgainAndAgain) {
    const auto meter = make_cuda_bandwidth_meter(device_.index);
    for (int i = 0; i < 20; ++i) {
        for (const Traffic traffic : kTraffics) EXPECT_GT(meter->run_ms(traffic), 0);
    }
}

TEST_F(RoofCuda, UnknownDeviceIsAnError) { EXPECT_THROW(RoofMeter({99, 0}), BackendError); }

}  // namespace
}  // namespace warpscope
