// SPDX-License-Identifier: MIT
#include "app/thumbnails.h"

#include <sys/resource.h>

#include <algorithm>

#include "app/session/coloring.h"

namespace warpscope {
namespace {

constexpr int kSupersampling = 2;           // per direction
constexpr double kSliceMs = 20;             // between looks at the stop token
constexpr std::size_t kMostTextures = 256;  // 225 KiB each
constexpr std::uint32_t kMostIterations = 20'000;
constexpr int kNiceness = 5;  // yields, but is not starved by a live CPU backend

const Palette& find_palette(const std::vector<Palette>& palettes, const std::string& name) {
    const auto found = std::find_if(palettes.begin(), palettes.end(),
                                    [&name](const Palette& p) { return p.name == name; });
    return found != palettes.end() ? *found : palettes.front();
}

FrameJob thumbnail_job(Scene scene) {
    constexpr int kWidth = kThumbnailWidth * kSupersampling;
    constexpr int kHeight = kThumbnailHeight * kSupersampling;
    scene.limit = std::min(scene.limit, kMostIterations);
    std::optional<FrameJob> job = plan(scene, kWidth, kHeight);
    if (!job) {
        scene.precision = PrecisionChoice::kDouble;
        job = plan(scene, kWidth, kHeight);
    }
    return *job;
}

/// The samples, or nothing when stopped.
std::vector<Sample> compute_samples(const FrameJob& job, const std::stop_token& stop) {
    const std::unique_ptr<Backend> backend = make_backend("cpu-simd");
    std::vector<Sample> samples(static_cast<std::size_t>(job.width) *
                                static_cast<std::size_t>(job.height));
    backend->start(job, {});
    const Target target{samples.data(), Memory::kHost};
    for (bool done = false; !done;) {
        if (stop.stop_requested()) {
            backend->cancel();
            return {};
        }
        done = backend->advance(target, kSliceMs).done;
    }
    return samples;
}

/// Means of 2 x 2 pixels.
std::vector<std::uint32_t> halved(const std::vector<std::uint32_t>& fine, int width, int height) {
    std::vector<std::uint32_t> coarse;
    coarse.reserve(fine.size() / 4);
    const auto at = [&](int x, int y, int shift) {
        const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x);
        return (fine[i] >> shift) & 255u;
    };
    for (int y = 0; y + 1 < height; y += 2) {
        for (int x = 0; x + 1 < width; x += 2) {
            std::uint32_t mean = 0;
            for (int shift = 0; shift < 32; shift += 8) {
                const std::uint32_t sum = at(x, y, shift) + at(x + 1, y, shift) +
                                          at(x, y + 1, shift) + at(x + 1, y + 1, shift);
                mean |= ((sum + 2) / 4) << shift;
            }
            coarse.push_back(mean);
        }
    }
    return coarse;
}

}  // namespace

std::vector<std::uint32_t> paint_thumbnail(const Location& location,
                                           const std::vector<Palette>& palettes,
                                           const std::stop_token& stop) {
    const FrameJob job = thumbnail_job(location.scene);
    const std::vector<Sample> samples = compute_samples(job, stop);
    if (samples.empty()) return {};
    const ColorSettings color = location.color.value_or(ColorSettings{});
    std::vector<std::uint32_t> rgba(samples.size());
    colorize(samples, coloring_params(color, 0, job.formula, job.width, job.height),
             tabulate(find_palette(palettes, color.palette)), rgba);
    return halved(rgba, job.width, job.height);
}

ThumbnailPainter::~ThumbnailPainter() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void ThumbnailPainter::want(std::vector<Place> places) {
    {
        const std::lock_guard lock{mutex_};
        wanted_ = std::move(places);
        std::erase_if(wanted_, [this](const Place& place) {
            return place.id == painting_ ||
                   std::any_of(done_.begin(), done_.end(),
                               [&place](const Thumbnail& t) { return t.id == place.id; });
        });
        if (wanted_.empty()) return;
    }
    if (!thread_.joinable()) {
        thread_ = std::jthread{[this](const std::stop_token& stop) { work(stop); }};
    }
    changed_.notify_one();
}

std::optional<Thumbnail> ThumbnailPainter::take() {
    const std::lock_guard lock{mutex_};
    if (done_.empty()) return std::nullopt;
    Thumbnail first = std::move(done_.front());
    done_.erase(done_.begin());
    return first;
}

void ThumbnailPainter::work(const std::stop_token& stop) {
    // On Linux this is the thread's own priority: the live view and its timings come first.
    setpriority(PRIO_PROCESS, 0, kNiceness);
    const std::vector<Palette> palettes = load_palettes();
    while (true) {
        std::optional<Place> place;
        {
            std::unique_lock lock{mutex_};
            if (!changed_.wait(lock, stop, [this] { return !wanted_.empty(); })) return;
            place = std::move(wanted_.front());
            wanted_.erase(wanted_.begin());
            painting_ = place->id;
        }
        Thumbnail thumbnail{place->id, {}, {}};
        try {
            thumbnail.rgba = paint_thumbnail(place->location, palettes, stop);
        } catch (const std::exception& error) {
            // Travels back as a value; a place without a picture can still be opened.
            thumbnail.problem = error.what();
        }
        if (stop.stop_requested()) return;
        const std::lock_guard lock{mutex_};
        painting_.clear();
        done_.push_back(std::move(thumbnail));
    }
}

GLuint Thumbnails::texture(const Place& place) {
    const auto found = entries_.find(place.id);
    if (found == entries_.end()) {
        wishes_.push_back(place);
        return 0;
    }
    found->second.last_used = frame_;
    return found->second.texture ? found->second.texture->id() : 0;
}

void Thumbnails::update() {
    ++frame_;
    // Also an empty list, once: what scrolled out of sight need not be painted.
    if (!wishes_.empty() || wished_before_) painter_.want(wishes_);
    wished_before_ = !wishes_.empty();
    wishes_.clear();
    if (const std::optional<Thumbnail> fresh = painter_.take()) keep(*fresh);
}

void Thumbnails::keep(const Thumbnail& thumbnail) {
    if (entries_.size() >= kMostTextures) {
        entries_.erase(std::min_element(
            entries_.begin(), entries_.end(),
            [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; }));
    }
    Entry& entry = entries_[thumbnail.id];
    entry.last_used = frame_;
    if (thumbnail.rgba.empty()) return;
    entry.texture.emplace();
    const GLuint id = entry.texture->id();
    GL_CHECK(glTextureStorage2D(id, 1, GL_RGBA8, kThumbnailWidth, kThumbnailHeight));
    glTextureParameteri(id, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(id, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(id, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(id, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    GL_CHECK(glTextureSubImage2D(id, 0, 0, 0, kThumbnailWidth, kThumbnailHeight, GL_RGBA,
                                 GL_UNSIGNED_BYTE, thumbnail.rgba.data()));
}

void Thumbnails::forget(const std::string& id) { entries_.erase(id); }

}  // namespace warpscope
