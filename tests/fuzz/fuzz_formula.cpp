// Any bytes as a formula: what is read prints, reads back to the same tree, and can be evaluated; what is not read has a reason.
#include <cstdint>
#include <cstdlib>

#include "asperity/formula/formula.hpp"

using asperity::Dual;
using asperity::Formula;
using asperity::FormulaProblem;

namespace {

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  FormulaProblem problem;
  const auto formula = Formula::read(text, problem, {"dio", "sgn"});
  if (!formula) {
    if (problem.text.empty() || problem.position > size + 1) std::abort();
    return 0;
  }
  const auto again = Formula::read(formula->text(), problem, {"dio", "sgn"});
  if (formula->text().size() <= Formula::longest && (!again || !(again->root() == formula->root()))) std::abort();

  if (!Formula::read(text, problem)) return 0;  // other functions have no value
  const std::vector<double> values(formula->names().size(), 0.7);
  const double value = formula->value<double>(values);
  if (!same(formula->value<Dual<1>>(std::vector<Dual<1>>(values.size(), Dual<1>::variable(0.7, 0))).a, value)) std::abort();
  std::vector<std::pair<std::string, double>> known;
  for (const std::string& name : formula->names()) known.emplace_back(name, 0.7);
  if (!same(formula->with(known).value<double>({}), value)) std::abort();
  return 0;
}
