// SPDX-License-Identifier: MIT
#include "app/cli.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "app/bench_report.h"
#include "app/overlay_values.h"

namespace warpscope {
namespace {

/// An option that a variable of the environment may give too.
struct EnvironmentOption {
    const char *name, *variable, *about;
};

bool holds(const std::string& variable, const std::string& text) {
    const char* value = std::getenv(variable.c_str());
    return value != nullptr && value == text;
}

/// Adds `option`, which sets `value` unless `complaint` says what is wrong with what is given. Not
/// a check(): CLI11 2.4 passes over values of the environment that a check refuses.
template <class Complaint>
void add_checked(CLI::App& app, const EnvironmentOption& option, std::string& value,
                 Complaint complaint) {
    const auto take = [option, &value, complaint](const std::string& given) {
        const std::string wrong = complaint(given);
        const char* source = holds(option.variable, given) ? option.variable : option.name;
        if (!wrong.empty()) throw CLI::ValidationError{source, wrong};
        value = given;
    };
    app.add_option_function<std::string>(option.name, take, option.about)->envname(option.variable);
}

std::string complain_of_kernel(const std::string& key) {
    return find_method(key) != nullptr ? std::string{} : unknown_method(key);
}

std::string complain_of_backend(const std::string& name) {
    for (const BackendChoice& choice : backend_choices()) {
        if (choice.name == name) return {};
    }
    if (name == "auto") return {};
    return "unknown backend '" + name +
           "'; accepted: auto, cuda, cpu, cpu-threads, cpu-simd, cpu-scalar";
}

void add_kernel_option(CLI::App& app, std::string& kernel) {
    std::string keys;
    for (const MethodRung& rung : kMethods) {
        keys += (keys.empty() ? "" : ", ") + std::string{rung.key};
    }
    const std::string about =
        "rung of the ladder of escape loops: " + keys + " (or WARPSCOPE_KERNEL)";
    add_checked(app, {"--kernel", "WARPSCOPE_KERNEL", about.c_str()}, kernel, complain_of_kernel);
}

void add_view_options(CLI::App& app, ViewOptions& view) {
    app.add_option("location", view.location, "place to start from (TOML, or a saved PNG)");
    app.add_option("--re", view.re, "centre, real part; a decimal of any length");
    app.add_option("--im", view.im, "centre, imaginary part; up is positive");
    app.add_option("--zoom", view.zoom, "half-height of the view is 2/zoom");
    app.add_option("--formula", view.formula, "mandelbrot, burning_ship, tricorn or multibrot");
    app.add_option("--power", view.power, "power of multibrot, 3 to 8");
    app.add_option("--julia", view.julia, "Julia set of c = RE,IM");
    app.add_option("--max-iter", view.max_iter, "iteration limit, 1 to 1e9 (default 1000)");
    app.add_option("--bailout", view.bailout, "escape radius, 2 to 1e9 (default 256)");
    app.add_option("--precision", view.precision, "auto, f32, df64 (two floats) or f64");
    app.add_option("--size", view.size, "WIDTHxHEIGHT in pixels (default 1920x1080)");
    app.add_option("--device", view.device, "CUDA device index");
    app.add_option("--block", view.block, "CUDA threads per block, XxY");
    add_kernel_option(app, view.kernel);
}

void add_backend_option(CLI::App& app, std::string& backend) {
    add_checked(app,
                {"--backend", "WARPSCOPE_BACKEND",
                 "auto, cuda, cpu, cpu-threads, cpu-simd or cpu-scalar (or WARPSCOPE_BACKEND)"},
                backend, complain_of_backend);
}

/// Whether its value is the environment's, which all subcommands share.
bool is_from_environment(const CLI::Option& option) {
    return !option.get_envname().empty() && option.results().size() == 1 &&
           holds(option.get_envname(), option.results().front());
}

/// The subcommands and what each was given. Must not move once options point into it.
struct Parser {
    CLI::App app{"Warpscope: explore the Mandelbrot set, and see how a GPU works", "warpscope"};
    ExploreOptions explore;
    RenderOptions render;
    CompareOptions compare;
    TraceOptions trace;
    RooflineOptions roofline;
    DevicesOptions devices;
    OccupancyOptions occupancy;
    LabOptions lab;
    BenchOptions bench;

    Parser() {
        app.set_version_flag("--version", "warpscope " WARPSCOPE_VERSION);
        app.require_subcommand(0, 1);
        setup_explore();
        setup_pictures();
        setup_trace();
        setup_roofline();
        setup_tables();
        setup_bench();
    }

