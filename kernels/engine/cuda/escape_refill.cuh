// SPDX-License-Identifier: MIT
// The refill kernel: warps that live until the queue is empty. [Aila and Laine, "Understanding the
// efficiency of ray traversal on GPUs", 2009, has persistent warps that replace finished rays]
//
// All lanes of a warp step together for a pass of 8, 32 or 64 steps, without a look at |z|. Orbits
// that ended the pass outside are put aside as they were before it, 64 places a warp in shared
// memory, and as soon as there are 32 of them all lanes replay one each: no lane waits for
// another's replay. Lanes that are free take the next pixels once there are kRefillAt of them.
#pragma once

#include "kernels/engine/cuda/escape_kernels.cuh"

namespace warpscope::kernels {

inline constexpr unsigned kRefillAt = 8;
inline constexpr unsigned kChunk = 64;         // places a warp takes from the queue at a time
inline constexpr unsigned kAside = 64;         // orbits a warp can put aside
inline constexpr unsigned kPassesPerLook = 8;  // at the clock
inline constexpr std::uint32_t kMiddleSteps = 256;
inline constexpr int kLongBlock = 64, kUnrolled = 16;

/// Orbits put aside by one warp, in shared memory; one array per field spares bank conflicts.
template <class T>
struct Aside {
    T x[kAside], y[kAside];
    std::uint32_t n[kAside], pixel[kAside];
};

__device__ inline unsigned long long now_ns() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/// Place `index` of the queue's pixels, as x + 65536 y; kNoPixel where the place is empty.
inline constexpr std::uint32_t kNoPixel = 0xffffffffu;
__device__ inline std::uint32_t pixel_at(const Queue& queue, unsigned long long index) {
    for (int i = 0; i < queue.part_count; ++i) {
        const Part& part = queue.parts[i];
        const unsigned columns = static_cast<unsigned>(part.columns());
        const unsigned rows = static_cast<unsigned>(part.rows());
        const unsigned tiles_x = (columns + 7) / 8, tiles_y = (rows + 3) / 4;
        const unsigned places = tiles_x * tiles_y * kWarp;
        if (index >= places) {
            index -= places;
            continue;
        }
        const unsigned place = static_cast<unsigned>(index);
        const unsigned tile = place / kWarp, in_tile = place % kWarp;
        const unsigned column = tile % tiles_x * 8 + in_tile % 8;
        const unsigned row = tile / tiles_x * 4 + in_tile / 8;
        if (column >= columns || row >= rows) return kNoPixel;
        const unsigned x = static_cast<unsigned>(part.x0) + column * part.step_x;
        const unsigned y = static_cast<unsigned>(part.y0) + row * part.step_y;
        return x | y << 16;
    }
    return kNoPixel;
}

/// One warp's work. Everything not marked lane-wise is equal in all lanes.
template <class F, class T>
class Warp {
  public:
    __device__ Warp(const Plane<T>& plane, const Queue& queue, Aside<T>& aside, WarpPlace at)
        : plane_{plane},
          queue_{queue},
          aside_{aside},
          lane_{at.lane},
          lanes_{at.lanes},
          mask_{at.mask} {
        unsigned long long start = 0;
        if (lane_ == 0) {
            const unsigned long long now = now_ns();
            start = atomicCAS(&queue.head->start, 0ull, now);
            if (start == 0) start = now;
        }
        deadline_ = __shfl_sync(mask_, start, 0) + queue.budget_ns;
    }

    /// Returns what the lane did.
    __device__ Tally work() {
        const unsigned enough = min(kRefillAt, lanes_);
        for (unsigned passes = 1;; ++passes) {
            const unsigned busy = __ballot_sync(mask_, active_);
            if (open_ && lanes_ - __popc(busy) >= enough) {
                refill(busy);
                continue;
            }
            if (busy == 0) break;
            if (passes % kPassesPerLook == 0 && now_ns() >= deadline_) {
                leave(busy);
                break;
            }
            pass();
        }
        if (put_aside_ > 0) replay(put_aside_);
        leave_range();
        tally_.lane_steps *= kWarp;
        return tally_;
    }

