// SPDX-License-Identifier: MIT
// The guided tour: its steps as files, the conditions that say whether a step was done, and how far
// somebody has come. What facts there are, what they say now and how to set them is app/'s to know.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/command.h"

namespace warpscope {

/// A step's file cannot be read; the message names the file, the line, the key, and what is
/// accepted.
struct TourError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A flag, a number or a word.
using FactValue = std::variant<bool, double, std::string>;

/// What a step may set, or may look at.
enum class FactUse : std::uint8_t { kSet, kRead, kBoth };

/// Something that a step can name, e.g. "block_x", a number.
struct FactInfo {
    std::string name;
    FactValue kind;  ///< of this type its values are
    FactUse use = FactUse::kBoth;
    std::vector<std::string> words;  ///< accepted ones; empty: any
};

/// All that a step may name.
struct TourVocabulary {
    std::vector<FactInfo> facts;
    std::vector<std::string> controls;  ///< that a step may point at
};

/// Values of facts by name.
using TourFacts = std::map<std::string, FactValue, std::less<>>;

enum class Relation : std::uint8_t { kEqual, kNotEqual, kLess, kAtMost, kMore, kAtLeast };

/// "zoom >= 20": flags and words know kEqual and kNotEqual only.
struct TourCondition {
    std::string fact;
    Relation relation = Relation::kEqual;
    FactValue value;
};

/// One form of a step.
struct TourForm {
    std::string title, text;
    std::string task;     ///< what to do
    std::string done;     ///< what has been seen when it is done
    std::string control;  ///< what is pointed at
    TourFacts state;      ///< what the step begins with, besides the tour's own defaults
    std::vector<TourCondition> wanted;  ///< all must hold
};

struct TourStep {
    std::string id;  ///< "03-blocks"
    TourForm usual;
    std::optional<TourForm> without_gpu;  ///< where that is another

    const TourForm& form(bool gpu) const noexcept {
        return gpu || !without_gpu ? usual : *without_gpu;
    }
};

/// Reads a step; `id` is what messages call it. Keys that [without_gpu] lacks are the usual ones.
/// Throws TourError.
TourStep parse_tour_step(std::string_view id, std::string_view toml,
                         const TourVocabulary& vocabulary);

/// The built-in tour: assets/tour/NN-name.toml in the order of NN. Throws TourError.
std::vector<TourStep> load_tour(const TourVocabulary& vocabulary);

/// Whether all conditions hold. Each fact must be among `facts`.
bool hold(const std::vector<TourCondition>& conditions, const TourFacts& facts);

/// How far somebody has come.
class TourProgress {
  public:
    /// At the first of `steps` steps, 1 or more.
    explicit TourProgress(std::size_t steps) : done_(steps, false) {}

    std::size_t current() const noexcept { return current_; }
    std::size_t steps() const noexcept { return done_.size(); }
    bool done(std::size_t step) const { return done_.at(step); }

    /// Begins a step, done before or not. Beyond either end nothing happens.
    void go(std::size_t step);

    /// Whether the present step's condition holds now. The step is done when that becomes true: not
    /// where it was true from the start, since then nobody has done anything.
    void observe(bool holds);

  private:
    std::vector<bool> done_;
    std::size_t current_ = 0;
    bool was_false_ = false;  // since the step began
};

/// `now` with all that a tour may set as it was `before` the tour. What a tour leaves alone, such
/// as colours and the theme, stays as it is now.
State after_tour(State now, const State& before);

/// Commands that lead from `now` to `wanted` in what a tour may set.
std::vector<Command> commands_towards(const State& wanted, const State& now, int height);

}  // namespace warpscope
