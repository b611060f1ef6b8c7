// SPDX-License-Identifier: MIT
#include "app/session/tour.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/session/toml_fields.h"
#include "assets/assets.h"

namespace warpscope {
namespace {

constexpr std::string_view kFolder = "assets/tour/";

struct RelationSign {
    std::string_view sign;
    Relation relation;
};
/// Longer ones first: "<=" begins with "<".
constexpr std::array kSigns{
    RelationSign{"!=", Relation::kNotEqual}, RelationSign{"<=", Relation::kAtMost},
    RelationSign{">=", Relation::kAtLeast},  RelationSign{"<", Relation::kLess},
    RelationSign{">", Relation::kMore},      RelationSign{"=", Relation::kEqual}};

template <class Names>
std::string listed(const Names& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string{name};
    return text;
}

/// Reads one step; every problem ends it.
class StepReader {
  public:
    StepReader(std::string_view id, const TourVocabulary& vocabulary)
        : id_{id}, vocabulary_{vocabulary} {}

    [[noreturn]] void fail(int line, const std::string& what) const {
        throw TourError{"tour step '" + id_ +
                        "': " + (line > 0 ? "line " + std::to_string(line) + ": " : "") + what};
    }

    Fields fields(toml::table& table, std::string prefix) const {
        return {table, std::move(prefix),
                [this](int line, const std::string& what) { fail(line, what); }};
    }

    /// Overwrites what `table` has of `form`.
    void read_form(toml::table& table, const std::string& prefix, TourForm& form) const {
        Fields keys = fields(table, prefix);
        keys.take("title", form.title);
        keys.take("text", form.text);
        keys.take("task", form.task);
        keys.take("done", form.done);
        const int line = keys.take("point_at", form.control);
        if (line >= 0) check_control(line, prefix, form.control);
        if (toml::table* state = keys.subtable("state")) {
            form.state = read_state(*state, prefix + "state.");
            table.erase("state");
        }
        if (toml::table* wanted = keys.subtable("done_when")) {
            form.wanted = read_conditions(*wanted, prefix + "done_when.");
            table.erase("done_when");
        }
    }

    void refuse_rest(const toml::table& table, const std::string& prefix) const {
        if (table.empty()) return;
        const auto first = table.cbegin();
        fail(line_of(first->second),
             prefix + std::string{first->first.str()} +
                 " is not a key of a step; accepted: title, text, task, done, "
                 "point_at, [state], [done_when], [without_gpu]");
    }

    void require_all(const TourForm& form) const {
        require(form.title, "title");
        require(form.text, "text");
        require(form.task, "task");
        require(form.done, "done");
        require(form.control, "point_at");
        if (form.wanted.empty()) fail(0, "done_when is missing: a table of at least one condition");
    }

  private:
    void require(const std::string& text, const char* key) const {
        if (text.empty()) fail(0, std::string{key} + " is missing or empty");
    }

    void check_control(int line, const std::string& prefix, const std::string& control) const {
        if (std::ranges::find(vocabulary_.controls, control) != vocabulary_.controls.end()) return;
        fail(line, prefix + "point_at is no control, got '" + control +
                       "'; accepted: " + listed(vocabulary_.controls));
    }

    /// The fact of that name, which must not be of `other` use.
    const FactInfo& find_fact(int line, const std::string& where, std::string_view name,
                              FactUse other) const {
        std::vector<std::string_view> accepted;
        for (const FactInfo& fact : vocabulary_.facts) {
            if (fact.use == other) continue;
            if (fact.name == name) return fact;
            accepted.emplace_back(fact.name);
        }
        fail(line, where + std::string{name} + " is not known; accepted: " + listed(accepted));
    }

    FactValue read_value(const toml::node& node, const std::string& where,
                         const FactInfo& fact) const {
        const auto wrong = [&](const char* accepted) {
            fail(line_of(node), where + fact.name + " must be " + accepted + ", got " +
                                    std::string{type_name(node)});
        };
        if (std::holds_alternative<bool>(fact.kind)) {
            if (!node.is_boolean()) wrong("true or false");
            return *node.value<bool>();
        }
        if (std::holds_alternative<double>(fact.kind)) {
            const std::optional<double> number =
                node.is_number() ? node.value<double>() : std::nullopt;
            if (!number || !std::isfinite(*number)) wrong("a number");
            return *number;
        }
        if (!node.is_string()) wrong("a string");
        return check_word(line_of(node), where, *node.value<std::string>(), fact);
    }

    std::string check_word(int line, const std::string& where, std::string word,
                           const FactInfo& fact) const {
        if (!fact.words.empty() && std::ranges::find(fact.words, word) == fact.words.end()) {
            fail(line, where + fact.name + " is '" + word + "'; accepted: " + listed(fact.words));
        }
        return word;
    }

    TourFacts read_state(const toml::table& table, const std::string& where) const {
        TourFacts state;
        for (const auto& [key, node] : table) {
            const FactInfo& fact = find_fact(line_of(node), where, key.str(), FactUse::kRead);
            state[fact.name] = read_value(node, where, fact);
        }
        return state;
    }

    std::vector<TourCondition> read_conditions(const toml::table& table,
                                               const std::string& where) const {
        std::vector<TourCondition> conditions;
        for (const auto& [key, node] : table) {
            const FactInfo& fact = find_fact(line_of(node), where, key.str(), FactUse::kSet);
            conditions.push_back(read_condition(node, where, fact));
        }
        return conditions;
    }

