// SPDX-License-Identifier: MIT
#include "render/count_histogram.h"

#include <bit>
#include <cstring>
#include <numeric>

#include "render/program.h"

namespace warpscope {
namespace {

constexpr int kExactBits = std::bit_width(kExactCounts) - 1;
constexpr int kOctaveBits = std::bit_width(kBinsPerOctave) - 1;

/// The buffer `Result` of shaders/histogram.comp.glsl (std430).
struct Result {
    GLuint sum_low = 0, sum_high = 0;
    GLuint least = ~0u, most = 0;
    std::array<GLuint, kCountBins> bins{};
};

}  // namespace

std::size_t count_bin(std::uint32_t count) noexcept {
    if (count < kExactCounts) return count;
    const int octave = std::bit_width(count) - 1;
    const std::uint32_t within = (count >> (octave - kOctaveBits)) - kBinsPerOctave;
    return kExactCounts + static_cast<std::uint32_t>(octave - kExactBits) * kBinsPerOctave + within;
}

std::uint64_t first_count(std::size_t bin) noexcept {
    if (bin < kExactCounts) return bin;
    const std::size_t octave = (bin - kExactCounts) / kBinsPerOctave;
    const std::size_t within = (bin - kExactCounts) % kBinsPerOctave;
    return std::uint64_t{kBinsPerOctave + within} << (octave + kExactBits - kOctaveBits);
}

std::uint64_t CountSummary::pixels() const noexcept {
    return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
}

std::uint64_t CountSummary::escaped() const noexcept { return pixels() - bins[0]; }

double CountSummary::mean() const noexcept {
    const std::uint64_t count = escaped();
    return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

double CountSummary::median() const noexcept {
    const std::uint64_t half = (escaped() + 1) / 2;
    if (half == 0) return 0;
    std::uint64_t below = 0;
    for (std::size_t bin = 1; bin < kCountBins; ++bin) {
        below += bins[bin];
        if (below < half) continue;
        const auto last = static_cast<double>(first_count(bin + 1) - 1);
        return (static_cast<double>(first_count(bin)) + last) / 2;
    }
    return 0;
}

CountHistogram::CountHistogram() : program_{compute_program("shaders/histogram.comp.glsl")} {
    GL_CHECK(glNamedBufferStorage(result_.id(), sizeof(Result), nullptr, GL_DYNAMIC_STORAGE_BIT));
}

void CountHistogram::measure(const SampleGrid& grid) {
    const Result empty;
    glNamedBufferSubData(result_.id(), 0, sizeof empty, &empty);
    glUseProgram(program_.id());
    const auto pixels = static_cast<GLuint>(grid.width) * static_cast<GLuint>(grid.height);
    glUniform1ui(0, pixels);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, grid.buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.id());
    // As shaders/histogram.comp.glsl says: so many pixels a group.
    constexpr GLuint kPixelsAGroup = 256 * 64;
    glDispatchCompute((pixels + kPixelsAGroup - 1) / kPixelsAGroup, 1, 1);
    readback_.begin(result_.id(), 0, sizeof empty);
}

std::optional<CountSummary> CountHistogram::take() {
    const std::span<const std::byte> bytes = readback_.take();
    if (bytes.empty()) return std::nullopt;
    Result result;
    std::memcpy(&result, bytes.data(), sizeof result);
    CountSummary summary;
    summary.bins = result.bins;
    summary.sum = std::uint64_t{result.sum_high} << 32 | result.sum_low;
    summary.most = result.most;
    summary.least = result.most > 0 ? result.least : 0;
    return summary;
}

}  // namespace warpscope
