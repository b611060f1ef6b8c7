#version 450 core
// SPDX-License-Identifier: MIT
// Colours the window from the samples, read as they lie in the buffer that the backend filled. A
// compute shader, because it took 0.35 ms at 1080p and 0.41 ms at 4K where a fragment shader took
// 0.49 and 1.10 ms (H200, map and fill included). The same colours, in linear light, add up to a
// mean of frames that are jittered by fractions of a pixel: anti-aliasing.
//
// Compiled once for each use, because software renderers take both sides of every branch:
//   GRID  0: colours are filtered; 1: window pixels are grid pixels, `offset` further;
//         2: regions say which samples are there, and the nearest stands for a pixel
//   GOAL  0: show; 1: begin the mean; 2: add to the mean; 3: show the mean
// Loops stand where four lines would do: unrolled, the first frame waited a second for llvmpipe.
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
    vec3 outside;    // sRGB, where the grid has no samples
    int mean_count;  // pictures that the mean has
};

#include "shaders/place.glsl"

layout(binding = 0, rgba8) uniform writeonly restrict image2D picture;
#if GOAL != 0
layout(binding = 1, rgba32f) uniform restrict image2D sum;
#endif

const Sample nothing = Sample(0u, 0.0);

Sample sample_at(ivec2 p) {
    return samples[uint(p.y) * uint(grid_size.x) + uint(p.x)];
}

// Beyond the grid's edge stands the neighbour opposite; a sample that is not there yet is left out.
Sample neighbor(ivec2 p, ivec2 way) {
    ivec2 n = is_outside(p + way) ? p - way : p + way;
    return is_outside(n) || !is_there(n) ? nothing : sample_at(n);
}

vec3 color_of_sample(ivec2 p, int step) {
    Neighborhood n;
    n.center = sample_at(p);
    n.apart = float(step);
    if (coloring.shading > 0.0 && n.center.count != 0u) {
        ivec2 way = ivec2(-step, 0);
        for (int i = 0; i < 4; ++i) {
            Sample other = neighbor(p, way);
            n.left = i == 0 ? other : n.left;
            n.up = i == 1 ? other : n.up;
            n.right = i == 2 ? other : n.right;
            n.down = i == 3 ? other : n.down;
            way = ivec2(-way.y, way.x);  // a quarter turn
        }
    }
    return pixel_color(n, coloring);
}

vec3 color_at(ivec2 p) {
#if GRID == 2
    ivec3 found = sample_for(p);
    return found.z != 0 ? color_of_sample(found.xy, found.z) : outside;
#else
    return color_of_sample(p, 1);
#endif
}

#if GRID == 0
// Colours are filtered, not counts: between two counts lies a whole palette.
vec3 filtered_color(vec2 position) {
    if (any(lessThan(position, vec2(0.0))) || any(greaterThanEqual(position, vec2(grid_size)))) {
        return outside;
    }
    vec2 corner = position - 0.5;
    ivec2 low = clamp(ivec2(floor(corner)), ivec2(0), grid_size - 1);
    ivec2 high = min(low + 1, grid_size - 1);
    vec2 weight = clamp(corner - vec2(low), 0.0, 1.0);
    vec3 color = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        bvec2 far = bvec2((i & 1) != 0, (i & 2) != 0);
        vec2 share = mix(1.0 - weight, weight, far);
        color += share.x * share.y * color_at(ivec2(far.x ? high.x : low.x, far.y ? high.y : low.y));
    }
    return color;
}
#endif

// IEC 61966-2-1.
vec3 linear_from_srgb(vec3 c) {
    vec3 curve = pow((c + 0.055) / 1.055, vec3(2.4));
    return mix(curve, c / 12.92, vec3(lessThanEqual(c, vec3(0.04045))));
}

vec3 srgb_from_linear(vec3 c) {
    vec3 curve = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, c * 12.92, vec3(lessThanEqual(c, vec3(0.0031308))));
}

vec3 color_of_pixel(ivec2 pixel) {
#if GRID == 1
    ivec2 p = pixel + offset;
    return is_outside(p) ? outside : color_at(p);
#else
    vec2 position = grid_position(pixel);
#if GRID == 0
    return filtered_color(position);
#else
    ivec2 p = ivec2(floor(position));
    return is_outside(p) ? outside : color_at(p);
#endif
#endif
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, drawn_size))) {
        return;
    }
#if GOAL == 1
    imageStore(sum, pixel, vec4(linear_from_srgb(color_of_pixel(pixel)), 1.0));
#elif GOAL == 2
    vec4 more = vec4(linear_from_srgb(color_of_pixel(pixel)), 1.0);
    imageStore(sum, pixel, imageLoad(sum, pixel) + more);
#else
#if GOAL == 0
    vec3 color = color_of_pixel(pixel);
#else
    vec3 color = srgb_from_linear(imageLoad(sum, pixel).rgb / float(mean_count));
#endif
    // Row 0 of samples and window is on top, of OpenGL's images at the bottom.
    imageStore(picture, ivec2(pixel.x, window_size.y - 1 - pixel.y), vec4(color, 1.0));
#endif
}
