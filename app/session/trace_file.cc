// SPDX-License-Identifier: MIT
#include "app/session/trace_file.h"

#include <cstdint>

#include "app/session/atomic_file.h"
#include "app/session/job_json.h"
#include "app/session/json_fields.h"

namespace warpscope {

using nlohmann::json;

namespace {

constexpr const char* kFormat = "warpscope-trace";
constexpr int kVersion = 1;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

json optional_json(const std::optional<int>& value) { return value ? json(*value) : json(nullptr); }

json part_json(const std::optional<Part>& part) {
    if (!part) return nullptr;
    return {part->x0, part->y0, part->x1, part->y1, part->step_x, part->step_y};
}

/// One field of every span.
template <class T>
json column(const Trace& trace, T Span::*field) {
    json values = json::array();
    for (const Span& span : trace.spans) values.push_back(span.*field);
    return values;
}

json spans_json(const Trace& trace) {
    return {{"grid", column(trace, &Span::grid)},
            {"x", column(trace, &Span::x)},
            {"y", column(trace, &Span::y)},
            {"unit", column(trace, &Span::unit)},
            {"slot", column(trace, &Span::slot)},
            {"start_us", column(trace, &Span::start_us)},
            {"end_us", column(trace, &Span::end_us)},
            {"executed", column(trace, &Span::executed)},
            {"lane_steps", column(trace, &Span::lane_steps)},
            {"placed_us", column(trace, &Span::placed_us)},
            {"warp_us", column(trace, &Span::warp_us)},
            {"first_warp", column(trace, &Span::first_warp)}};
}

/// Fills `field` of all spans from the list `key`; what a number may be is trace_problem()'s to
/// say.
template <class T>
void take_column(const JsonFields& fields, const char* key, T Span::*field, Trace& trace) {
    const json& values = fields.list(key, trace.spans.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string where = fields.path(key) + "[" + std::to_string(i) + "]";
        if constexpr (std::is_integral_v<T>) {
            trace.spans[i].*field =
                json_whole<T>(values[i], where, 0, std::numeric_limits<T>::max());
        } else {
            trace.spans[i].*field = json_number(values[i], where);
        }
    }
}

void take_spans(const JsonFields& fields, Trace& trace) {
    trace.spans.resize(fields.list("unit").size());
    take_column(fields, "grid", &Span::grid, trace);
    take_column(fields, "x", &Span::x, trace);
    take_column(fields, "y", &Span::y, trace);
    take_column(fields, "unit", &Span::unit, trace);
    take_column(fields, "slot", &Span::slot, trace);
    take_column(fields, "start_us", &Span::start_us, trace);
    take_column(fields, "end_us", &Span::end_us, trace);
    take_column(fields, "executed", &Span::executed, trace);
    take_column(fields, "lane_steps", &Span::lane_steps, trace);
    take_column(fields, "placed_us", &Span::placed_us, trace);
    take_column(fields, "warp_us", &Span::warp_us, trace);
    take_column(fields, "first_warp", &Span::first_warp, trace);
}

TraceGrid grid_from(const JsonFields& fields) {
    TraceGrid grid{fields.whole("x", 1), fields.whole("y", 1), std::nullopt,
                   fields.whole("warps", 1)};
    if (fields.at("part").is_null()) return grid;
    const json& list = fields.list("part", 6);
    const auto number = [&](std::size_t i) {
        return json_whole(list[i], fields.path("part"), 0, 1 << 20);
    };
    grid.part = Part{number(0), number(1), number(2), number(3), number(4), number(5)};
    return grid;
}

TraceUnit unit_from(const JsonFields& fields) {
    const std::string word = fields.text("unit");
    for (const TraceUnit unit : {TraceUnit::kThread, TraceUnit::kMultiprocessor}) {
        if (unit_word(unit) == word) return unit;
    }
    throw JsonError{fields.path("unit") + " must be thread or SM"};
}

void check_format(const JsonFields& fields) {
    if (fields.text("format") != kFormat) {
        throw JsonError{"format must be \"" + std::string{kFormat} + "\""};
    }
    const int version = fields.whole("version", 0);
    if (version != kVersion) {
        throw JsonError{"version is " + std::to_string(version) + "; this program reads " +
                        std::to_string(kVersion)};
    }
}

Trace trace_from(const JsonFields& fields) {
    check_format(fields);
    Trace trace;
    trace.backend = fields.text("backend");
    trace.device = fields.text("device");
    trace.detail = fields.text("detail");
    trace.kernel = fields.text("kernel");
    trace.job = job_from(fields.object("job"));
    const json& shape = fields.list("shape", 2);
    trace.shape = {json_whole(shape[0], "shape", 1, 1024), json_whole(shape[1], "shape", 1, 1024)};
    trace.unit = unit_from(fields);
    trace.units = fields.whole("units", 1);
    trace.slots = fields.whole_or_null("slots", 1, kMaxBlockThreads);
    trace.unit_warps = fields.whole_or_null("unit_warps", 1, kMaxBlockThreads);
    trace.kernel_ms = fields.number("kernel_ms");
    const json& grids = fields.list("grids");
    for (std::size_t i = 0; i < grids.size(); ++i) {
        trace.grids.push_back(grid_from(JsonFields{grids[i], "grids[" + std::to_string(i) + "]"}));
    }
    take_spans(fields.object("spans"), trace);
    const std::string problem = trace_problem(trace);
    if (!problem.empty()) throw JsonError{problem};
    return trace;
}

/// Objects down to `levels` with a line a key, all else within a line.
void write_lines(std::string& out, const json& value, int levels) {
    if (levels == 0 || !value.is_object()) {
        // Device names come from drivers: what is not UTF-8 becomes the replacement character.
        out += value.dump(-1, ' ', false, json::error_handler_t::replace);
        return;
    }
    const char* before = "{\n";
    for (const auto& [key, item] : value.items()) {
        out += before + json(key).dump() + ": ";
        write_lines(out, item, levels - 1);
        before = ",\n";
    }
    out += "\n}";
}

}  // namespace

json to_json(const Trace& trace) {
    json grids = json::array();
    for (const TraceGrid& grid : trace.grids) {
        grids.push_back(
            {{"x", grid.x}, {"y", grid.y}, {"part", part_json(grid.part)}, {"warps", grid.warps}});
    }
    return {{"format", kFormat},
            {"version", kVersion},
            {"backend", trace.backend},
            {"device", trace.device},
            {"detail", trace.detail},
            {"kernel", trace.kernel},
            {"job", to_json(trace.job)},
            {"shape", {trace.shape.x, trace.shape.y}},
            {"unit", unit_word(trace.unit)},
            {"units", trace.units},
            {"slots", optional_json(trace.slots)},
            {"unit_warps", optional_json(trace.unit_warps)},
            {"kernel_ms", trace.kernel_ms},
            {"grids", grids},
            {"spans", spans_json(trace)}};
}

Trace parse_trace(std::string_view text) {
    try {
        return trace_from(JsonFields{json::parse(text)});
    } catch (const JsonError& error) {
        throw TraceError{error.what()};
    } catch (const json::parse_error& error) {
        throw TraceError{"is no JSON from byte " + std::to_string(error.byte) + " on"};
    } catch (const json::exception& error) {  // numbers beyond double
        throw TraceError{error.what()};
    }
}

void save_trace(const std::filesystem::path& path, const Trace& trace) {
    std::string text;
    write_lines(text, to_json(trace), 2);
    write_file(path, text + "\n");
}

Trace load_trace(const std::filesystem::path& path) {
    const std::string text = read_file(path, kMaxBytes);
    try {
        return parse_trace(text);
    } catch (const TraceError& error) {
        throw TraceError{path.string() + ": " + error.what()};
    }
}

}  // namespace warpscope
