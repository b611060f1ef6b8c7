// SPDX-License-Identifier: MIT
// Autotune: time over block shapes, or over threads and tiles, and why the fastest is.
#include <algorithm>

#include "app/format.h"
#include "app/panels/heat_map.h"
#include "app/panels/parallelism.h"
#include "app/panels/widgets.h"

namespace warpscope {
namespace {

std::string occupancy_text(const ShapeFacts& facts) {
    return format_percent(facts.occupancy->occupancy);
}

std::string hover_text(const ShapeFacts& facts) {
    std::string text = shape_name(facts) + "\n" + format_ms(facts.kernel.median) + " ± " +
                       format_ms(facts.kernel.iqr()) + ", N " + std::to_string(facts.kernel.count) +
                       "\nlane efficiency " + format_percent(facts.lane_efficiency);
    if (facts.occupancy) text += "\ntheoretical occupancy " + occupancy_text(facts);
    if (facts.waves) {
        text += "\n" + format_number(facts.waves->waves) + (facts.occupancy ? " waves" : " rounds");
    }
    return text + "\nclick to use";
}

/// Writes the occupancy of each band of equal threads into the cell in its middle, where the band
/// below has another.
void label_bands(HeatMap& chart, const Landscape& landscape) {
    const std::size_t columns = landscape.map.columns.size(), rows = landscape.map.rows.size();
    std::string before;
    for (std::size_t band = 0; band + 1 < columns + rows; ++band) {
        const std::size_t column = std::min(band / 2, columns - 1), row = band - column;
        if (row >= rows || landscape.map.at(column, row) < 0) continue;
        HeatCell& cell = chart.cells[row * columns + column];
        if (cell.level != before) cell.text = cell.level;
        before = cell.level;
    }
}

HeatMap heat_map(const PanelContext& context, const Landscape& landscape) {
    const TimeMap& map = landscape.map;
    HeatMap chart;
    chart.id = "##landscape";
    chart.x_label = landscape.gpu ? "threads along x" : "worker threads";
    chart.y_label = landscape.gpu ? "threads along y" : "tile edge, pixels";
    for (const int value : map.columns) chart.columns.push_back(std::to_string(value));
    for (const int value : map.rows) chart.rows.push_back(std::to_string(value));
    for (const int index : map.cells) {
        HeatCell& cell = chart.cells.emplace_back();
        if (index < 0) continue;
        const ShapeFacts& facts = landscape.points[static_cast<std::size_t>(index)];
        cell.value = static_cast<float>(facts.kernel.median);
        if (!facts.occupancy) continue;
        cell.level = format_number(100 * facts.occupancy->occupancy);
    }
    if (landscape.gpu) {
        chart.level_name = "occupancy, %";
        label_bands(chart, landscape);
    }
    chart.low = format_ms(landscape.points[map.best].kernel.median);
    chart.high = format_ms(landscape.points[map.slowest].kernel.median);
    const auto place = [&](const Tuning& tuning) {
        const int x = landscape.gpu            ? tuning.block.x
                      : tuning.cpu_threads > 0 ? tuning.cpu_threads
                                               : cpu_thread_count();
        const int y = landscape.gpu ? tuning.block.y : tuning.cpu_tile;
        return ImVec2{static_cast<float>(place_among(map.columns, x)),
                      static_cast<float>(place_among(map.rows, y))};
    };
    chart.best = place(landscape.points[map.best].tuning);
    if (on_gpu(context) == landscape.gpu) chart.current = place(context.state.tuning);
    chart.hover = [&landscape](std::size_t cell) {
        return hover_text(landscape.points[static_cast<std::size_t>(landscape.map.cells[cell])]);
    };
    return chart;
}

/// The fastest point with the highest occupancy of all; null where that is the best anyway.
const ShapeFacts* fullest_but_slower(const Landscape& landscape) {
    const ShapeFacts* fullest = nullptr;
    for (const ShapeFacts& facts : landscape.points) {
        const bool fuller =
            fullest == nullptr || facts.occupancy->occupancy > fullest->occupancy->occupancy;
        const bool as_full = !fuller && facts.occupancy->occupancy == fullest->occupancy->occupancy;
        if (fuller || (as_full && facts.kernel.median < fullest->kernel.median)) fullest = &facts;
    }
    const ShapeFacts& best = landscape.points[landscape.map.best];
    return fullest->occupancy->occupancy > best.occupancy->occupancy ? fullest : nullptr;
}

/// The point that was measured with the blocks, or threads and tiles, that are set now.
const ShapeFacts* present(const PanelContext& context, const Landscape& landscape) {
    if (on_gpu(context) != landscape.gpu) return nullptr;
    Tuning now = context.state.tuning;
    if (now.cpu_threads == 0) now.cpu_threads = cpu_thread_count();
    for (const ShapeFacts& facts : landscape.points) {
        if (facts.tuning == now) return &facts;
    }
    return nullptr;
}

void explanation(PanelContext& context, const Landscape& landscape) {
    const ShapeFacts& best = landscape.points[landscape.map.best];
    const ShapeFacts& slowest = landscape.points[landscape.map.slowest];
    note(context, "Fastest: " + shape_name(best) + ", " + format_ms(best.kernel.median) + ". " +
                      why_faster(best, slowest));
    const ShapeFacts* now = present(context, landscape);
    if (now != nullptr && now != &best && now != &slowest) note(context, why_faster(best, *now));
    if (!landscape.gpu) return;
    const ShapeFacts* fullest = fullest_but_slower(landscape);
    if (fullest == nullptr || fullest == now || fullest == &slowest) return;
    note(context, "Most warps are resident elsewhere. " + why_faster(best, *fullest));
}

/// Takes the shape of a point, and nothing else that was set when it was measured.
void use(PanelContext& context, const Landscape& landscape, std::size_t point) {
    const Tuning& measured = landscape.points[point].tuning;
    Tuning tuning = context.state.tuning;
    if (landscape.gpu) {
        tuning.block = measured.block;
    } else {
        tuning.cpu_threads = measured.cpu_threads;
        tuning.cpu_tile = measured.cpu_tile;
    }
    context.commands.emplace_back(SetTuning{tuning});
}

std::optional<KernelOnGpu> running_kernel(const PanelContext& context) {
    const std::optional<OccupancySubject> subject = running_subject(context);
    if (!on_gpu(context) || !subject) return std::nullopt;
    return KernelOnGpu{subject->arch, subject->needs, std::max(subject->sm_count, 1)};
}

}  // namespace

void landscape_part(PanelContext& context) {
    Workshop& shop = context.workshop;
    if (shop.autotune.running()) {
        if (progress_with_stop(context, shop.autotune.progress())) {
            context.requests.emplace_back(StopWork{});
        }
        return;
    }
    if (button(context, "Autotune on this view", shop.busy() ? "another measurement runs" : "",
               "Times the kernel over many shapes on the view that is shown and maps them. The "
               "fractal rests meanwhile.")) {
        context.requests.emplace_back(StartAutotune{running_kernel(context)});
    }
    if (!shop.autotune.failure().empty()) note(context, shop.autotune.failure());
    const std::optional<Landscape>& result = shop.autotune.result();
    if (!result || result->points.empty()) return;
    const float height = result->gpu ? 320.0f : 210.0f;
    const std::optional<std::size_t> clicked = draw_heat_map(
        heat_map(context, *result), {ImGui::GetContentRegionAvail().x, context.px(height)});
    if (clicked) {
        use(context, *result, static_cast<std::size_t>(result->map.cells[*clicked]));
    }
    explanation(context, *result);
    if (button(context, "Use the fastest", "", "Sets the sliders to the fastest shape measured.")) {
        use(context, *result, result->map.best);
    }
}

}  // namespace warpscope
