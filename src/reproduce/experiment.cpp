#include "asperity/reproduce/experiment.hpp"

#include <cmath>

namespace asperity::reproduce {

std::string_view to_text(Source source) noexcept {
  switch (source) {
    case Source::closed_form:
      return "closed form";
    case Source::converged_run:
      return "converged run";
    case Source::same_step:
      return "independent run, same step";
    case Source::second_way:
      return "this program, a second way";
    default:
      return "paper";
  }
}

std::string_view verdict(const Fact& fact) noexcept {
  if (!fact.expected) return "measured";
  return std::abs(fact.value - fact.expected->value) <= fact.expected->tolerance ? "passed" : "failed";  // nan fails
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (auto&& chapter : {xiong2013_inclusions(), xiong2013_multistate(), xiong2013_contact(), specker2014(), kikuuwe_fujimoto(),
                           kikuuwe_yamamoto()})
      list.insert(list.end(), chapter.begin(), chapter.end());
    return list;
  }();
  return all;
}

}  // namespace asperity::reproduce