    void setup_explore() {
        app.add_option("location", explore.view.location,
                       "place to open (TOML, or a PNG saved by this program)");
        add_backend_option(app, explore.view.backend);
        app.add_option("--device", explore.view.device, "CUDA device index");
        app.add_option("--size", explore.view.size, "WIDTHxHEIGHT of the window or picture");
        app.add_option("--block", explore.view.block, "CUDA threads per block, XxY");
        add_kernel_option(app, explore.view.kernel);
        app.add_flag("--offscreen", explore.offscreen, "run without a window");
        app.add_option("--frames", explore.frames, "frames to run before leaving");
        app.add_option("--screenshot", explore.screenshot, "write the last frame as PNG");
        app.add_option("--report", explore.report, "write what ran and its timing as JSON");
        app.add_option("--interop", explore.interop, "on, off or auto");
        app.add_flag("--no-panels", explore.no_panels, "the fractal alone");
        app.add_flag("--timeline", explore.timeline, "open with the timeline of the frame");
        app.add_option("--tour", explore.tour, "open with the guided tour, at this step (from 1)");
        app.add_option("--tab", explore.tab, "explore, parallelism, compute, colour or device");
        app.add_option("--overlay", explore.overlay,
                       "what lies over the picture: " + overlay_keys());
    }

    void setup_pictures() {
        CLI::App& picture = *app.add_subcommand("render", "compute one picture, without OpenGL");
        add_view_options(picture, render.view);
        add_backend_option(picture, render.view.backend);
        picture.add_option("-o", render.png, "PNG to write");
        picture.add_option("--raw", render.raw, "NumPy file of the counts to write");
        CLI::App& fair =
            *app.add_subcommand("compare", "time every CPU rung and the GPU on a view");
        add_view_options(fair, compare.view);
        fair.add_option("--seconds", compare.seconds, "measuring time per figure (default 0.5)");
        fair.add_flag("--json", compare.json, "print JSON");
    }

    void setup_trace() {
        CLI::App& recorder =
            *app.add_subcommand("trace", "record who computes which block of a frame, and when");
        add_view_options(recorder, trace.view);
        add_backend_option(recorder, trace.view.backend);
        recorder.add_option("--threads", trace.threads,
                            "worker threads of a CPU (default one per logical processor)");
        recorder.add_option("--tile", trace.tile,
                            "edge of a CPU's tiles, 8 to 1024 pixels (default 64)");
        recorder.add_option("-o", trace.out, "trace to write (JSON)");
        recorder.add_option("--perfetto", trace.perfetto,
                            "file for ui.perfetto.dev or chrome://tracing to write");
        recorder.add_option("--from", trace.from, "look at this trace instead of recording one");
        recorder.add_flag("--json", trace.json, "print JSON");
    }

    void setup_roofline() {
        CLI::App& roofs = *app.add_subcommand(
            "roofline", "what limits a view's kernel and the compute demos: memory or arithmetic");
        add_view_options(roofs, roofline.view);
        add_backend_option(roofs, roofline.view.backend);
        roofs.add_flag("--view-only", roofline.view_only, "leave the compute demos out");
        roofs.add_option("--json", roofline.json, "file to write everything to");
    }

    void setup_tables() {
        CLI::App& machine = *app.add_subcommand("devices", "what this machine computes with");
        machine.add_option("--device", devices.device, "CUDA device index");
        machine.add_option("--interop", devices.interop, "on, off or auto");
        machine.add_flag("--json", devices.json, "print JSON");
        CLI::App& calculator = *app.add_subcommand("occupancy", "occupancy of any listed GPU");
        calculator.add_option("--cc", occupancy.cc, "compute capability, such as 8.6")->required();
        calculator.add_option("--threads", occupancy.threads, "threads per block, 1 to 1024");
        calculator.add_option("--registers", occupancy.registers, "registers per thread, 0 to 255");
        calculator.add_option("--shared", occupancy.shared, "shared memory per block in bytes");
        calculator.add_flag("--json", occupancy.json, "print JSON");
        CLI::App& demos = *app.add_subcommand("lab", "run a compute demo");
        demos.add_option("demo", lab.demo, "vector_add, saxpy or matmul")->required();
        demos.add_option("--n", lab.n, "elements; for matmul rows and columns");
        demos.add_option("--backend", lab.backend,
                         "all, auto, cuda, cpu, cpu-threads, cpu-simd, cpu-scalar or a rung");
        demos.add_option("--block", lab.block, "CUDA threads per block, X or XxY");
        demos.add_option("--seed", lab.seed, "of the random data");
        demos.add_option("--device", lab.device, "CUDA device index");
        demos.add_flag("--warm", lab.warm, "leave the data in the caches between samples");
        demos.add_flag("--json", lab.json, "print JSON");
    }

