// What the user has left out of how terms are relaxed: by the step, the effective masses and the rules of stability and accuracy.
#pragma once

#include <string>
#include <vector>

#include "asperity/inclusion/text.hpp"

namespace asperity {

class ParameterChoice {
 public:
  ParameterChoice(const TextInclusion& model, double step, std::vector<std::string>& notes, std::vector<InclusionProblem>& problems)
      : model_(model), step_(step), notes_(notes), problems_(problems) {}

  void choose(TextInclusion::DioTerm& term, std::size_t number, const Relaxation& wish);
  void choose(TextInclusion::SgnTerm& term, std::size_t number, const Relaxation& wish);

 private:
  double mass(std::size_t first_result, std::size_t count) const;
  double shared_mass(std::size_t first_result, std::size_t count) const;
  bool can_choose(const std::string& term, double effective);
  void say(const std::string& name, const std::string& term, const std::vector<std::string>& chosen, double effective);
  template <class Law>
  void check_parameters(const std::string& term, const Law& law);

  const TextInclusion& model_;
  double step_;
  std::vector<std::string>& notes_;
  std::vector<InclusionProblem>& problems_;
};

}  // namespace asperity
