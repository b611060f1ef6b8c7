// SPDX-License-Identifier: MIT
// What recording costs, and whether it tells the truth: every frame is computed unrecorded,
// recorded by spans and recorded by pixels, in turns of one run.
//   recording_cost [BACKEND] [COMMIT] > FILE.json
#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/json.h"
#include "kernels/engine/bench.h"
#include "kernels/engine/device_info.h"
#include "kernels/engine/frame_run.h"
#include "kernels/engine/trace.h"

namespace warpscope {
namespace {

constexpr int kTurns = 31;
constexpr std::array kRecordings{Recording::kOff, Recording::kSpans, Recording::kPixels};
constexpr BlockShape kBlocks[] = {{8, 16}, {128, 1}, {32, 32}, {7, 3}};

double median(std::vector<double> values) { return summarize(std::move(values)).median; }

class Meter {
  public:
    explicit Meter(const std::string& backend) : backend_{make_backend(backend)} {}

    /// One row; the figures are medians over the turns.
    nlohmann::json row(const FrameJob& job, const Tuning& tuning) {
        const HostSamples samples = backend_->allocate_host(pixel_count(job));
        std::array<std::vector<double>, kRecordings.size()> ms;
        std::vector<double> span_to_kernel, occupancy;
        std::size_t spans = 0, grids = 0;
        for (int turn = -1; turn < kTurns; ++turn) {  // the first warms up
            for (std::size_t i = 0; i < kRecordings.size(); ++i) {
                backend_->record(kRecordings[i]);
                run_frame(*backend_, job, tuning, samples.get(), {});
                if (turn < 0) continue;
                ms[i].push_back(backend_->stats().kernel_ms);
                std::optional<Trace> trace = backend_->take_trace();
                if (!trace || kRecordings[i] != Recording::kSpans) continue;
                arrange(*trace);
                span_to_kernel.push_back(span_us(*trace) * 1e-3 / trace->kernel_ms);
                occupancy.push_back(achieved_occupancy(*trace).value_or(0));
                spans = trace->spans.size();
                grids = trace->grids.size();
            }
        }
        return {{"plain_ms", median(ms[0])},
                {"spans_ms", median(ms[1])},
                {"pixels_ms", median(ms[2])},
                {"spans_to_plain", paired(ms[1], ms[0])},
                {"pixels_to_plain", paired(ms[2], ms[0])},
                {"span_to_kernel", median(span_to_kernel)},
                {"achieved_occupancy", median(occupancy)},
                {"launches", grids},
                {"spans", spans}};
    }

    const BackendInfo& info() const { return backend_->info(); }

  private:
    /// Median of the turns' ratios.
    static double paired(const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
        return median(ratios);
    }

    std::unique_ptr<Backend> backend_;
};

nlohmann::json measure(const std::string& backend, const std::string& commit) {
    Meter meter{backend};
    nlohmann::json rows = nlohmann::json::array();
    for (const BenchView& view : bench_views()) {
        for (const char* rung : {"blocks", "refill"}) {
            for (const BlockShape block : kBlocks) {
                Tuning tuning;
                tuning.method = find_method(rung)->method;
                tuning.block = block;
                nlohmann::json row =
                    meter.row(bench_job(BenchPlan{}, view, Precision::kFloat), tuning);
                row["view"] = view.key;
                row["kernel"] = rung;
                row["block"] = {block.x, block.y};
                rows.push_back(std::move(row));
                if (meter.info().cuda_device < 0) break;  // tiles have one shape
            }
        }
    }
    return {{"commit", commit},
            {"backend", meter.info().name},
            {"device", meter.info().device},
            {"cuda", to_json(cuda_status())},
            {"turns", kTurns},
            {"rows", rows}};
}

}  // namespace
}  // namespace warpscope

int main(int count, char** arguments) {
    try {
        std::cout << warpscope::measure(count > 1 ? arguments[1] : "auto",
                                        count > 2 ? arguments[2] : "")
                         .dump(1)
                  << '\n';
    } catch (const std::exception& error) {
        std::cerr << "failed: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
