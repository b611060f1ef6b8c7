// SPDX-License-Identifier: MIT
#include "app/overlay_pair.h"

namespace warpscope {

TypePair usual_types(std::optional<Precision> automatic, Df64Speed df64) {
    const bool pairs = df64 == Df64Speed::kFaster;
    switch (automatic.value_or(Precision::kDouble)) {
        case Precision::kFloat:
            return {Precision::kFloat, pairs ? Precision::kDf64 : Precision::kDouble};
        case Precision::kDf64:
            return {Precision::kFloat, Precision::kDf64};
        case Precision::kDouble:
            break;
    }
    return {pairs ? Precision::kDf64 : Precision::kFloat, Precision::kDouble};
}

std::string usual_rival(std::string_view running, Gpu gpu) {
    if (running == "cuda") return "cpu";
    if (gpu == Gpu::kPresent) return "cuda";
    return running == "cpu-scalar" ? "cpu" : "cpu-scalar";
}

std::vector<std::string> rivals(Gpu gpu) {
    std::vector<std::string> all{"cpu-scalar", "cpu-simd", "cpu-threads", "cpu"};
    if (gpu == Gpu::kPresent) all.emplace_back("cuda");
    return all;
}

PairContext pair_context(const Explorer& explorer, const State& state, int height, Gpu gpu) {
    return {.shown = explorer.wanted().precision,
            .automatic = choose_precision(state.scene.view, height, explorer.df64_speed()),
            .df64 = explorer.df64_speed(),
            .running = explorer.backend().info().name,
            .gpu = gpu};
}

TypePair types_of(const OverlayChoice& choice, const PairContext& context) {
    return choice.types.value_or(usual_types(context.automatic, context.df64));
}

std::string rival_of(const OverlayChoice& choice, const PairContext& context) {
    if (!choice.rival.empty()) return choice.rival;
    return usual_rival(context.running, context.gpu);
}

std::vector<Companion> companions_for(const OverlayChoice& choice, const PairContext& context) {
    std::vector<Companion> wanted;
    if (choice.kind == OverlayKind::kXray) {
        for (const Precision type : types_of(choice, context)) {
            if (type != context.shown) wanted.push_back({.precision = type, .backend = {}});
        }
    } else if (choice.kind == OverlayKind::kSplit) {
        wanted.push_back({.precision = {}, .backend = rival_of(choice, context), .live = true});
    }
    return wanted;
}

TypePair with_type(TypePair pair, std::size_t index, Precision precision) {
    std::size_t other = 1 - index;
    if (pair[other] == precision) pair[other] = pair[index];
    pair[index] = precision;
    return pair;
}

}  // namespace warpscope
