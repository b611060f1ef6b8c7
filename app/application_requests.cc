// SPDX-License-Identifier: MIT
// What panels and keys may ask for besides changes of the state: files, measurements, probes.
#include <imgui.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/application.h"
#include "app/clock.h"
#include "app/session/atomic_file.h"
#include "app/session/export.h"
#include "app/shell.h"

namespace warpscope {

std::string Application::time_stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
    return {text, size};
}

std::filesystem::path Application::fresh_path(const std::string& ending) {
    const std::string stem = "warpscope-" + time_stamp();
    for (int i = 1;; ++i) {
        const std::string name = i == 1 ? stem : stem + "-" + std::to_string(i);
        const std::filesystem::path path = std::filesystem::current_path() / (name + ending);
        if (!std::filesystem::exists(path)) return path;
    }
}

std::optional<FrameJob> Application::full_job() const {
    const Extent size = surface_.framebuffer_size();
    if (size.width < 1 || size.height < 1) return std::nullopt;
    return loop_.explorer().frame_for(state_.scene, size.width, size.height).job;
}

void Application::open(const Location& location) {
    const Extent size = surface_.framebuffer_size();
    motion_.stop();
    commands_.push_back(SetScene{location.scene, std::max(size.height, 1)});
    if (location.color) commands_.push_back(SetColor{*location.color});
    for (const std::string& text : location.notes) {
        add_toast(ui_, text, Urgency::kNote, seconds_now());
    }
}

Overlay* Application::prepare_overlay(double seconds) {
    const ImGuiIO& io = ImGui::GetIO();
    std::optional<PixelPoint> cursor;
    if (!io.WantCaptureMouse && ImGui::IsMousePosValid()) cursor = cursor_point(surface_);
    return overlays_.prepare(
        ui_.overlay, {loop_, state_, surface_.framebuffer_size(), cursor, seconds, last_frame_});
}

std::vector<Companion> Application::companions() const {
    if (!compares(ui_.overlay.kind) || !loop_.explorer().has_backend()) return {};
    const int height = std::max(surface_.framebuffer_size().height, 1);
    const Gpu gpu = cuda_.problem.empty() ? Gpu::kPresent : Gpu::kAbsent;
    return companions_for(ui_.overlay, pair_context(loop_.explorer(), state_, height, gpu));
}

nlohmann::json Application::pair_json() const {
    if (!compares(ui_.overlay.kind)) return nullptr;
    const auto& [first, second] = overlays_.sides();
    nlohmann::json pair{{"first", first.name}, {"second", second.name}};
    if (const DifferenceSummary* found = overlays_.differences()) {
        pair["differing"] = found->differing;
        pair["pixels"] = found->pixels;
    }
    if (ui_.overlay.split) pair["split"] = *ui_.overlay.split;
    return pair;
}

bool Application::picture_complete() const {
    const std::optional<ShownFrame>& shown = loop_.shown();
    const std::optional<FrameJob> wanted = full_job();
    return shown && wanted && shown->complete() && shown->job == *wanted;
}

std::filesystem::path Application::write_picture() {
    const Extent size = surface_.framebuffer_size();
    const std::vector<std::uint32_t> rgba = loop_.read_picture(state_, cycle_phase_);
    Location place;
    place.scene = state_.scene;
    place.color = state_.color;
    const std::filesystem::path path = fresh_path(".png");
    write_png(path, size.width, size.height, rgba, to_toml(place));
    return path;
}

void Application::operator()(const SavePicture&) {
    if (!full_job()) return;  // minimised: nothing is seen
    if (!picture_complete() && !std::exchange(save_pending_, true)) {
        add_toast(ui_, "Saves the picture as soon as it is complete; S again: as it is now",
                  Urgency::kNote, seconds_now());
        return;
    }
    save_pending_ = false;
    add_toast(ui_, "Saved " + write_picture().string(), Urgency::kNote, seconds_now());
}

std::string Application::save_waiting_picture() {
    if (!std::exchange(save_pending_, false) || !full_job()) return {};
    try {
        return "saved " + write_picture().string() + ", which was not complete yet";
    } catch (const std::exception& error) {
        return error.what();
    }
}

void Application::operator()(const SavePlace& request) {
    if (options_.config.empty()) throw FileError{"no folder to keep places in: HOME is not set"};
    Location place;
    place.title = request.title.empty() ? "Place " + time_stamp() : request.title;
    place.scene = state_.scene;
    place.color = state_.color;
    const std::filesystem::path path = save_place(options_.config, place);
    places_ = load_places(options_.config);
    add_toast(ui_, "Saved " + path.string(), Urgency::kNote, seconds_now());
}

