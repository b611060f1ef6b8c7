// SPDX-License-Identifier: MIT
// The SIMD rungs, compiled by Highway once per instruction set and chosen at run time.
// Matmul after Goto and van de Geijn (Anatomy of high-performance matrix multiplication, 2008):
// a strip of b is packed so that it stays in the first cache, and a small tile of the product stays
// in registers while k runs.

// A small array of vectors (the tile below) needs vectors of a size known to the compiler.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lab/cpu_simd.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/lab/cpu_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::lab::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;

// A result that will not be read soon bypasses the caches: an ordinary store would first read the
// line that it overwrites, a third more traffic. Below this size the caches may keep it.
constexpr std::size_t kStreamBytes = std::size_t{48} << 20;

enum class Stores { kCached, kStreaming };

template <Stores kStores>
HWY_INLINE void store(Vec value, float* to) {
    if constexpr (kStores == Stores::kStreaming) {
        hn::Stream(value, Tag{}, to);
    } else {
        hn::Store(value, Tag{}, to);
    }
}

// rung: vector_add/simd
template <Stores kStores>
void vector_add(const float* a, const float* b, float* out, std::size_t begin, std::size_t end) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) {
        store<kStores>(hn::Add(hn::Load(tag, a + i), hn::Load(tag, b + i)), out + i);
    }
    for (; i < end; ++i) out[i] = a[i] + b[i];
}
// end

// rung: saxpy/simd
template <Stores kStores>
void saxpy(float alpha, const float* x, const float* y, float* out, std::size_t begin,
           std::size_t end) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vec factor = hn::Set(tag, alpha);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) {
        store<kStores>(hn::MulAdd(factor, hn::Load(tag, x + i), hn::Load(tag, y + i)), out + i);
    }
    for (; i < end; ++i) out[i] = alpha * x[i] + y[i];
}
// end

template <Stores kStores>
void copy(const float* a, float* out, std::size_t begin, std::size_t end) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) store<kStores>(hn::Load(tag, a + i), out + i);
    for (; i < end; ++i) out[i] = a[i];
}

constexpr std::size_t kDepth = 256;   // steps of k whose strip of b fits the first cache
constexpr std::size_t kTileRows = 6;  // with two vectors a row: 12 sums in registers
constexpr std::size_t kMaxStrip = 2 * HWY_MAX_BYTES / sizeof(float);

struct Panel {
    std::size_t depth;                        // steps of k in it
    alignas(64) float b[kDepth * kMaxStrip];  // (depth, two vectors), zero beyond the last column
};

// rung: matmul/simd
// Adds a[kRows rows, depth] * panel to a tile of kRows rows by two vectors, all in registers.
template <std::size_t kRows>
void multiply_tile(const float* a, std::size_t stride, const Panel& panel, float* tile) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vec left[kRows], right[kRows];
    for (std::size_t row = 0; row < kRows; ++row) {
        left[row] = right[row] = hn::Zero(tag);
    }
    for (std::size_t k = 0; k < panel.depth; ++k) {
        const Vec b_left = hn::Load(tag, panel.b + k * 2 * lanes);
        const Vec b_right = hn::Load(tag, panel.b + k * 2 * lanes + lanes);
        for (std::size_t row = 0; row < kRows; ++row) {
            const Vec value = hn::Set(tag, a[row * stride + k]);
            left[row] = hn::MulAdd(value, b_left, left[row]);
            right[row] = hn::MulAdd(value, b_right, right[row]);
        }
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        hn::Store(left[row], tag, tile + row * 2 * lanes);
        hn::Store(right[row], tag, tile + row * 2 * lanes + lanes);
    }
}
// end

using MultiplyTile = void (*)(const float*, std::size_t, const Panel&, float*);
constexpr MultiplyTile kMultiplyTile[kTileRows]{multiply_tile<1>, multiply_tile<2>,
                                                multiply_tile<3>, multiply_tile<4>,
                                                multiply_tile<5>, multiply_tile<6>};

struct Block {
    std::size_t row, last_row, column, last_column;
};

void pack(const Arrays& data, std::size_t k, std::size_t column, std::size_t width, Panel& panel) {
    const std::size_t strip = 2 * hn::Lanes(Tag{});
    for (std::size_t step = 0; step < panel.depth; ++step) {
        const float* const from = data.b + (k + step) * data.n + column;
        float* const to = panel.b + step * strip;
        std::copy_n(from, width, to);
        std::fill(to + width, to + strip, 0.0F);
    }
}

