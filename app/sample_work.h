// SPDX-License-Identifier: MIT
// Lets an explorer's work write into a buffer that OpenGL reads.
#pragma once

#include "app/session/explorer.h"
#include "render/sample_buffer.h"

namespace warpscope {

/// Works for about `budget_ms` on what `explorer` is working() on; what is finished is in the
/// buffer's front. Returns whether it is. Throws BackendError, InteropError and GlError.
bool work_into(SampleBuffer& buffer, Explorer& explorer, double budget_ms);

}  // namespace warpscope