void Application::operator()(const OpenPlace& request) { open(read_location(request.path)); }

void Application::operator()(const DeletePlace& request) {
    const bool saved =
        std::any_of(places_.places.begin(), places_.places.end(),
                    [&](const Place& place) { return place.saved && place.id == request.id; });
    if (!saved) throw FileError{"'" + request.id + "' is not a saved place"};
    std::error_code error;
    if (!std::filesystem::remove(request.id, error)) {
        throw FileError{"cannot delete '" + request.id +
                        "': " + (error ? error.message() : "it is not there any more")};
    }
    thumbnails_.forget(request.id);
    places_ = load_places(options_.config);
    add_toast(ui_, "Deleted " + request.id, Urgency::kNote, seconds_now());
}

void Application::operator()(const StartCompare&) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    constexpr double kSecondsPerFigure = 0.5;
    workshop_.compare.start([job = *job, tuning = state_.tuning, device = state_.device](
                                std::stop_token stop, WorkProgress& progress) {
        return compare(
            job, tuning, device, kSecondsPerFigure, std::move(stop),
            [&progress](const std::string& rung, double done) { progress.set(done, rung); });
    });
}

void Application::operator()(const StartAutotune& request) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    workshop_.autotune.start([job = *job, tuning = state_.tuning, device = state_.device,
                              name = running_backend(),
                              gpu = request.gpu](std::stop_token stop, WorkProgress& progress) {
        const std::vector<TunePoint> points =
            autotune(name, device, job, tuning, std::move(stop),
                     [&progress](double done) { progress.set(done, "Autotune"); });
        return points.empty() ? Landscape{} : landscape(points, job, gpu, cpu_thread_count());
    });
}

void Application::operator()(const StartLadder&) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    workshop_.ladder_job = *job;
    workshop_.ladder_backend = running_backend();
    RungsRequest request;
    request.backend = running_backend();
    request.cuda_device = state_.device;
    request.job = *job;
    request.tuning = state_.tuning;
    for (const MethodRung& rung : kMethods) request.methods.push_back(rung.method);
    if (rung_of(state_.tuning.method) == nullptr) request.methods.push_back(state_.tuning.method);
    workshop_.ladder.start([request](const std::stop_token& stop, WorkProgress& progress) {
        return time_rungs(request, stop,
                          [&progress](double done) { progress.set(done, "Ladder"); });
    });
}

void Application::operator()(const StartLab& request) {
    loop_.explorer().cancel();
    workshop_.lab.start(request.requests);
}

void Application::operator()(const StartOccupancySweep& request) {
    const std::optional<FrameJob> job = full_job();
    if (!job) return;
    loop_.explorer().cancel();
    workshop_.sweep_job = *job;
    workshop_.sweep.start([job = *job, tunings = request.tunings, device = state_.device,
                           name = running_backend()](std::stop_token stop, WorkProgress& progress) {
        return time_tunings(name, device, job, tunings, std::move(stop),
                            [&progress](double done) { progress.set(done, "Occupancy"); });
    });
}

void Application::operator()(const StartRoofs& request) {
    loop_.explorer().cancel();
    workshop_.roofs.start(
        [subjects = request.subjects](const std::stop_token& stop, WorkProgress& progress) {
            return measure_roofs(subjects, stop, [&progress](double done, std::string label) {
                progress.set(done, std::move(label));
            });
        });
}

void Application::operator()(const StopWork&) {
    workshop_.compare.request_stop();
    workshop_.autotune.request_stop();
    workshop_.ladder.request_stop();
    workshop_.sweep.request_stop();
    workshop_.roofs.request_stop();
    workshop_.lab.request_stop();
}

void Application::operator()(const ProbeInterop& request) {
    loop_.probe(request.choice, state_.device);
    cuda_ = cuda_status();
    ui_.interop = request.choice;
    ui_.device.backends.clear();
    if (request.choice == InteropChoice::kOn && !loop_.verdict().active) {
        add_toast(ui_, "Interop cannot be had: " + loop_.verdict().reason, Urgency::kError,
                  seconds_now());
    }
}

void Application::operator()(const MeasurePaths&) {
    if (!trial_.running()) trial_.start(ui_.interop);
    ui_.measuring_paths = true;
}

void Application::advance_trial() {
    if (const std::optional<InteropChoice> choice = trial_.next_frame()) {
        loop_.probe(*choice, state_.device);
    }
    ui_.measuring_paths = trial_.running();
}

}  // namespace warpscope
