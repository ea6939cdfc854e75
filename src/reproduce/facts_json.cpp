#include "asperity/reproduce/facts_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace asperity::reproduce {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

std::string facts_json(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Result& result : results) {
    if (!result.failure.empty()) {
      list.push_back(
          {{"id", result.experiment->id}, {"fact", "can be carried out"}, {"verdict", "failed"}, {"problem", result.failure}});
      continue;
    }
    for (const Fact& fact : result.findings.facts) {
      Json entry{{"id", result.experiment->id}, {"fact", fact.name}, {"unit", fact.unit}, {"value", number(fact.value)}};
      entry["at"] = fact.at;
      entry["expected"] = fact.expected ? number(fact.expected->value) : Json();
      entry["tolerance"] = fact.expected ? number(fact.expected->tolerance) : Json();
      entry["verdict"] = verdict(fact);
      entry["source"] = fact.expected ? Json(to_text(fact.expected->source)) : Json();
      entry["from"] = fact.expected ? Json(fact.expected->from) : Json();
      entry["doubts"] = lines_of(result.findings.doubts);
      entry["doubted"] = result.findings.doubted;
      list.push_back(std::move(entry));
    }
  }
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace asperity::reproduce