    /// A value, which must be equal, or a string with a sign before it.
    TourCondition read_condition(const toml::node& node, const std::string& where,
                                 const FactInfo& fact) const {
        const bool number = std::holds_alternative<double>(fact.kind);
        if (!node.is_string() || std::holds_alternative<bool>(fact.kind)) {
            return {fact.name, Relation::kEqual, read_value(node, where, fact)};
        }
        std::string rest = *node.value<std::string>();
        Relation relation = Relation::kEqual;
        for (const RelationSign& sign : kSigns) {
            if (!rest.starts_with(sign.sign)) continue;
            relation = sign.relation;
            rest.erase(0, std::max(rest.find_first_not_of(' ', sign.sign.size()), std::size_t{1}));
            break;
        }
        if (number) return {fact.name, relation, read_number(node, where, fact, rest)};
        if (relation != Relation::kEqual && relation != Relation::kNotEqual) {
            fail(line_of(node), where + fact.name + " is a word; it knows = and != only");
        }
        return {fact.name, relation, check_word(line_of(node), where, rest, fact)};
    }

    double read_number(const toml::node& node, const std::string& where, const FactInfo& fact,
                       const std::string& text) const {
        double number = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc{} || stop != end || !std::isfinite(number)) {
            fail(line_of(node), where + fact.name + " is '" + *node.value<std::string>() +
                                    "'; accepted: a number, or a sign of " + signs() +
                                    " and a number, as in \">= 20\"");
        }
        return number;
    }

    static std::string signs() {
        std::vector<std::string_view> names;
        for (const RelationSign& sign : kSigns) names.push_back(sign.sign);
        return listed(names);
    }

    std::string id_;
    const TourVocabulary& vocabulary_;
};

bool compare(Relation relation, double a, double b) {
    switch (relation) {
        case Relation::kEqual:
            return a == b;
        case Relation::kNotEqual:
            return a != b;
        case Relation::kLess:
            return a < b;
        case Relation::kAtMost:
            return a <= b;
        case Relation::kMore:
            return a > b;
        case Relation::kAtLeast:
            return a >= b;
    }
    return false;
}

bool holds(const TourCondition& condition, const FactValue& value) {
    const double* a = std::get_if<double>(&value);
    const double* b = std::get_if<double>(&condition.value);
    if (a != nullptr && b != nullptr) return compare(condition.relation, *a, *b);
    return (value == condition.value) == (condition.relation == Relation::kEqual);
}

}  // namespace

TourStep parse_tour_step(std::string_view id, std::string_view text,
                         const TourVocabulary& vocabulary) {
    const StepReader reader{id, vocabulary};
    toml::table root;
    try {
        root = parse_toml(text, id);
    } catch (const toml::parse_error& error) {
        reader.fail(static_cast<int>(error.source().begin.line), std::string{error.description()});
    }
    TourStep step;
    step.id = id;
    reader.read_form(root, "", step.usual);
    reader.require_all(step.usual);
    Fields keys = reader.fields(root, "");
    if (toml::table* other = keys.subtable("without_gpu")) {
        step.without_gpu = step.usual;
        reader.read_form(*other, "without_gpu.", *step.without_gpu);
        reader.refuse_rest(*other, "without_gpu.");
        reader.require_all(*step.without_gpu);
        root.erase("without_gpu");
    }
    reader.refuse_rest(root, "");
    return step;
}

std::vector<TourStep> load_tour(const TourVocabulary& vocabulary) {
    std::vector<TourStep> steps;
    for (const std::string_view path : asset_paths(kFolder)) {
        std::string_view id = path.substr(kFolder.size());
        id.remove_suffix(std::string_view{".toml"}.size());
        steps.push_back(parse_tour_step(id, asset(path), vocabulary));
    }
    return steps;
}

bool hold(const std::vector<TourCondition>& conditions, const TourFacts& facts) {
    return std::ranges::all_of(conditions, [&facts](const TourCondition& condition) {
        return holds(condition, facts.at(condition.fact));
    });
}

void TourProgress::go(std::size_t step) {
    if (step >= done_.size()) return;
    current_ = step;
    was_false_ = false;
}

void TourProgress::observe(bool holds) {
    if (!holds) was_false_ = true;
    if (holds && was_false_) done_[current_] = true;
}

State after_tour(State now, const State& before) {
    now.scene = before.scene;
    now.backend = before.backend;
    now.tuning = before.tuning;
    now.paused = before.paused;
    now.settings.timeline = before.settings.timeline;
    return now;
}

std::vector<Command> commands_towards(const State& wanted, const State& now, int height) {
    std::vector<Command> commands;
    if (!(wanted.scene == now.scene)) commands.emplace_back(SetScene{wanted.scene, height});
    if (wanted.backend != now.backend) commands.emplace_back(SetBackend{wanted.backend});
    if (!(wanted.tuning == now.tuning)) commands.emplace_back(SetTuning{wanted.tuning});
    if (wanted.paused != now.paused) commands.emplace_back(TogglePause{});
    if (wanted.settings.timeline != now.settings.timeline) {
        commands.emplace_back(ToggleTimeline{});
    }
    return commands;
}

}  // namespace warpscope