    void setup_bench() {
        CLI::App& all = *app.add_subcommand(
            "bench", "time every kernel on fixed views against the limit of the processor");
        all.footer(bench_method({}));
        all.add_flag("--quick", bench.quick,
                     "fewer views and samples: 3 and 0.05 s each; its figures are rough");
        all.add_option("--json", bench.json, "file to write everything to");
        all.add_option("--commit", bench.commit, "the program's commit, for the JSON");
        all.add_option("--views", bench.views,
                       "home, seahorse, elephant, boundary, interior, exterior");
        all.add_option("--at", bench.at,
                       "RE,IM,ZOOM,LIMIT: measure this view instead; half-height 2/ZOOM");
        all.add_option("--types", bench.types, "float, df64, double");
        all.add_option("--kernels", bench.kernels, "rungs, as for --kernel");
        all.add_option("--backends", bench.backends,
                       "default cpu-scalar (on the first view alone), cpu-simd, cpu and cuda; "
                       "with --quick cpu and cuda");
        all.add_option("--blocks", bench.blocks,
                       "CUDA threads per block, XxY,XxY: the first for all kernels, the others for "
                       "`blocks` alone (default 8x16,128x1)");
        all.add_option("--size", bench.size, "WIDTHxHEIGHT in pixels (default 1920x1080)");
        all.add_option("--device", bench.device, "CUDA device index");
        all.add_option("--skip-above", bench.slowest,
                       "skip what takes more seconds a frame (default 1, quick 0.5)");
        all.add_flag("--keep-throttled", bench.keep_throttled,
                     "keep samples that were taken while the processor was not at full speed");
    }

    /// What stands before a subcommand would be lost in silence.
    void refuse_stray_options() const {
        if (app.get_subcommands().empty()) return;
        for (const CLI::Option* option : app.get_options()) {
            if (option->count() == 0 || is_from_environment(*option)) continue;
            throw UsageError{option->get_name() + " stands before '" +
                             app.get_subcommands().front()->get_name() +
                             "'; options go after the subcommand"};
        }
    }

    /// A trace that exists is of the view that it is of.
    void refuse_views_of_traces() const {
        const CLI::App& recorder = *app.get_subcommand("trace");
        if (trace.from.empty()) return;
        for (const CLI::Option* option : recorder.get_options()) {
            const std::string name = option->get_name();
            const bool goes =
                name == "--from" || name == "-o" || name == "--perfetto" || name == "--json";
            if (goes || option->count() == 0 || is_from_environment(*option)) continue;
            throw UsageError{name + " makes no sense beside --from, which records nothing"};
        }
    }

    /// An empty text is what a script's unset variable leaves: never what was meant.
    void refuse_empty_values() const {
        const auto refuse = [](const CLI::App& command) {
            for (const CLI::Option* option : command.get_options()) {
                for (const std::string& given : option->results()) {
                    if (given.empty()) throw UsageError{option->get_name() + " is empty"};
                }
            }
        };
        refuse(app);
        for (const CLI::App* command : app.get_subcommands()) refuse(*command);
    }

    void run() {
        refuse_empty_values();
        refuse_stray_options();
        refuse_views_of_traces();
        if (app.got_subcommand("render")) return run_render(render);
        if (app.got_subcommand("compare")) return run_compare(compare);
        if (app.got_subcommand("trace")) return run_trace(trace);
        if (app.got_subcommand("roofline")) return run_roofline(roofline);
        if (app.got_subcommand("devices")) return run_devices(devices);
        if (app.got_subcommand("occupancy")) return run_occupancy(occupancy);
        if (app.got_subcommand("lab")) return run_lab(lab);
        if (app.got_subcommand("bench")) return run_bench(bench);
        run_explore(explore);
    }
};

int complain(const std::string& what, int code) {
    std::string line = what;
    for (char& c : line) {
        if (c == '\n') c = ' ';
    }
    std::cerr << "warpscope: " << line << std::endl;
    return code;
}

}  // namespace

int run_cli(int argc, char** argv) {
    try {
        Parser parser;
        try {
            parser.app.parse(argc, argv);
        } catch (const CLI::Success& asked) {  // --help, --version
            const int code = parser.app.exit(asked);
            std::cout.flush();
            return std::cout ? code : complain("could not write to standard output", 1);
        } catch (const CLI::ParseError& error) {
            return complain(std::string{error.what()} + " (see warpscope --help)", 2);
        }
        parser.run();
        std::cout.flush();
        if (!std::cout) return complain("could not write to standard output", 1);
        return 0;
    } catch (const UsageError& error) {
        return complain(error.what(), 2);
    } catch (const std::bad_alloc&) {
        return complain("not enough memory for what was asked", 1);
    } catch (const std::exception& error) {
        return complain(error.what(), 1);
    }
}

}  // namespace warpscope
