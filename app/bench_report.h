// SPDX-License-Identifier: MIT
// What `warpscope bench` prints and writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kernels/engine/bench.h"
#include "kernels/engine/device_info.h"

namespace warpscope {

/// How figures are come by, in sentences: for --help, the table's foot and the JSON.
std::string bench_method(const BenchPlan& plan);

/// "refill", or "blocks 128x1" where the block is not the plan's first.
std::string row_name(const BenchPlan& plan, const BenchRow& row);

/// Everything that was found, with the machine and the `commit` that it is said to be of.
nlohmann::json to_json(const BenchResult& result, const CudaStatus& cuda,
                       const std::string& commit);

/// One table for each view and type, and what the figures mean, to standard output.
void print_bench(const BenchResult& result);

}  // namespace warpscope
