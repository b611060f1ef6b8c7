// SPDX-License-Identifier: MIT
// The parts under a rung: data, verification, threads, sources, the six-element example.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/lab/cpu_kernels.h"
#include "kernels/lab/element_map.h"
#include "kernels/lab/sources.h"
#include "kernels/lab/team.h"
#include "kernels/lab/verify.h"

namespace warpscope::lab {
namespace {

struct Data {
    HostBuffer a_buffer, b_buffer, out_buffer;
    std::span<float> a, b, out;
    Arrays arrays;
};

Data random_data(Demo demo, std::size_t n, std::uint64_t seed) {
    const std::size_t count = elements(demo, n);
    Data data{HostBuffer{count}, HostBuffer{count}, HostBuffer{count}, {}, {}, {}, {}};
    data.a = data.a_buffer.span();
    data.b = data.b_buffer.span();
    data.out = data.out_buffer.span();
    for (std::size_t i = 0; i < count; ++i) {
        data.a[i] = random_value(seed, 0, i);
        data.b[i] = random_value(seed, 1, i);
    }
    poison(data.out);
    data.arrays = {data.a.data(), data.b.data(), data.out.data(), n, random_alpha(seed)};
    return data;
}

void run_all(const CpuKernel& kernel, const Arrays& arrays) {
    for (std::size_t task = 0; task < kernel.tasks(arrays.n); ++task) kernel.run(arrays, task);
}

TEST(ElementMap, DrawsTheSixElementExample) {
    const std::vector<ThreadElement> map = element_map(6, 4);
    ASSERT_EQ(map.size(), 8u);  // two blocks of four threads
    for (std::size_t i = 0; i < map.size(); ++i) {
        EXPECT_EQ(map[i].block, static_cast<int>(i / 4));
        EXPECT_EQ(map[i].thread, static_cast<int>(i % 4));
        EXPECT_EQ(map[i].element, static_cast<int>(i));
        EXPECT_EQ(map[i].works, i < 6);
    }
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(kExampleA[i] + kExampleB[i], 8 + 2 * static_cast<float>(i));
    }
}

TEST(ElementMap, StopsNobodyWhenTheBlockDividesN) {
    for (const int block : {1, 2, 3, 6}) {
        for (const ThreadElement& thread : element_map(6, block)) EXPECT_TRUE(thread.works);
        EXPECT_EQ(element_map(6, block).size(), 6u);
    }
    EXPECT_EQ(element_map(6, 256).size(), 256u);
    EXPECT_THROW(element_map(0, 4), std::invalid_argument);
    EXPECT_THROW(element_map(6, 0), std::invalid_argument);
    EXPECT_THROW(element_map(6, 1025), std::invalid_argument);
}

TEST(Random, IsUniformReproducibleAndDifferentPerStream) {
    double sum = 0;
    std::set<float> seen;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const float value = random_value(7, 0, i);
        EXPECT_GE(value, -1.0F);
        EXPECT_LT(value, 1.0F);
        EXPECT_EQ(value, random_value(7, 0, i));
        sum += static_cast<double>(value);
        seen.insert(value);
    }
    EXPECT_LT(std::abs(sum / 10000), 0.03);  // five standard deviations of the mean
    EXPECT_GT(seen.size(), 9950u);
    EXPECT_NE(random_value(7, 0, 5), random_value(7, 1, 5));
    EXPECT_NE(random_value(7, 0, 5), random_value(8, 0, 5));
}

class EveryKernel : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryKernel, VectorsVerifyForAnyLength) {
    for (const Demo demo : {Demo::kVectorAdd, Demo::kSaxpy}) {
        for (const CpuKernel& kernel : {scalar_kernel(demo), simd_kernel(demo)}) {
            Data data = random_data(demo, GetParam(), 11);
            run_all(kernel, data.arrays);
            const LabVerification got = verify(demo, data.arrays, 11);
            EXPECT_TRUE(got.passed) << got.failure;
            EXPECT_EQ(got.checked, GetParam());
            EXPECT_LE(got.worst, 1);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Lengths, EveryKernel,
                         testing::Values(1, 31, 64, 65535, 65536, 65537, 1000003));

class EveryMatmul : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryMatmul, VerifiesForAnyEdge) {
    for (const CpuKernel& kernel : {scalar_kernel(Demo::kMatmul), simd_kernel(Demo::kMatmul)}) {
        Data data = random_data(Demo::kMatmul, GetParam(), 13);
        run_all(kernel, data.arrays);
        const LabVerification got = verify(Demo::kMatmul, data.arrays, 13);
        EXPECT_TRUE(got.passed) << got.failure;
        EXPECT_EQ(got.checked, GetParam() <= 512 ? GetParam() * GetParam() : 4096u);
    }
}
INSTANTIATE_TEST_SUITE_P(Edges, EveryMatmul, testing::Values(1, 2, 17, 33, 96, 257, 600));

TEST(Verify, OneUnwrittenEntryFailsWhereverItIs) {
    for (const Demo demo : {Demo::kVectorAdd, Demo::kSaxpy, Demo::kMatmul}) {
        const std::size_t n = demo == Demo::kMatmul ? 520 : 70000;
        Data data = random_data(demo, n, 3);
        run_all(simd_kernel(demo), data.arrays);
        ASSERT_TRUE(verify(demo, data.arrays, 3).passed);
        for (const std::size_t at :
             {std::size_t{0}, elements(demo, n) / 3, elements(demo, n) - 1}) {
            const float right = data.out[at];
            for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                                    std::numeric_limits<float>::infinity()}) {
                data.out[at] = bad;
                const LabVerification got = verify(demo, data.arrays, 3);
                EXPECT_FALSE(got.passed);
                EXPECT_EQ(got.not_finite, 1u);
                EXPECT_NE(got.failure.find("NaN or infinite"), std::string::npos);
            }
            data.out[at] = right;
        }
    }
}

