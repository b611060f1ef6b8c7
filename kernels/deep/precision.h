// SPDX-License-Identifier: MIT
// Which number type a view needs, and the frame job that follows.
#pragma once

#include <optional>

#include "kernels/deep/view.h"

namespace warpscope {

/// What the user asks for; kAuto takes the cheapest type that is good enough.
enum class PrecisionChoice : std::uint8_t { kAuto, kFloat, kDf64, kDouble };

/// Whether two floats are cheaper than a double: so on GPUs with few units for double, nowhere
/// else. Measured, see Backend::info().
enum class Df64Speed : std::uint8_t { kSlower, kFaster };

/// What to compute, independent of window and backend.
struct Scene {
    View view;
    Formula formula = Formula::kMandelbrot;
    bool julia = false;
    BigFloat julia_re{-0.8}, julia_im{0.156};
    std::uint32_t limit = 1000;  ///< iterations, 1 to 1e9
    double bailout = 256;        ///< 2 to 1e9
    PrecisionChoice precision = PrecisionChoice::kAuto;
    bool operator==(const Scene&) const = default;
};

/// The cheapest type whose pixels are still distinct numbers with bits to spare: float while a
/// pixel is at least 256 units in the last place of the centre, df64 (46 bits that survive its
/// roundings) while it is at least 64 of its own, double while it is at least 4; nothing where
/// double ends.
std::optional<Precision> choose_precision(const View& view, int height,
                                          Df64Speed df64 = Df64Speed::kSlower);

/// The largest zoom that double serves in a window `height` pixels high, as log2.
double max_log2_zoom(const View& view, int height);

/// The job for `scene` in a window of `width` x `height` pixels. Nothing where its number type ends
/// and the scene leaves the choice to the program.
std::optional<FrameJob> plan(const Scene& scene, int width, int height,
                             Df64Speed df64 = Df64Speed::kSlower);

/// A job whose pixels stand on a lattice that zoom, window height and the fraction of a pixel at
/// which the centre lies decide, and the view that it really shows: at most a millionth of a pixel
/// beside the one asked for.
struct GridFrame {
    FrameJob job;
    View view;
};

/// The same as plan(), so that views that lie whole pixels apart share pixels bit for bit:
/// centre_re and _im are the nearest of points 1024 pixels apart (anchors) and that fraction, in
/// steps of 2^-20; shift_x and _y the whole pixels from there. Beyond half the way to the next
/// anchor nothing is shared any more. A function of its arguments alone: no matter on what way the
/// view was reached.
std::optional<GridFrame> plan_on_grid(const Scene& scene, int width, int height,
                                      Df64Speed df64 = Df64Speed::kSlower);

}  // namespace warpscope
