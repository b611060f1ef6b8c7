// SPDX-License-Identifier: MIT
// Where a grid of samples lies in the window, and which of its samples are there: what everything
// drawn from a grid has in common. Needs GRID: 2 where the grid may be coarse, else another number.

// Member for member struct PlaceUniforms in render/placement.h.
layout(std140, binding = 1) uniform Place {
    vec4 grid_from_window;  // grid pixels = xy * window pixels + zw
    ivec2 grid_size;
    ivec2 window_size;
    ivec2 offset;           // of grid pixels from window pixels, where only that lies between them
    ivec2 origin;           // grid pixel p stands at p + origin of the lattice of coarse samples
    ivec4 corners[8];       // x0, y0, x1, y1 of the regions
    ivec4 steps[8];         // in x; 0: nothing there yet
    int region_count;
    ivec2 drawn_size;       // columns from the left, and rows, of the window that are drawn
};

bool is_outside(ivec2 p) {
    return any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, grid_size));
}

// Where the middle of a window pixel lies in the grid.
vec2 grid_position(ivec2 pixel) {
    return grid_from_window.xy * (vec2(pixel) + 0.5) + grid_from_window.zw;
}

#if GRID == 2
// To which step the samples around `p` are there.
int step_at(ivec2 p) {
    for (int i = 0; i < region_count; ++i) {
        ivec4 corner = corners[i];
        if (all(greaterThanEqual(p, corner.xy)) && all(lessThan(p, corner.zw))) {
            return steps[i].x;
        }
    }
    return 0;
}

bool is_there(ivec2 p) {
    int step = step_at(p);
    return step != 0 && all(equal((p + origin) & (step - 1), ivec2(0)));
}

// The pixel of the lattice with this step that is nearest to `p`, inside the grid where it can be.
ivec2 nearest(ivec2 p, int step) {
    ivec2 q = ((p + origin + step / 2) & ~(step - 1)) - origin;
    q += ivec2(lessThan(q, ivec2(0))) * step;
    return q - ivec2(greaterThanEqual(q, grid_size)) * step;
}

// The sample that stands for pixel `p` of the grid, in xy, and the step of its lattice, in z: 0
// where there is none.
ivec3 sample_for(ivec2 p) {
    int step = step_at(p);
    for (int attempt = 0; attempt < 2 && step != 0; ++attempt) {
        ivec2 q = nearest(p, step);
        if (is_outside(q)) {
            break;
        }
        if (is_there(q)) {
            return ivec3(q, step);
        }
        step = step_at(q);  // a strip without a sample of its own beside a coarser region
    }
    return ivec3(0);
}
#else
bool is_there(ivec2 p) {
    return true;
}
#endif
