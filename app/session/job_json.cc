// SPDX-License-Identifier: MIT
#include "app/session/job_json.h"

#include "app/session/clamp.h"
#include "app/session/location.h"

namespace warpscope {
namespace {

Precision precision_from(const JsonFields& fields) {
    const std::string name = fields.text("precision");
    for (const Precision precision : {Precision::kFloat, Precision::kDf64, Precision::kDouble}) {
        if (precision_name(precision) == name) return precision;
    }
    throw JsonError{fields.path("precision") + " must be float, df64 or double"};
}

Formula formula_from(const JsonFields& fields) {
    try {
        return find_formula(fields.text("formula"), fields.whole("power", 2));
    } catch (const std::invalid_argument& error) {
        throw JsonError{fields.path("formula") + ": " + error.what()};
    }
}

}  // namespace

nlohmann::json to_json(const FrameJob& job) {
    return {{"formula", info(job.formula).key},
            {"power", info(job.formula).power},
            {"julia", job.julia},
            {"julia_re", job.julia_re},
            {"julia_im", job.julia_im},
            {"precision", precision_name(job.precision)},
            {"center_re", job.center_re},
            {"center_im", job.center_im},
            {"spacing", job.spacing},
            {"shift_x", job.shift_x},
            {"shift_y", job.shift_y},
            {"width", job.width},
            {"height", job.height},
            {"max_iter", job.limit},
            {"bailout", job.bailout}};
}

FrameJob job_from(const JsonFields& fields) {
    constexpr int kMaxEdge = 32768;
    FrameJob job;
    job.formula = formula_from(fields);
    job.julia = fields.flag("julia");
    job.julia_re = fields.number("julia_re");
    job.julia_im = fields.number("julia_im");
    job.precision = precision_from(fields);
    job.center_re = fields.number("center_re");
    job.center_im = fields.number("center_im");
    job.spacing = fields.number("spacing");
    job.shift_x = fields.number("shift_x");
    job.shift_y = fields.number("shift_y");
    job.width = fields.whole("width", 1, kMaxEdge);
    job.height = fields.whole("height", 1, kMaxEdge);
    job.limit = fields.whole<std::uint32_t>("max_iter", 1, static_cast<std::uint32_t>(kMaxLimit));
    job.bailout = fields.number("bailout");
    return job;
}

}  // namespace warpscope
