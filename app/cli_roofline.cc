// SPDX-License-Identifier: MIT
// `warpscope roofline`.
#include <iostream>

#include "app/cli.h"
#include "app/final_steps.h"
#include "app/roofline_report.h"
#include "app/session/report.h"

namespace warpscope {

void run_roofline(const RooflineOptions& options) {
    check_outputs({options.json});
    RooflineRequest request;
    {
        const std::unique_ptr<Backend> backend = backend_from(options.view);
        request.backend = backend->info().name;
        request.job = job_from(options.view, *backend);
    }
    request.cuda_device = checked_device(options.view.device);
    request.tuning = tuning_from(options.view);
    request.scope = options.view_only ? RooflineScope::kView : RooflineScope::kViewAndDemos;
    const RooflineReport report = measure_roofline(
        request, {}, [last = std::string{}](double, const std::string& label) mutable {
            if (label == last) return;
            std::cerr << "measuring " << label << " …\n";
            last = label;
        });
    print_roofline(report);
    if (!options.json.empty()) write_json(options.json, to_json(report));
    if (!report.points.front().problem.empty()) {
        throw std::runtime_error{"the view has no figure: " + report.points.front().problem};
    }
}

}  // namespace warpscope
