// SPDX-License-Identifier: MIT
// From samples to colour: one source for the GL driver (window) and for g++ through GLM (export,
// thumbnails, tests), so it keeps to what both languages share: literals with f, function-style
// casts, no in/out parameters. Nothing here iterates: editing a palette costs only a redraw.
//
// The includer provides
//   vec3 palette_entry(uint index)         entry of the palette, 0 <= index < 1024, sRGB 0 to 1
//   uint multiply_high(uint a, uint b)     upper 32 bits of the 64-bit product

/// What a backend wrote for one pixel; smooth count = count - 1 + fraction, count 0 never escapes.
struct Sample {
    uint count;
    float fraction;
};

/// Member for member ColoringParams in coloring_params.h ("smooth" is a keyword here).
struct Coloring {
    float density;
    float offset;
    float transfer;
    float use_fraction;
    vec4 interior;
    float shading;
    float power;
    float width;
    float height;
};

/// A pixel and its neighbours, `apart` pixels away: more than 1 in a frame that is still coarse.
/// Beyond the edge of the grid stands the neighbour opposite.
struct Neighborhood {
    Sample center;
    Sample left;
    Sample right;
    Sample up;
    Sample down;
    float apart;
};

/// A number of any size without loss: whole + part.
struct Split {
    uint whole;
    float part;
};

Split split(uint whole, float part) {
    Split value;
    value.whole = whole;
    value.part = part;
    return value;
}

/// 4 (sqrt(4 + n + f) - 2). A float holds no fraction beside a large root, hence
/// sqrt(m + f) = r + (m - r^2 + f) / (r + sqrt(m + f)) with a whole r next to the root.
Split root_transfer(uint n, float f) {
    uint m = min(n, 4294967279u) + 4u;
    uint r = uint(sqrt(float(m)));
    float rest = float(int(m - r * r)) + f;
    float part = rest / (float(r) + sqrt(float(m) + f));
    return split((r - 2u) * 4u, 4.0f * part);
}

/// The transferred smooth count. Each transfer begins at 0 with slope 1, so that a density looks
/// the same for early escapes whichever is chosen; square root and logarithm then flatten out.
Split transferred(Sample s, Coloring coloring) {
    uint n = s.count - 1u;
    float f = coloring.use_fraction > 0.5f ? s.fraction : 0.0f;
    if (coloring.transfer < 0.5f) {
        return split(n, f);
    }
    if (coloring.transfer < 1.5f) {
        return root_transfer(n, f);
    }
    return split(0u, 16.0f * log(1.0f + (float(n) + f) * 0.0625f));
}

/// density * value modulo 1, in turns. The whole part is multiplied in 64-bit fixed point, where
/// turns simply overflow: exact for any count, while a float product bands from 2^17 on.
float turns(Split value, float density) {
    float high = fract(density) * 4294967296.0f;
    float low = fract(high) * 4294967296.0f;
    uint fixed_turns = value.whole * uint(high) + multiply_high(value.whole, uint(low));
    return float(fixed_turns >> 8u) * 5.9604644775390625e-8f + value.part * density;
}

/// The cyclic palette at `t` turns, linear between its entries.
vec3 palette_color(float t) {
    float position = fract(t) * 1024.0f;
    uint index = uint(position);
    vec3 here = palette_entry(index & 1023u);
    vec3 next = palette_entry((index + 1u) & 1023u);
    return mix(here, next, position - float(index));
}

/// (squared difference of the smooth counts, 1), or (0, 0) where a point does not escape.
vec2 squared_slope(Sample a, Sample b) {
    if (a.count == 0u || b.count == 0u) {
        return vec2(0.0f, 0.0f);
    }
    float whole = a.count > b.count ? float(a.count - b.count) : -float(b.count - a.count);
    float slope = whole + (a.fraction - b.fraction);
    return vec2(slope * slope, 1.0f);
}

/// Estimated distance to the set in steps between neighbours, within a factor of two of the true one.
/// With the potential G = lim ln|z_n| / p^n the Koebe 1/4 theorem gives distance ~ G / |grad G|
/// where G is small; the smooth count is mu = const - log_p G, hence 1 / (ln p |grad mu|).
/// [Milnor, Self-similarity and hairiness in the Mandelbrot set, 1989; Fisher, app. D of Peitgen &
/// Saupe, The Science of Fractal Images, 1988]. The gradient is the mean square of the one-sided
/// differences: a central difference would vanish on the ridge of a filament, and a neighbour
/// that never escapes is left out instead of breaking the estimate.
float distance_in_steps(Neighborhood n, float power) {
    vec2 across = squared_slope(n.center, n.left) + squared_slope(n.center, n.right);
    vec2 along = squared_slope(n.center, n.up) + squared_slope(n.center, n.down);
    if (across.y + along.y == 0.0f) {
        return 0.0f;
    }
    float gradient2 = across.x / max(across.y, 1.0f) + along.x / max(along.y, 1.0f);
    return 1.0f / (log(power) * sqrt(max(gradient2, 1.0e-16f)));
}

/// Factor for the brightness: 0 on the set, 1 far away. Lines are about a pixel wide, and keep
/// their width relative to the picture above 1080 rows.
float shade(Neighborhood n, Coloring coloring) {
    float unit = max(1.0f, coloring.height / 1080.0f);
    float d = distance_in_steps(n, coloring.power) * n.apart / unit;
    return mix(1.0f, d / sqrt(d * d + 1.0f), coloring.shading);
}

/// The colour of a pixel, sRGB-encoded, 0 to 1. Only `center` is read where shading is 0.
vec3 pixel_color(Neighborhood n, Coloring coloring) {
    if (n.center.count == 0u) {
        return vec3(coloring.interior);
    }
    float t = turns(transferred(n.center, coloring), coloring.density) + coloring.offset;
    vec3 color = palette_color(t);
    return coloring.shading > 0.0f ? color * shade(n, coloring) : color;
}
