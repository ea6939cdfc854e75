#include "asperity/formula/formula.hpp"

#include <fmt/format.h>

#include "asperity/trace.hpp"

namespace asperity {

std::optional<TimeFunction> time_function(std::string_view place, const std::string& formula, Problems& problems) {
  std::vector<FormulaProblem> found(1);
  const auto read = Formula::read(formula, found[0]);
  if (read) found = read->unknown_names({"t"});
  for (const FormulaProblem& problem : found) problems.push_back(fmt::format("{} \"{}\": {}", place, formula, to_text(problem)));
  if (!found.empty()) return std::nullopt;
  return [compiled = *read, names = read->names().size()](double t) {
    return compiled.value<double>(std::span<const double>(&t, names));  // a constant has no name
  };
}

}  // namespace asperity