  private:
    /// Gives free lanes the next places of the warp's range, and takes a range where it is empty.
    __device__ void refill(unsigned busy) {
        if (next_ == end_) {
            unsigned long long got = 0;
            if (lane_ == 0) got = atomicAdd(&queue_.head->taken, std::uint64_t{kChunk});
            next_ = __shfl_sync(mask_, got, 0);
            const unsigned long long all = queue_.in_count + queue_.pixels - queue_.first_pixel;
            end_ = min(next_ + kChunk, all);
            if (next_ >= all) {
                next_ = end_ = 0;
                open_ = false;
                return;
            }
            if (now_ns() >= deadline_) open_ = false;  // leave_range() gives the range back
            if (!open_) return;
        }
        const unsigned free_below = __popc(~busy & below());
        const unsigned long long place = next_ + free_below;
        if (!active_ && place < end_) take(place);
        next_ = min(next_ + lanes_ - __popc(busy), end_);
    }

    __device__ void take(unsigned long long place) {
        if (place < queue_.in_count) {
            const WaitingOrbit& waiting = queue_.in[place];
            pixel_ = waiting.pixel;
            n_ = waiting.n;
            z_ = *reinterpret_cast<const Complex<T>*>(waiting.z);
        } else {
            pixel_ = pixel_at(queue_, place - queue_.in_count + queue_.first_pixel);
            n_ = 0;
        }
        if (pixel_ == kNoPixel) return;
        const Start<T> start = start_of(plane_, x(pixel_), y(pixel_));
        c_ = start.c;
        if (n_ == 0) z_ = start.z;
        kept_ = z_;
        active_ = true;
        if (n_ == 0 && known_inside<F>(plane_, queue_.shortcuts, c_)) finish_inside();
    }

    /// All lanes step on; lanes without an orbit step some old one, to no effect.
    __device__ void pass() {
        Complex<T> next = z_;
        std::uint32_t steps;
        if (__any_sync(mask_, active_ && n_ < kEarlySteps)) {
            steps = kEarlyBlock;
#pragma unroll
            for (int i = 0; i < kEarlyBlock; ++i) next = F::step(next, c_);
        } else {
            steps = __any_sync(mask_, active_ && n_ < kMiddleSteps) ? kBlock : kLongBlock;
            for (std::uint32_t done = 0; done < steps; done += kUnrolled) {
#pragma unroll
                for (int i = 0; i < kUnrolled; ++i) next = F::step(next, c_);
            }
        }
        tally_.lane_steps += steps;
        bool aside = false;
        if (active_) {
            if (plane_.limit - n_ >= steps && scalar::norm(next) <= plane_.radius2) {
                const std::uint32_t before = n_;
                z_ = next;
                n_ += steps;
                if (n_ == plane_.limit) {
                    finish_inside();
                } else if (queue_.shortcuts.periodicity) {
                    watch(before);
                }
            } else {
                aside = true;
                active_ = false;
            }
        }
        put_aside(aside);
    }

    /// [Brent 1980], see CycleWatch: z is kept whenever n has passed a power of two.
    __device__ void watch(std::uint32_t before) {
        if (scalar::same(z_.x, kept_.x) && scalar::same(z_.y, kept_.y)) {
            finish_inside();
        } else if ((before ^ n_) > before) {
            kept_ = z_;
        }
    }

    __device__ void finish_inside() {
        write(pixel_, {0, 0});
        tally_.iterations += plane_.limit;
        tally_.executed += n_;
        active_ = false;
    }

    __device__ void put_aside(bool mine) {
        const unsigned leaving = __ballot_sync(mask_, mine);
        if (leaving == 0) return;
        if (mine) {
            const unsigned at = put_aside_ + __popc(leaving & below());
            aside_.x[at] = z_.x;
            aside_.y[at] = z_.y;
            aside_.n[at] = n_;
            aside_.pixel[at] = pixel_;
        }
        put_aside_ += __popc(leaving);
        if (put_aside_ >= lanes_) replay(lanes_);
    }

