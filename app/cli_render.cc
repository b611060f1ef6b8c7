// SPDX-License-Identifier: MIT
// Options that name a picture, and `warpscope render`.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "app/cli.h"
#include "app/final_steps.h"
#include "app/session/coloring.h"
#include "app/session/export.h"
#include "app/session/palette.h"
#include "kernels/engine/device_info.h"
#include "kernels/engine/frame_run.h"
#include "kernels/engine/number_types.h"

namespace warpscope {
namespace {

BigFloat parse_number(const char* option, const std::string& text) {
    try {
        return BigFloat::parse(text);
    } catch (const NumberError& error) {
        throw UsageError{std::string{option} + ": " + error.what()};
    }
}

/// Two whole numbers around an x.
std::optional<Extent> parse_pair(const std::string& text) {
    const std::size_t x = text.find('x');
    if (x == std::string::npos) return std::nullopt;
    Extent pair;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), text.data() + x, pair.width);
    const auto second = std::from_chars(text.data() + x + 1, end, pair.height);
    if (first.ec != std::errc{} || first.ptr != text.data() + x) return std::nullopt;
    if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
    return pair;
}

void set_formula(Scene& scene, const ViewOptions& options) {
    if (options.formula.empty() && !options.power) return;
    if (options.power && *options.power < 2) throw UsageError{"--power must be 2 to 8"};
    const std::string key =
        options.formula.empty() ? std::string{info(scene.formula).key} : options.formula;
    try {
        scene.formula = find_formula(key, options.power.value_or(0));
    } catch (const std::invalid_argument& error) {
        throw UsageError{error.what()};
    }
}

void set_julia(Scene& scene, const std::string& text) {
    if (text.empty()) return;
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) {
        throw UsageError{"--julia: '" + text + "' is not RE,IM such as -0.8,0.156"};
    }
    scene.julia = true;
    scene.julia_re = parse_number("--julia", text.substr(0, comma));
    scene.julia_im = parse_number("--julia", text.substr(comma + 1));
}

void set_limits(Scene& scene, const ViewOptions& options) {
    if (options.max_iter) {
        const double limit = *options.max_iter;
        if (!(limit >= 1 && limit <= 1e9) || limit != std::floor(limit)) {
            throw UsageError{"--max-iter must be a whole number from 1 to 1000000000"};
        }
        scene.limit = static_cast<std::uint32_t>(limit);
    }
    if (options.bailout) {
        if (!(*options.bailout >= 2 && *options.bailout <= 1e9)) {
            throw UsageError{"--bailout must be a number from 2 to 1e9"};
        }
        scene.bailout = *options.bailout;
    }
    if (!options.precision.empty()) {
        try {
            scene.precision = find_precision(options.precision);
        } catch (const std::invalid_argument& error) {
            throw UsageError{std::string{"--precision: "} + error.what()};
        }
    }
}

/// The scene that the options describe, over all that `location` holds.
Location place_from(const ViewOptions& options) {
    Location place;
    if (!options.location.empty()) place = read_location(options.location);
    for (const std::string& note : place.notes) std::cerr << "warpscope: " << note << '\n';
    Scene& scene = place.scene;
    set_formula(scene, options);
    set_julia(scene, options.julia);
    if (!options.re.empty()) scene.view.re = parse_number("--re", options.re);
    if (!options.im.empty()) scene.view.im = parse_number("--im", options.im);
    if (!options.zoom.empty()) {
        scene.view.zoom = parse_number("--zoom", options.zoom);
        const double log2_zoom = scene.view.zoom.log2_abs();
        if (scene.view.zoom.sign() <= 0 || log2_zoom < kMinLog2Zoom || log2_zoom > kMaxLog2Zoom) {
            throw UsageError{"--zoom must be within 1e-3 and 1e1233"};
        }
    }
    set_limits(scene, options);
    return place;
}

/// Of a GPU it is measured, but only where something depends on it.
Df64Speed df64_speed(const Scene& scene, Extent size, Backend& backend) {
    const std::optional<FrameJob> job = plan(scene, size.width, size.height);
    const bool matters = job && job->precision == Precision::kDouble;
    if (!matters || backend.info().cuda_device < 0) return Df64Speed::kSlower;
    return measure_df64(backend);
}

