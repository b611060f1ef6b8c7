// SPDX-License-Identifier: MIT
// Every backend against exact counts, which plain iteration with MPFR found (grids.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/deep/precision.h"
#include "kernels/engine/backend.h"

namespace warpscope {
namespace {

constexpr const char* kFolder = WARPSCOPE_GRIDS "/";

std::string read_file(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty()) throw std::runtime_error{"cannot read " + path};
    return text;
}

/// The values of a version-1 '<u4' array; the caller knows the shape.
std::vector<std::uint32_t> read_grid(const std::string& path, std::size_t count) {
    const std::string bytes = read_file(path);
    const std::size_t body = count * sizeof(std::uint32_t);
    if (bytes.size() < body || bytes.find("'descr': '<u4'") == std::string::npos) {
        throw std::runtime_error{path + ": not a <u4 array of " + std::to_string(count)};
    }
    std::vector<std::uint32_t> values(count);
    const auto byte = [&bytes](std::size_t i) {
        return std::uint32_t{static_cast<unsigned char>(bytes[i])};
    };
    for (std::size_t i = 0, at = bytes.size() - body; i < count; ++i, at += 4) {
        values[i] = byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24;
    }
    return values;
}

/// "multibrot3" is key and power in one.
Formula formula_named(const std::string& name) {
    for (const FormulaInfo& row : kFormulas) {
        if (row.key == name || std::string{row.key} + std::to_string(row.power) == name) {
            return row.formula;
        }
    }
    throw std::runtime_error{"grids.json: no formula '" + name + "'"};
}

FrameJob job_of(const nlohmann::json& view) {
    Scene scene;
    scene.formula = formula_named(view.at("formula"));
    scene.view.re = BigFloat::parse(std::string{view.at("re")});
    scene.view.im = BigFloat::parse(std::string{view.at("im")});
    scene.view.zoom = BigFloat::parse(std::string{view.at("zoom")});
    scene.limit = view.at("max_iter");
    scene.bailout = view.at("bailout");
    scene.precision = PrecisionChoice::kDouble;
    if (view.contains("julia_re")) {
        scene.julia = true;
        scene.julia_re = BigFloat::parse(std::string{view.at("julia_re")});
        scene.julia_im = BigFloat::parse(std::string{view.at("julia_im")});
    }
    return plan(scene, view.at("width"), view.at("height")).value();
}

std::size_t count_differing(const HostSamples& got, const std::vector<std::uint32_t>& want) {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < want.size(); ++i) differing += got[i].count != want[i];
    return differing;
}

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, CountsAreThoseOfExactArithmetic) {
    const std::vector<BackendChoice> choices = backend_choices();
    const auto choice = std::find_if(choices.begin(), choices.end(), [](const BackendChoice& one) {
        return one.name == GetParam();
    });
    ASSERT_NE(choice, choices.end());
    if (!choice->unavailable.empty()) GTEST_SKIP() << choice->unavailable;
    const std::unique_ptr<Backend> backend = make_backend(GetParam());
    const auto views = nlohmann::json::parse(read_file(std::string{kFolder} + "grids.json"));
    ASSERT_GE(views.size(), 14u);
    for (const nlohmann::json& view : views) {
        SCOPED_TRACE(std::string{view.at("name")});
        const FrameJob job = job_of(view);
        const auto count = static_cast<std::size_t>(job.width * job.height);
        const auto want = read_grid(kFolder + std::string{view.at("grid")}, count);
        const HostSamples got = backend->allocate_host(count);
        std::fill_n(got.get(), count, Sample{0xdeadbeef, 0});
        backend->start(job, Tuning{});
        while (!backend->advance({got.get(), Memory::kHost}, 1000).done) {
        }
        EXPECT_LE(count_differing(got, want), view.at("allow").get<std::size_t>());
    }
}

std::string test_name(const testing::TestParamInfo<const char*>& backend) {
    std::string name = backend.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(EveryBackend, Golden,
                         testing::Values("cpu-scalar", "cpu-simd", "cpu-threads", "cpu", "cuda"),
                         test_name);

}  // namespace
}  // namespace warpscope
