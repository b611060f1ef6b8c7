// SPDX-License-Identifier: MIT
#include "render/gpu_timer.h"

namespace warpscope {
namespace {

GLuint64 result(const GlTimestamp& query) {
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(query.id(), GL_QUERY_RESULT, &nanoseconds);
    return nanoseconds;
}

bool available(const GlTimestamp& query) {
    GLint ready = GL_FALSE;
    glGetQueryObjectiv(query.id(), GL_QUERY_RESULT_AVAILABLE, &ready);
    return ready == GL_TRUE;
}

}  // namespace

void GpuTimer::begin() {
    latest_ms();  // makes room
    open_ = pending_ < kSpans;
    if (open_) glQueryCounter(spans_[(first_ + pending_) % kSpans].begin.id(), GL_TIMESTAMP);
}

void GpuTimer::end() {
    if (!open_) return;
    glQueryCounter(spans_[(first_ + pending_) % kSpans].end.id(), GL_TIMESTAMP);
    ++pending_;
    open_ = false;
}

std::optional<double> GpuTimer::latest_ms() {
    while (pending_ > 0 && available(spans_[first_].end)) {
        const Span& span = spans_[first_];
        latest_ = 1e-6 * static_cast<double>(result(span.end) - result(span.begin));
        first_ = (first_ + 1) % kSpans;
        --pending_;
    }
    return latest_;
}

}  // namespace warpscope
