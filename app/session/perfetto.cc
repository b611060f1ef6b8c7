// SPDX-License-Identifier: MIT
// perfetto_text() of trace_file.h.
#include <algorithm>
#include <set>

#include "app/session/trace_file.h"

namespace warpscope {

using nlohmann::json;

namespace {

/// Collects the events of one trace, an event a line.
class Events {
  public:
    Events(const Trace& trace, int pid, std::string& out) : trace_{trace}, pid_{pid}, out_{out} {
        for (const Span& span : trace.spans) {
            places_ = std::max(places_, span.slot + 1);
            rows_.insert({span.unit, span.slot});
        }
        for (int unit = 0; unit < trace.units; ++unit) rows_.insert({unit, 0});  // idle ones too
    }

    void write() {
        add_names();
        for (const Span& span : trace_.spans) add_span(span);
        const bool threads = trace_.unit == TraceUnit::kThread;
        for (const ConcurrencyStep& step : concurrency(trace_)) {
            add({{"ph", "C"},
                 {"name", threads ? "busy threads" : "resident warps"},
                 {"ts", step.us},
                 {"args", {{threads ? "threads" : "warps", step.warps}}}});
        }
    }

  private:
    void add_names() {
        add_metadata("process_name", {{"name", trace_.backend + ": " + trace_.device}});
        add_metadata("process_labels",
                     {{"labels", trace_.kernel + ", " + std::to_string(trace_.job.width) + "x" +
                                     std::to_string(trace_.job.height) + ", limit " +
                                     std::to_string(trace_.job.limit) + ", " +
                                     std::string{precision_name(trace_.job.precision)}}});
        for (const auto& [unit, slot] : rows_) {
            std::string name = std::string{unit_word(trace_.unit)} + " " + std::to_string(unit);
            if (places_ > 1) name += ", slot " + std::to_string(slot);
            const int tid = thread_of(unit, slot);
            add_metadata("thread_name", {{"name", name}}, tid);
            add_metadata("thread_sort_index", {{"sort_index", tid}}, tid);
        }
    }

    void add_metadata(const char* what, json args, int tid = 0) {
        json event{{"ph", "M"}, {"name", what}, {"args", std::move(args)}};
        if (tid > 0) event["tid"] = tid;
        add(std::move(event));
    }

    void add_span(const Span& span) {
        json args{{"grid", span.grid},
                  {"iterations executed", span.executed},
                  {"lane steps", span.lane_steps}};
        if (const std::optional<Part> part = region(trace_, span)) {
            args["pixels"] = {part->x0, part->y0, part->x1, part->y1};
        }
        add({{"ph", "X"},
             {"name", std::string{span_word(trace_.unit)} + " (" + std::to_string(span.x) + ", " +
                          std::to_string(span.y) + ")"},
             {"cat", span_word(trace_.unit)},
             {"ts", span.start_us},
             {"dur", span.duration_us()},
             {"tid", thread_of(span.unit, span.slot)},
             {"args", std::move(args)}});
    }

    /// From 1: viewers take thread 0 for the idle thread.
    int thread_of(int unit, int slot) const { return unit * places_ + slot + 1; }

    void add(json event) {
        event["pid"] = pid_;
        if (!out_.empty()) out_ += ",\n";
        out_ += event.dump(-1, ' ', false, json::error_handler_t::replace);
    }

    const Trace& trace_;
    int pid_;
    std::string& out_;
    int places_ = 1;                      ///< per unit
    std::set<std::pair<int, int>> rows_;  ///< unit and slot
};

}  // namespace

std::string perfetto_text(std::span<const Trace> traces) {
    std::string events;
    int pid = 0;
    for (const Trace& trace : traces) Events{trace, ++pid, events}.write();
    return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + events + "\n]}\n";
}

}  // namespace warpscope