TEST(Verify, OneUlpTooMuchFailsVectorAdd) {
    Data data = random_data(Demo::kVectorAdd, 1000, 5);
    run_all(scalar_kernel(Demo::kVectorAdd), data.arrays);
    ASSERT_TRUE(verify(Demo::kVectorAdd, data.arrays, 5).passed);
    // One ulp is two halves; a result just above a power of two has ulps of full relative size.
    data.out[123] = std::nextafter(data.out[123], 10.0F);
    const LabVerification got = verify(Demo::kVectorAdd, data.arrays, 5);
    EXPECT_FALSE(got.passed);
    EXPECT_EQ(got.wrong, 1u);
    EXPECT_NE(got.failure.find("entry 123"), std::string::npos) << got.failure;
}

TEST(Verify, ReducedPrecisionFailsMatmul) {
    // As TF32 does: inputs cut to 10 bits of fraction, sums in float.
    constexpr std::size_t kEdge = 256;
    Data data = random_data(Demo::kMatmul, kEdge, 17);
    const auto cut = [](float value) { return std::round(value * 1024.0F) / 1024.0F; };
    Data reduced = random_data(Demo::kMatmul, kEdge, 17);
    for (float& value : reduced.a) value = cut(value);
    for (float& value : reduced.b) value = cut(value);
    run_all(simd_kernel(Demo::kMatmul),
            {reduced.a.data(), reduced.b.data(), data.out.data(), kEdge, 0});
    const LabVerification got = verify(Demo::kMatmul, data.arrays, 17);
    EXPECT_FALSE(got.passed);
    EXPECT_EQ(got.not_finite, 0u);
    EXPECT_GT(got.wrong, got.checked / 2);
}

TEST(Team, RunsEveryTaskOnceUnderBothSchedules) {
    for (const int threads : {1, 2, 5}) {
        Team team{threads};
        for (const Schedule schedule : {Schedule::kFixed, Schedule::kDynamic}) {
            for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
                std::vector<std::atomic<int>> runs(count);
                TeamWork work{count, schedule, [&](std::size_t task) { ++runs[task]; }, {}};
                EXPECT_TRUE(team.run(work));
                for (const std::atomic<int>& n : runs) EXPECT_EQ(n, 1);
            }
        }
    }
}

TEST(Team, StopsBetweenTasks) {
    Team team{3};
    std::stop_source source;
    std::atomic<int> runs{0};
    const TeamWork work{100000,
                        Schedule::kDynamic,
                        [&](std::size_t) {
                            if (++runs == 10) source.request_stop();
                        },
                        {}};
    EXPECT_FALSE(team.run(work, source.get_token()));
    EXPECT_LT(runs, 100);
    EXPECT_FALSE(team.run(work, source.get_token()));  // stays stopped, does not hang
}

TEST(Sources, AreCutFromTheFilesThatWereCompiled) {
    const std::string_view text = rung_source("kernels/lab/matmul.cu", "matmul/naive");
    EXPECT_NE(text.find("__global__ void matmul_naive("), std::string_view::npos);
    EXPECT_EQ(text.find("rung:"), std::string_view::npos);
    EXPECT_EQ(text.find("matmul_shared"), std::string_view::npos);
    EXPECT_TRUE(text.ends_with("}\n"));
    EXPECT_THROW(rung_source("kernels/lab/matmul.cu", "matmul/nonsense"), std::out_of_range);
    EXPECT_THROW(rung_source("nowhere.cu", "matmul/naive"), std::out_of_range);
}

}  // namespace
}  // namespace warpscope::lab
