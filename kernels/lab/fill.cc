// SPDX-License-Identifier: MIT
#include "kernels/lab/fill.h"

#include <algorithm>

#include "kernels/lab/cpu_kernels.h"

namespace warpscope::lab {
namespace {

void for_each_task(Team& team, std::size_t size, const std::stop_token& stop,
                   const std::function<void(std::size_t begin, std::size_t end)>& visit) {
    TeamWork work;
    work.count = vector_tasks(size);
    work.task = [&](std::size_t task) {
        const std::size_t begin = task * kVectorTask;
        visit(begin, std::min(begin + kVectorTask, size));
    };
    team.run(work, stop);
}

}  // namespace

void fill_random(Team& team, std::span<float> values, std::uint64_t seed, std::uint64_t stream,
                 const std::stop_token& stop) {
    for_each_task(team, values.size(), stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) values[i] = random_value(seed, stream, i);
    });
}

void fill_constant(Team& team, std::span<float> values, float value, const std::stop_token& stop) {
    for_each_task(team, values.size(), stop, [&](std::size_t begin, std::size_t end) {
        std::fill(values.data() + begin, values.data() + end, value);
    });
}

}  // namespace warpscope::lab
