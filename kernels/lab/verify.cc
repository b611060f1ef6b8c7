// SPDX-License-Identifier: MIT
#include "kernels/lab/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace warpscope::lab {
namespace {

constexpr double kHalfUlp = 0x1p-24;  // relative error of one rounding to float

// The factor 8 leaves about twenty standard deviations: with terms of either sign the error of n
// float additions stays near 0.4 half ulps of |row| |column|, whatever n and the order. TF32 or
// half precision inputs err by more than a hundred at n = 4096, and fail.
constexpr double kDotFactor = 8;

std::string describe(std::string_view what, std::size_t index, double got, double want,
                     double tolerance) {
    char text[160];
    std::snprintf(text, sizeof text, "%.*s %zu is %.9g, expected %.9g within %.2g",
                  static_cast<int>(what.size()), what.data(), index, got, want, tolerance);
    return text;
}

void compare(LabVerification& result, std::size_t index, double got, double want,
             double tolerance) {
    ++result.checked;
    const double error = std::abs(got - want);
    // Written so that NaN, which compares false with everything, is wrong.
    const bool right = std::isfinite(got) && error <= tolerance;
    if (std::isfinite(got) && tolerance > 0) {
        result.worst = std::max(result.worst, error / tolerance);
    }
    if (right) return;
    if (result.wrong++ == 0) result.failure = describe("entry", index, got, want, tolerance);
}

void verify_vectors(LabVerification& result, Demo demo, const Arrays& data) {
    const double alpha = demo == Demo::kSaxpy ? static_cast<double>(data.alpha) : 1.0;
    for (std::size_t i = 0; i < data.n; ++i) {
        const double product = alpha * static_cast<double>(data.a[i]);
        const double want = product + static_cast<double>(data.b[i]);
        // Vector add rounds once; saxpy once when fused and twice when not.
        const double first = demo == Demo::kSaxpy ? std::abs(product) * (1 + kHalfUlp) : 0;
        const double tolerance = kHalfUlp * (std::abs(want) * (1 + kHalfUlp) + first);
        compare(result, i, static_cast<double>(data.out[i]), want, tolerance);
    }
}

// All indices of a small edge, else kVerifyEdge different random ones, the last always among them.
std::vector<std::size_t> chosen(std::size_t n, std::uint64_t seed, std::uint64_t stream) {
    if (n <= kVerifyAllEdge) {
        std::vector<std::size_t> all(n);
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }
    std::vector<std::size_t> some{n - 1};
    for (std::uint64_t i = 0; some.size() < kVerifyEdge; ++i) {
        const double unit = (static_cast<double>(random_value(seed, stream, i)) + 1) / 2;
        const auto index = std::min(static_cast<std::size_t>(unit * static_cast<double>(n)), n - 1);
        if (std::ranges::find(some, index) == some.end()) some.push_back(index);
    }
    return some;
}

struct Lines {
    std::vector<double> values;  // line after line, n each
    std::vector<double> norms;
};

Lines gather(const float* matrix, std::size_t n, const std::vector<std::size_t>& lines,
             std::size_t line_stride, std::size_t step) {
    Lines result;
    result.values.reserve(lines.size() * n);
    for (const std::size_t line : lines) {
        double squares = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const auto value = static_cast<double>(matrix[line * line_stride + k * step]);
            result.values.push_back(value);
            squares += value * value;
        }
        result.norms.push_back(std::sqrt(squares));
    }
    return result;
}

void verify_matrix(LabVerification& result, const Arrays& data, std::uint64_t seed) {
    const std::size_t n = data.n;
    const std::vector<std::size_t> rows = chosen(n, seed, 3), columns = chosen(n, seed, 4);
    const Lines a = gather(data.a, n, rows, n, 1), b = gather(data.b, n, columns, 1, n);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const double* const row = a.values.data() + i * n;
            const double* const column = b.values.data() + j * n;
            const double want = std::inner_product(row, row + n, column, 0.0);
            const std::size_t index = rows[i] * n + columns[j];
            compare(result, index, static_cast<double>(data.out[index]), want,
                    kDotFactor * kHalfUlp * a.norms[i] * b.norms[j]);
        }
    }
}

const char* tolerance_text(Demo demo) {
    switch (demo) {
        case Demo::kVectorAdd:
            return "half an ulp: one addition, rounded once";
        case Demo::kSaxpy:
            return "half an ulp of the product and of the sum: fused or not";
        case Demo::kMatmul:
            return "8 * 2^-24 * |row| |column|: n float roundings in any order; reduced precision "
                   "(TF32, half) fails";
    }
    return "";
}

}  // namespace

LabVerification verify(Demo demo, const Arrays& arrays, std::uint64_t seed) {
    LabVerification result;
    result.tolerance = tolerance_text(demo);
    const std::size_t count = elements(demo, arrays.n);
    std::size_t first = count;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(arrays.out[i])) continue;
        if (result.not_finite++ == 0) first = i;
    }
    if (demo == Demo::kMatmul) {
        verify_matrix(result, arrays, seed);
    } else {
        verify_vectors(result, demo, arrays);
    }
    if (result.not_finite != 0) {
        result.failure = std::to_string(result.not_finite) + " of " + std::to_string(count) +
                         " entries are NaN or infinite (never written, or wrong), first entry " +
                         std::to_string(first);
    }
    result.passed = result.wrong == 0 && result.not_finite == 0;
    return result;
}

}  // namespace warpscope::lab
