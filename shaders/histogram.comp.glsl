#version 450 core
// SPDX-License-Identifier: MIT
// Counts how often which count occurs: each group in its own memory, which is then added to the
// result. Bins as in render/count_histogram.h.
layout(local_size_x = 256) in;

const uint pixels_a_thread = 64u;  // render/count_histogram.cc starts groups for as many
const uint bin_count = 3328u;

layout(location = 0) uniform uint pixels;

layout(std430, binding = 0) readonly restrict buffer Samples {
    uvec2 samples[];  // count, fraction
};
layout(std430, binding = 1) restrict buffer Result {
    uint sum_low;   // of all counts, 64 bits
    uint sum_high;
    uint least;     // of counts above 0
    uint most;
    uint bins[];
};

shared uint group_bins[bin_count];
shared uint group_low;
shared uint group_high;

uint bin_of(uint count) {
    if (count < 256u) {
        return count;
    }
    uint octave = uint(findMSB(count));
    return 256u + (octave - 8u) * 128u + (count >> (octave - 7u)) - 128u;
}

void main() {
    uint thread = gl_LocalInvocationID.x;
    for (uint i = thread; i < bin_count; i += gl_WorkGroupSize.x) {
        group_bins[i] = 0u;
    }
    if (thread == 0u) {
        group_low = 0u;
        group_high = 0u;
    }
    barrier();
    uint low = 0u;
    uint high = 0u;
    uint smallest = 0xffffffffu;
    uint largest = 0u;
    uint at = gl_WorkGroupID.x * gl_WorkGroupSize.x * pixels_a_thread + thread;
    for (uint i = 0u; i < pixels_a_thread && at < pixels; ++i) {
        uint count = samples[at].x;
        atomicAdd(group_bins[bin_of(count)], 1u);
        uint carry;
        low = uaddCarry(low, count, carry);
        high += carry;
        smallest = count > 0u ? min(smallest, count) : smallest;
        largest = max(largest, count);
        at += gl_WorkGroupSize.x;
    }
    uint before = atomicAdd(group_low, low);
    atomicAdd(group_high, high + (before + low < before ? 1u : 0u));
    atomicMin(least, smallest);
    atomicMax(most, largest);
    barrier();
    for (uint i = thread; i < bin_count; i += gl_WorkGroupSize.x) {
        if (group_bins[i] != 0u) {
            atomicAdd(bins[i], group_bins[i]);
        }
    }
    if (thread == 0u) {
        uint total = atomicAdd(sum_low, group_low);
        atomicAdd(sum_high, group_high + (total + group_low < total ? 1u : 0u));
    }
}
