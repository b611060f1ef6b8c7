// SPDX-License-Identifier: MIT
// Small pictures of places, made when they are first looked at: computed on one CPU thread that
// yields to the live view, coloured as the window would, and kept as OpenGL textures.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/session/palette.h"
#include "app/session/places.h"
#include "render/objects.h"

namespace warpscope {

/// Size of a thumbnail in pixels: sharp at an interface scale of 2.
inline constexpr int kThumbnailWidth = 320, kThumbnailHeight = 180;

/// A finished thumbnail; RGBA as colorize() writes it, row 0 on top.
struct Thumbnail {
    std::string id;                   ///< of the place
    std::vector<std::uint32_t> rgba;  ///< empty where `problem` is not
    std::string problem;
};

/// Computes and colours the picture of a place, four samples a pixel. A place without colours gets
/// the default ones. Empty when stopped. Throws BackendError.
std::vector<std::uint32_t> paint_thumbnail(const Location& location,
                                           const std::vector<Palette>& palettes,
                                           const std::stop_token& stop);

/// The thread that paints. Knows no OpenGL.
class ThumbnailPainter {
  public:
    ThumbnailPainter() = default;
    ~ThumbnailPainter();
    ThumbnailPainter(const ThumbnailPainter&) = delete;
    ThumbnailPainter& operator=(const ThumbnailPainter&) = delete;

    /// What is looked at now, first come first painted, instead of what was asked for before.
    void want(std::vector<Place> places);

    /// A finished thumbnail, if there is one.
    std::optional<Thumbnail> take();

  private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<Place> wanted_;
    std::vector<Thumbnail> done_;
    std::string painting_;  // id of what is at work
    std::jthread thread_;   // starts with the first wish
};

/// The textures. The OpenGL context is current in every call and when it ends.
class Thumbnails {
  public:
    /// What there is to draw for `place`: a texture name, or 0 while it is not painted yet, which
    /// also asks for it. Ask again every frame that shows it.
    GLuint texture(const Place& place);

    /// Once a frame, after the panels: uploads at most one picture and passes wishes on.
    void update();

    /// The place is gone or has changed.
    void forget(const std::string& id);

    /// Whether a picture that the newest frame asked for is still to come.
    bool painting() const noexcept { return wished_before_; }

    std::size_t size() const noexcept { return entries_.size(); }

  private:
    struct Entry {
        std::optional<GlTexture> texture;  // absent where painting failed
        std::uint64_t last_used = 0;       // frame
    };
    void keep(const Thumbnail& thumbnail);

    std::map<std::string, Entry> entries_;
    std::vector<Place> wishes_;
    bool wished_before_ = false;
    std::uint64_t frame_ = 0;
    ThumbnailPainter painter_;
};

}  // namespace warpscope