void multiply_strip(const Arrays& data, const Block& block, std::size_t k, std::size_t width,
                    const Panel& panel) {
    const std::size_t strip = 2 * hn::Lanes(Tag{});
    alignas(64) float tile[kTileRows * kMaxStrip];
    for (std::size_t row = block.row; row < block.last_row; row += kTileRows) {
        const std::size_t rows = std::min(kTileRows, block.last_row - row);
        kMultiplyTile[rows - 1](data.a + row * data.n + k, data.n, panel, tile);
        for (std::size_t r = 0; r < rows; ++r) {
            float* const out = data.out + (row + r) * data.n + block.column;
            const float* const sums = tile + r * strip;
            for (std::size_t c = 0; c < width; ++c) out[c] = k == 0 ? sums[c] : out[c] + sums[c];
        }
    }
}

void matmul(const Arrays& data, const Block& block) {
    const std::size_t strip = 2 * hn::Lanes(Tag{});
    Panel panel;
    for (std::size_t column = block.column; column < block.last_column; column += strip) {
        const std::size_t width = std::min(strip, block.last_column - column);
        for (std::size_t k = 0; k < data.n; k += kDepth) {
            panel.depth = std::min(kDepth, data.n - k);
            pack(data, k, column, width, panel);
            multiply_strip(data, {block.row, block.last_row, column, block.last_column}, k, width,
                           panel);
        }
    }
}

template <typename Cached, typename Streaming>
HWY_INLINE void by_size(std::size_t bytes, Cached cached, Streaming streaming) {
    if (bytes < kStreamBytes) return cached();
    streaming();
    hwy::FlushStream();
}

void run_vector_add(const Arrays& data, std::size_t begin, std::size_t end) {
    by_size(
        3 * sizeof(float) * data.n,
        [&] { vector_add<Stores::kCached>(data.a, data.b, data.out, begin, end); },
        [&] { vector_add<Stores::kStreaming>(data.a, data.b, data.out, begin, end); });
}

void run_saxpy(const Arrays& data, std::size_t begin, std::size_t end) {
    by_size(
        3 * sizeof(float) * data.n,
        [&] { saxpy<Stores::kCached>(data.alpha, data.a, data.b, data.out, begin, end); },
        [&] { saxpy<Stores::kStreaming>(data.alpha, data.a, data.b, data.out, begin, end); });
}

void run_copy(const Arrays& data, std::size_t begin, std::size_t end) {
    by_size(
        2 * sizeof(float) * data.n, [&] { copy<Stores::kCached>(data.a, data.out, begin, end); },
        [&] { copy<Stores::kStreaming>(data.a, data.out, begin, end); });
}

void run_matmul(const Arrays& data, std::size_t row, std::size_t column) {
    matmul(data, {row, std::min(row + kTaskRows, data.n), column,
                  std::min(column + kTaskColumns, data.n)});
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace warpscope::lab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope::lab {
namespace {

HWY_EXPORT(run_vector_add);
HWY_EXPORT(run_saxpy);
HWY_EXPORT(run_copy);
HWY_EXPORT(run_matmul);
HWY_EXPORT(target_name);

std::size_t blocks(std::size_t n, std::size_t edge) noexcept { return (n + edge - 1) / edge; }

std::size_t matmul_tasks(std::size_t n) noexcept {
    return blocks(n, kTaskRows) * blocks(n, kTaskColumns);
}

void vector_add_task(const Arrays& data, std::size_t task) noexcept {
    const std::size_t begin = task * kVectorTask;
    HWY_DYNAMIC_DISPATCH(run_vector_add)(data, begin, std::min(begin + kVectorTask, data.n));
}

void saxpy_task(const Arrays& data, std::size_t task) noexcept {
    const std::size_t begin = task * kVectorTask;
    HWY_DYNAMIC_DISPATCH(run_saxpy)(data, begin, std::min(begin + kVectorTask, data.n));
}

void copy_task(const Arrays& data, std::size_t task) noexcept {
    const std::size_t begin = task * kVectorTask;
    HWY_DYNAMIC_DISPATCH(run_copy)(data, begin, std::min(begin + kVectorTask, data.n));
}

void matmul_task(const Arrays& data, std::size_t task) noexcept {
    const std::size_t across = blocks(data.n, kTaskColumns);
    HWY_DYNAMIC_DISPATCH(run_matmul)
    (data, task / across * kTaskRows, task % across * kTaskColumns);
}

}  // namespace

CpuKernel simd_kernel(Demo demo) noexcept {
    switch (demo) {
        case Demo::kVectorAdd:
            return {vector_tasks, vector_add_task, Schedule::kFixed};
        case Demo::kSaxpy:
            return {vector_tasks, saxpy_task, Schedule::kFixed};
        case Demo::kMatmul:
            return {matmul_tasks, matmul_task, Schedule::kDynamic};
    }
    return {};
}

CpuKernel copy_kernel() noexcept { return {vector_tasks, copy_task, Schedule::kFixed}; }

std::string simd_name() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace warpscope::lab
#endif  // HWY_ONCE
