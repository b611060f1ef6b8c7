// SPDX-License-Identifier: MIT
#include "app/session/json_fields.h"

#include <utility>

namespace warpscope {

double json_number(const nlohmann::json& value, const std::string& where) {
    if (!value.is_number()) throw JsonError{where + " must be a number"};
    return value.get<double>();
}

JsonFields::JsonFields(const nlohmann::json& object, std::string where)
    : object_{object}, where_{std::move(where)} {
    if (object.is_object()) return;
    throw JsonError{(where_.empty() ? "the content" : where_) + " must be an object"};
}

const nlohmann::json& JsonFields::at(std::string_view key) const {
    const auto found = object_.find(std::string{key});
    if (found == object_.end()) throw JsonError{path(key) + " is missing"};
    return *found;
}

std::string JsonFields::text(std::string_view key) const {
    const nlohmann::json& value = at(key);
    if (!value.is_string()) throw JsonError{path(key) + " must be a string"};
    return value.get<std::string>();
}

bool JsonFields::flag(std::string_view key) const {
    const nlohmann::json& value = at(key);
    if (!value.is_boolean()) throw JsonError{path(key) + " must be true or false"};
    return value.get<bool>();
}

const nlohmann::json& JsonFields::list(std::string_view key,
                                       std::optional<std::size_t> size) const {
    const nlohmann::json& value = at(key);
    if (!value.is_array()) throw JsonError{path(key) + " must be a list"};
    if (size && value.size() != *size) {
        throw JsonError{path(key) + " has " + std::to_string(value.size()) + " items, not " +
                        std::to_string(*size)};
    }
    return value;
}

std::string JsonFields::path(std::string_view key) const {
    return where_.empty() ? std::string{key} : where_ + "." + std::string{key};
}

}  // namespace warpscope
