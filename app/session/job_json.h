// SPDX-License-Identifier: MIT
// A frame's job as JSON, and back, bit for bit.
#pragma once

#include <nlohmann/json.hpp>

#include "app/session/json_fields.h"
#include "kernels/math/sample.h"

namespace warpscope {

/// {"formula", "power", "julia", "precision", "center_re", …, "width", "height", "max_iter",
/// "bailout"}.
nlohmann::json to_json(const FrameJob& job);

/// What to_json() wrote. Throws JsonError. Whether it can be computed is check_job()'s to say.
FrameJob job_from(const JsonFields& fields);

}  // namespace warpscope
