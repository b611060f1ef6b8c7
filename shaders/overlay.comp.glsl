#version 450 core
// SPDX-License-Identifier: MIT
// Paints values over the picture, each window pixel with the value of the grid pixel under its
// middle: nothing is filtered, for between two blocks there is none.
//
// Compiled once for each SOURCE:  0: counts of the samples;  1: cells, one value a block;
// 2: levels, one value a pixel;  3: where the counts of two frames differ
layout(local_size_x = 32, local_size_y = 8) in;

#include "shaders/place.glsl"

// Member for member struct Uniforms in render/overlay.cc.
layout(std140, binding = 0) uniform Overlay {
    float low;       // values of the first and the last colour; their logarithms to base 2 in a
    float high;      // logarithmic scale
    float opacity;
    int scale;       // 0: linear; 1: logarithmic; 2: categories
    ivec2 shape;     // of a block
    int grid_count;
    float clock_us;  // cells are shown as they were then; negative: all
    int reach;       // grid pixels around a difference that are marked with it
};

// As struct OverlayColors.
layout(std430, binding = 1) readonly restrict buffer Colors {
    uint scale_colors[256];
    uint categories[256];
    uint interior;
    uint missing;
    uint running;
    uint differing;
};

layout(binding = 0, rgba8) uniform restrict image2D picture;

vec3 unpacked(uint color) {
    return unpackUnorm4x8(color).rgb;
}

vec3 color_of(float value) {
    if (scale == 2) {
        return unpacked(categories[uint(value) & 255u]);
    }
    float at = ((scale == 1 ? log2(value) : value) - low) / (high - low);
    return unpacked(scale_colors[uint(clamp(at, 0.0, 1.0) * 255.0 + 0.5)]);
}

// A colour and, in a, how much of it.
vec4 covering(vec3 color) {
    return vec4(color, opacity);
}

#if SOURCE == 0
layout(std430, binding = 0) readonly restrict buffer Samples {
    uvec2 samples[];  // count, fraction
};

vec4 paint_at(ivec2 p) {
    ivec3 found = sample_for(p);
    if (found.z == 0) {
        return vec4(0.0);
    }
    uint count = samples[uint(found.y) * uint(grid_size.x) + uint(found.x)].x;
    return covering(count == 0u ? unpacked(interior) : color_of(float(count)));
}
#endif

#if SOURCE == 1
struct Cell {
    float value;
    uint flags;  // 1: there is a value; 2: shaded
    float start_us;
    float end_us;
};
layout(std430, binding = 0) readonly restrict buffer Cells {
    Cell cells[];
};

struct Grid {
    ivec4 corners;  // x0, y0, x1, y1 in pixels
    ivec2 steps;
    ivec2 blocks;
    uint first;     // of its cells
};
layout(std430, binding = 2) readonly restrict buffer Grids {
    Grid grids[];
};

const int nowhere = -1;

// As cell_at() in render/cells.cc.
int cell_at(ivec2 p) {
    int found = nowhere;
    for (int i = 0; i < grid_count; ++i) {
        Grid grid = grids[i];
        ivec2 from = p - grid.corners.xy;
        if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(p, grid.corners.zw))) {
            continue;
        }
        ivec2 block = from / grid.steps / shape;
        if (any(greaterThanEqual(block, grid.blocks))) {
            continue;
        }
        found = int(grid.first) + block.y * grid.blocks.x + block.x;
        if (all(equal(from % grid.steps, ivec2(0)))) {
            break;
        }
    }
    return found;
}

vec4 paint_at(ivec2 p) {
    int index = cell_at(p);
    if (index == nowhere) {
        return covering(unpacked(missing));
    }
    Cell cell = cells[index];
    if ((cell.flags & 1u) == 0u || (clock_us >= 0.0 && clock_us < cell.start_us)) {
        return covering(unpacked(missing));
    }
    vec3 color = color_of(cell.value) * ((cell.flags & 2u) != 0u ? 0.75 : 1.0);
    if (clock_us >= 0.0 && clock_us < cell.end_us) {
        return vec4(mix(color, unpacked(running), 0.6), 1.0);
    }
    return covering(color);
}
#endif

#if SOURCE == 2
layout(std430, binding = 0) readonly restrict buffer Levels {
    uint levels[];  // four a word: 0 for no value, 1 + 254 * value
};

vec4 paint_at(ivec2 p) {
    uint index = uint(p.y) * uint(grid_size.x) + uint(p.x);
    uint level = levels[index >> 2] >> (8u * (index & 3u)) & 255u;
    return covering(level == 0u ? unpacked(missing) : color_of(float(level - 1u) / 254.0));
}
#endif

#if SOURCE == 3
layout(std430, binding = 0) readonly restrict buffer First {
    uvec2 first[];  // count, fraction
};
layout(std430, binding = 3) readonly restrict buffer Second {
    uvec2 second[];
};

vec4 paint_at(ivec2 p) {
    ivec2 from = max(p - reach, ivec2(0));
    ivec2 to = min(p + reach, grid_size - 1);
    for (int y = from.y; y <= to.y; ++y) {
        for (int x = from.x; x <= to.x; ++x) {
            uint index = uint(y) * uint(grid_size.x) + uint(x);
            if (first[index].x != second[index].x) {
                return vec4(unpacked(differing), 1.0);
            }
        }
    }
    return covering(unpacked(missing));
}
#endif

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, window_size))) {
        return;
    }
    ivec2 p = ivec2(floor(grid_position(pixel)));
    if (is_outside(p)) {
        return;
    }
    vec4 paint = paint_at(p);
    // Row 0 of grid and window is on top, of OpenGL's images at the bottom.
    ivec2 place = ivec2(pixel.x, window_size.y - 1 - pixel.y);
    vec3 color = mix(imageLoad(picture, place).rgb, paint.rgb, paint.a);
    imageStore(picture, place, vec4(color, 1.0));
}