    /// Runs the last `count` orbits put aside to their end, one a lane: they leave within a block,
    /// or reach the limit.
    __device__ void replay(unsigned count) {
        __syncwarp(mask_);
        put_aside_ -= count;
        std::uint32_t steps = 0;
        if (lane_ < count) {
            const unsigned at = put_aside_ + lane_;
            const std::uint32_t pixel = aside_.pixel[at], from = aside_.n[at];
            const Complex<T> c = start_of(plane_, x(pixel), y(pixel)).c;
            const Orbit<T> orbit =
                scalar::escape<F, 1>(Orbit<T>{{aside_.x[at], aside_.y[at]}, from, false}, c,
                                     plane_.limit, plane_.radius2);
            steps = orbit.n - from;
            write(pixel, orbit.escaped ? sample_of(plane_, orbit.z, orbit.n) : Sample{0, 0});
            tally_.iterations += orbit.n;
            tally_.executed += orbit.n;
        }
        __syncwarp(mask_);
        tally_.lane_steps += __shfl_sync(mask_, warp_max(steps, mask_, lane_, lanes_), 0);
    }

    /// Time is up: running orbits go to the list.
    __device__ void leave(unsigned busy) {
        const unsigned at = room_for(__popc(busy)) + __popc(busy & below());
        if (active_) list(at, z_, n_, pixel_);
        active_ = false;
    }

    /// Gives back what is left of the warp's range.
    __device__ void leave_range() {
        const auto count = static_cast<unsigned>(end_ - next_);
        if (count == 0) return;
        const unsigned first = room_for(count);
        for (unsigned i = lane_; i < count; i += lanes_) {
            const unsigned long long place = next_ + i;
            if (place < queue_.in_count) {
                queue_.out[first + i] = queue_.in[place];
                continue;
            }
            const Complex<T> none{NumberTraits<T>::lift(0), NumberTraits<T>::lift(0)};
            list(first + i, none, 0,
                 pixel_at(queue_, place - queue_.in_count + queue_.first_pixel));
        }
    }

    __device__ unsigned room_for(unsigned count) const {
        unsigned first = 0;
        if (lane_ == 0) first = atomicAdd(&queue_.head->left, count);
        return __shfl_sync(mask_, first, 0);
    }

    __device__ void list(unsigned at, Complex<T> z, std::uint32_t n, std::uint32_t pixel) const {
        WaitingOrbit& out = queue_.out[at];
        *reinterpret_cast<Complex<T>*>(out.z) = z;
        out.n = n;
        out.pixel = pixel;
    }

    __device__ void write(std::uint32_t pixel, Sample sample) const {
        queue_.samples[static_cast<std::size_t>(y(pixel)) * plane_.width + x(pixel)] = sample;
    }

    __device__ static int x(std::uint32_t pixel) { return static_cast<int>(pixel & 0xffff); }
    __device__ static int y(std::uint32_t pixel) { return static_cast<int>(pixel >> 16); }

    const Plane<T>& plane_;
    const Queue& queue_;
    Aside<T>& aside_;
    __device__ unsigned below() const { return (1u << lane_) - 1; }

    unsigned lane_, lanes_, mask_;
    unsigned long long deadline_, next_ = 0, end_ = 0;  // the warp's range of places
    unsigned put_aside_ = 0;
    bool open_ = true;  // the queue may have more
    // Lane-wise: the orbit at work.
    bool active_ = false;
    std::uint32_t n_ = 0, pixel_ = 0;
    Complex<T> z_{}, c_{}, kept_{};
    Tally tally_;  // lane_steps: per lane, equal in all
};

template <class F, class T>
__global__ void __launch_bounds__(1024) escape_refill(const WARPSCOPE_GRID_CONSTANT Plane<T> plane,
                                                      const WARPSCOPE_GRID_CONSTANT Queue queue) {
    extern __shared__ double aside_bytes[];
    const WarpPlace at = warp_place();
    Warp<F, T> worker{plane, queue, reinterpret_cast<Aside<T>*>(aside_bytes)[at.warp], at};
    add_warp(queue.slots, worker.work());
}

}  // namespace warpscope::kernels
