// SPDX-License-Identifier: MIT
// The bottom rungs of every ladder: what the problem is, in one plain loop. The build turns
// auto-vectorisation off for this file, so that "scalar" means one element at a time.
#include <algorithm>

#include "kernels/lab/cpu_kernels.h"

namespace warpscope::lab {
namespace {

// rung: vector_add/scalar
void vector_add(const float* a, const float* b, float* out, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = a[i] + b[i];
}
// end

// rung: saxpy/scalar
// The sum goes to a third array, so that an element that is never written shows.
void saxpy(float alpha, const float* x, const float* y, float* out, std::size_t begin,
           std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = alpha * x[i] + y[i];
}
// end

// rung: matmul/scalar
// a, b, out are (n, n), row-major: b is read down a column, a new cache line at every step.
void matmul(const float* a, const float* b, float* out, std::size_t n, std::size_t row,
            std::size_t first_column, std::size_t last_column) {
    for (std::size_t column = first_column; column < last_column; ++column) {
        float sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
        out[row * n + column] = sum;
    }
}
// end

constexpr std::size_t kColumns = 64;  // of one row per task: n steps each, short at any n

std::size_t strips(std::size_t n) noexcept { return (n + kColumns - 1) / kColumns; }

std::size_t matmul_tasks(std::size_t n) noexcept { return n * strips(n); }

void run_vector_add(const Arrays& data, std::size_t task) noexcept {
    const std::size_t begin = task * kVectorTask;
    vector_add(data.a, data.b, data.out, begin, std::min(begin + kVectorTask, data.n));
}

void run_saxpy(const Arrays& data, std::size_t task) noexcept {
    const std::size_t begin = task * kVectorTask;
    saxpy(data.alpha, data.a, data.b, data.out, begin, std::min(begin + kVectorTask, data.n));
}

void run_matmul(const Arrays& data, std::size_t task) noexcept {
    const std::size_t row = task / strips(data.n), first = task % strips(data.n) * kColumns;
    matmul(data.a, data.b, data.out, data.n, row, first, std::min(first + kColumns, data.n));
}

}  // namespace

std::size_t vector_tasks(std::size_t n) noexcept { return (n + kVectorTask - 1) / kVectorTask; }

CpuKernel scalar_kernel(Demo demo) noexcept {
    switch (demo) {
        case Demo::kVectorAdd:
            return {vector_tasks, run_vector_add, Schedule::kFixed};
        case Demo::kSaxpy:
            return {vector_tasks, run_saxpy, Schedule::kFixed};
        case Demo::kMatmul:
            return {matmul_tasks, run_matmul, Schedule::kDynamic};
    }
    return {};
}

}  // namespace warpscope::lab