/// The job that the window would compute on `backend`.
FrameJob job_of(const Scene& scene, const ViewOptions& options, Backend& backend) {
    const Extent size = parse_size(options.size);
    const std::optional<GridFrame> frame =
        plan_on_grid(scene, size.width, size.height, df64_speed(scene, size, backend));
    if (!frame) {
        const double most = max_log2_zoom(scene.view, size.height);
        throw std::runtime_error{"zoom " + scene.view.zoom.to_string(4) +
                                 " is beyond double, which ends at about zoom 1e" +
                                 std::to_string(std::lround(std::floor(most * 0.30103))) +
                                 " here; --precision f64 computes it anyway, pixelated"};
    }
    return frame->job;
}

void write_picture(const std::string& path, const Location& place, const FrameJob& job,
                   std::span<const Sample> samples) {
    const ColorSettings colors = place.color.value_or(ColorSettings{});
    std::vector<std::uint32_t> rgba(samples.size());
    const std::vector<Palette> palettes = load_palettes();
    const Palette* palette = &palettes.front();
    for (const Palette& candidate : palettes) {
        if (candidate.name == colors.palette) palette = &candidate;
    }
    colorize(samples, coloring_params(colors, 0, job.formula, job.width, job.height),
             tabulate(*palette), rgba);
    write_png(path, job.width, job.height, rgba, to_toml(place));
}

}  // namespace

Extent parse_size(const std::string& text) {
    if (text.empty()) return {1920, 1080};
    constexpr int kMost = 32768;
    const std::optional<Extent> size = parse_pair(text);
    if (!size || size->width < 1 || size->height < 1 || size->width > kMost ||
        size->height > kMost) {
        throw UsageError{"--size: '" + text +
                         "' is not WIDTHxHEIGHT from 1x1 to 32768x32768 such as 1920x1080"};
    }
    return *size;
}

BlockShape parse_block(const std::string& text, const char* option) {
    if (text.empty()) return {};
    const std::optional<Extent> block = parse_pair(text);
    if (!block || block->width < 1 || block->height < 1 || block->width > 1024 ||
        block->height > 1024 / block->width) {
        throw UsageError{std::string{option} + ": '" + text +
                         "' is not XxY with at most 1024 threads such as 32x8"};
    }
    return {block->width, block->height};
}

std::string unknown_method(const std::string& key) {
    std::string text = "unknown kernel '" + key + "'; accepted:";
    for (const MethodRung& rung : kMethods) {
        text += (&rung == &kMethods.front() ? " " : ", ") + std::string{rung.key};
    }
    return text;
}

Method parse_method(const std::string& key) {
    if (key.empty()) return {};
    const MethodRung* rung = find_method(key);
    if (rung == nullptr) throw UsageError{unknown_method(key)};
    return rung->method;
}

Tuning tuning_from(const ViewOptions& options) {
    Tuning tuning;
    tuning.method = parse_method(options.kernel);
    tuning.block = parse_block(options.block);
    return tuning;
}

int checked_device(const std::optional<int>& device) {
    if (!device) return 0;
    const CudaStatus cuda = cuda_status();
    const int last = std::max(static_cast<int>(cuda.devices.size()) - 1, 0);
    if (*device < 0 || *device > last) {
        throw UsageError{"--device: there is no CUDA device " + std::to_string(*device) +
                         "; accepted: 0" +
                         (last > 0 ? " to " + std::to_string(last) : std::string{})};
    }
    return *device;
}

std::unique_ptr<Backend> backend_from(const ViewOptions& options) {
    return make_backend(options.backend.empty() ? "auto" : options.backend,
                        checked_device(options.device));
}

FrameJob job_from(const ViewOptions& options, Backend& backend) {
    return job_of(place_from(options).scene, options, backend);
}

void run_render(const RenderOptions& options) {
    if (options.png.empty() && options.raw.empty()) {
        throw UsageError{"render: nothing to write; give -o F.png, --raw F.npy or both"};
    }
    if (options.png == options.raw) throw UsageError{"-o and --raw name the same file"};
    const Location place = place_from(options.view);
    const std::unique_ptr<Backend> backend = backend_from(options.view);
    const FrameJob job = job_of(place.scene, options.view, *backend);
    check_outputs({options.png, options.raw});
    const std::size_t count = pixel_count(job);
    const HostSamples samples = backend->allocate_host(count);
    run_frame(*backend, job, tuning_from(options.view), samples.get(), {});
    const std::span<const Sample> all{samples.get(), count};
    FinalSteps steps;
    if (!options.raw.empty()) {
        steps.take([&] { write_npy(options.raw, job.width, job.height, all); });
    }
    if (!options.png.empty()) {
        steps.take([&] { write_picture(options.png, place, job, all); });
    }
    steps.finish();
}

}  // namespace warpscope
