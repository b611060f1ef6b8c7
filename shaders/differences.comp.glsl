#version 450 core
// SPDX-License-Identifier: MIT
// Counts the pixels whose counts differ between two frames: each thread some, each group together,
// then all.
layout(local_size_x = 256) in;

const uint pixels_a_thread = 64u;  // render/count_differences.cc starts groups for as many

layout(location = 0) uniform uint pixels;

layout(std430, binding = 0) readonly restrict buffer First {
    uvec2 first[];  // count, fraction
};
layout(std430, binding = 1) readonly restrict buffer Second {
    uvec2 second[];
};
layout(std430, binding = 2) restrict buffer Result {
    uint differing;
    uint escape_once;  // in one of the two frames alone
    uint most;         // difference of two counts
};

shared uint group_differing;
shared uint group_escape_once;
shared uint group_most;

void main() {
    uint thread = gl_LocalInvocationID.x;
    if (thread == 0u) {
        group_differing = 0u;
        group_escape_once = 0u;
        group_most = 0u;
    }
    barrier();
    uint mine = 0u;
    uint once = 0u;
    uint largest = 0u;
    uint at = gl_WorkGroupID.x * gl_WorkGroupSize.x * pixels_a_thread + thread;
    for (uint i = 0u; i < pixels_a_thread && at < pixels; ++i) {
        uint a = first[at].x;
        uint b = second[at].x;
        if (a != b) {
            ++mine;
            if (a == 0u || b == 0u) {
                ++once;
            } else {
                largest = max(largest, max(a, b) - min(a, b));
            }
        }
        at += gl_WorkGroupSize.x;
    }
    if (mine != 0u) {
        atomicAdd(group_differing, mine);
        atomicAdd(group_escape_once, once);
        atomicMax(group_most, largest);
    }
    barrier();
    if (thread == 0u && group_differing != 0u) {
        atomicAdd(differing, group_differing);
        atomicAdd(escape_once, group_escape_once);
        atomicMax(most, group_most);
    }
}
