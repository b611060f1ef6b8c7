// SPDX-License-Identifier: MIT
// Which of the number types a processor does well: measured, since no name tells it reliably.
#pragma once

#include "kernels/deep/precision.h"
#include "kernels/engine/backend.h"

namespace warpscope {

/// Whether `backend` iterates df64 faster than double: times both on pixels that stay inside, as
/// many as take some milliseconds, three times each. Needs no frame to be running; gives up what
/// is. Throws BackendError.
Df64Speed measure_df64(Backend& backend);

}  // namespace warpscope
