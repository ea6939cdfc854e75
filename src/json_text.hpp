// JSON as every command prints it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace asperity {

/// Of the keys: 1 is 0.2.0. It grows when a key changes its meaning or is gone; new keys do not change it.
constexpr int json_schema = 1;

/// With the schema before the facts. Bytes that are no UTF-8 become the replacement character. indent -1: in one line.
inline std::string json_text(nlohmann::ordered_json facts, int indent = 2) {
  nlohmann::ordered_json all{{"schema", json_schema}};
  for (const auto& [key, value] : facts.items()) all[key] = std::move(value);
  return all.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace asperity
