// SPDX-License-Identifier: MIT
#include "render/placement.h"

#include <algorithm>
#include <cmath>

namespace warpscope {

std::optional<std::array<GLint, 2>> whole_offset(const Placement& placement) {
    constexpr double kNear = 1.0 / 32;
    const Reprojection& map = placement.reprojection;
    const bool same_size =
        placement.grid_width == placement.width && placement.grid_height == placement.height;
    if (!same_size || std::abs(map.scale_x - 1) * placement.width > kNear ||
        std::abs(map.scale_y - 1) * placement.height > kNear) {
        return std::nullopt;
    }
    const double x = map.shift_x * placement.width, y = map.shift_y * placement.height;
    const double whole_x = std::round(x), whole_y = std::round(y);
    constexpr double kFar = 1e6;  // then nothing of the grid is to be seen
    if (std::abs(x - whole_x) > kNear || std::abs(y - whole_y) > kNear || std::abs(x) > kFar ||
        std::abs(y) > kFar) {
        return std::nullopt;
    }
    return std::array{static_cast<GLint>(whole_x), static_cast<GLint>(whole_y)};
}

PlaceUniforms place_uniforms(const Placement& placement) {
    const Reprojection& map = placement.reprojection;
    const double width = placement.grid_width, height = placement.grid_height;
    PlaceUniforms uniforms{
        .grid_from_window = {static_cast<float>(map.scale_x * width / placement.width),
                             static_cast<float>(map.scale_y * height / placement.height),
                             static_cast<float>(map.shift_x * width),
                             static_cast<float>(map.shift_y * height)},
        .grid_size = {placement.grid_width, placement.grid_height},
        .window_size = {placement.width, placement.height},
        .drawn_size = {placement.columns.value_or(placement.width), placement.height}};
    if (const auto offset = whole_offset(placement)) std::ranges::copy(*offset, uniforms.offset);
    const auto add = [&uniforms](const Region& region) {
        const GLint corners[] = {region.x0, region.y0, region.x1, region.y1};
        std::ranges::copy(corners, uniforms.corners[uniforms.region_count]);
        uniforms.steps[uniforms.region_count][0] = region.step;
        ++uniforms.region_count;
    };
    if (placement.coverage == nullptr) {
        add({0, 0, placement.grid_width, placement.grid_height, 1});
        return uniforms;
    }
    uniforms.origin[0] = placement.coverage->origin_x();
    uniforms.origin[1] = placement.coverage->origin_y();
    for (const Region& region : placement.coverage->regions()) add(region);
    return uniforms;
}

}  // namespace warpscope
