// SPDX-License-Identifier: MIT
// Where backends write and the presenter reads. Two buffer objects: the front is shown, the back is
// being filled; publish() swaps them. A frame that is shown while it is still coarse is refined in
// the front itself. Where CUDA and OpenGL share a GPU the backend writes into the buffers
// themselves, else into host memory that is uploaded. Callers see no difference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/engine/backend.h"
#include "render/interop.h"
#include "render/objects.h"
#include "render/sample_grid.h"
#include "render/sample_mover.h"

namespace warpscope {

/// How samples travel from the backend to OpenGL.
enum class SamplePath : std::uint8_t { kHostCopy, kShared };

/// Which of the two buffers.
enum class Side : std::uint8_t { kFront, kBack };

/// What the last frame's way to OpenGL cost; times are spent on the CPU.
struct TransferStats {
    double map_ms = 0, unmap_ms = 0;  ///< summed over the frame's maps
    double upload_ms = 0;             ///< 0 where the buffer is shared
    std::size_t bytes_uploaded = 0;   ///< 0 where the buffer is shared
};

/// The OpenGL context must be current in every call and when it ends.
class SampleBuffer {
  public:
    /// From now on `backend` fills it; shared where `verdict` is active and the backend computes on
    /// that device. Borrows the backend until the next use() or release(). What is in front stays;
    /// an unfinished frame is lost and must have been cancelled. The other backend must still live.
    void use(Backend& backend, const InteropVerdict& verdict);

    /// Forgets the backend and what it was lent: call it before the backend ends without another.
    void release() noexcept;

    /// Frames are `width` x `height` samples from now on, 1 to 32768 each. What is in front stays
    /// as it is until the next publish(). An unfinished frame is lost and must have been cancelled.
    void resize(int width, int height);

    /// Whether the front's samples can be carried over into a frame of the present size: not after
    /// use(), and not from a frame of another size.
    bool can_carry() const noexcept;

    /// Moves samples of the front to the back, before the back's first map(): its sample (x, y)
    /// becomes the front's (x + dx, y + dy) wherever that is one. Others are undefined. Only where
    /// can_carry(). Throws GlError, InteropError, BackendError.
    void carry_over(int dx, int dy);

    /// Where the backend shall write now: into the next frame, or into the one in front (whose
    /// samples a resize() before loses). A buffer is registered with CUDA here, once after each
    /// change of its size. Throws InteropError where sharing fails (then use() with an inactive
    /// verdict), GlError, BackendError where there is no memory.
    Target map(Side side = Side::kBack);

    /// Ends what map() began; the frame may go on with another map(). Throws InteropError.
    void unmap();

    /// The back can be shown: it becomes the front, uploaded first where it lies in host memory.
    /// Throws GlError.
    void publish();

    /// The front was written to and can be shown: uploads it where it lies in host memory.
    /// Throws GlError.
    void refresh();

    /// What to show; width 0 before the first publish(). Borrowed until the next publish().
    SampleGrid front() const noexcept;

    /// The front's samples, as OpenGL reads them. Waits for the GPU. Throws GlError.
    std::vector<Sample> read_front() const;

    SamplePath path() const noexcept { return path_; }
    TransferStats stats() const noexcept { return stats_; }

  private:
    struct Slot {
        GlBuffer buffer;
        std::optional<SharedBuffer> shared;  // declared after, so that it ends before the buffer
        HostSamples host;                    // of the backend in use; with the buffer's size
        int width = 0, height = 0;
    };

    Slot& slot(Side side) noexcept { return slots_[side == Side::kFront ? front_ : 1 - front_]; }
    std::size_t bytes() const noexcept;
    void prepare(Slot& slot);
    void begin_mapping() noexcept;
    void upload(Slot& slot);

    Backend* backend_ = nullptr;
    SamplePath path_ = SamplePath::kHostCopy;
    int cuda_device_ = -1;
    std::array<Slot, 2> slots_;
    std::size_t front_ = 0;
    int width_ = 0, height_ = 0;
    Side mapped_ = Side::kBack;
    bool filled_by_this_ = false;  // the front, by the backend in use
    bool fresh_frame_ = true;      // the next map() is a frame's first
    std::optional<SampleMover> mover_;
    TransferStats current_, stats_;
};

}  // namespace warpscope
