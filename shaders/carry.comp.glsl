#version 450 core
// SPDX-License-Identifier: MIT
// Moves the samples of a frame to where they lie after a pan by whole pixels.
layout(local_size_x = 32, local_size_y = 8) in;

layout(location = 0) uniform ivec2 size;
layout(location = 1) uniform ivec2 shift;  // sample p of the new frame is p + shift of the old one

layout(std430, binding = 0) readonly restrict buffer Before {
    uvec2 before[];
};
layout(std430, binding = 1) writeonly restrict buffer After {
    uvec2 after[];
};

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    ivec2 from = p + shift;
    if (any(greaterThanEqual(p, size)) || any(lessThan(from, ivec2(0))) ||
        any(greaterThanEqual(from, size))) {
        return;
    }
    after[uint(p.y) * uint(size.x) + uint(p.x)] = before[uint(from.y) * uint(size.x) + uint(from.x)];
}
