// The facts as a JSON object, for those who show some of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "asperity/facts/facts.hpp"

namespace asperity::facts {

using Json = nlohmann::ordered_json;

Json json_of(const Facts& facts);
/// Bytes that are no UTF-8 become the replacement character.
std::string text_of(const Json& json);

}  // namespace asperity::facts
