// Any bytes as the equations of an inclusion: one line for the rate of v, one for w, one for a term to regularise. What is read
// runs over both scalars alike and can be explained; what is not read has reasons, within the text.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "asperity/inclusion/text.hpp"

using namespace asperity;

namespace {

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::string v, w, key;
  std::getline(lines, v);
  std::getline(lines, w);
  std::getline(lines, key);
  InclusionText text;
  text.let = {{"M", 2}, {"F", .5}, {"m", -3}};
  text.state = {{"p", .25}, {"q", -1}, {"v", 0}, {"w", 1}};
  text.rate = {{"p", "v"}, {"q", "w"}, {"v", v}, {"w", w}};
  if (size % 2) text.usual = {1e3, 2e-3, 1e-3};
  text.preload = size % 3 == 0;
  if (!key.empty()) text.regularise = {{key, {.K = 5, .nonnegative = true}}};

  std::vector<InclusionProblem> problems;
  const auto model = TextInclusion::read(text, problems);
  if (!model) {
    if (problems.empty()) std::abort();
    for (const InclusionProblem& problem : problems)
      if (problem.text.empty() || problem.position > size + 1) std::abort();
    return 0;
  }
  if (!problems.empty()) std::abort();
  std::vector<double> x = model->start(), rate(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += .01 * double(i + 1);
  const std::vector<Dual<8>> dual(x.begin(), x.end());
  std::vector<Dual<8>> dual_rate(x.size());
  model->rate(.5, x, 0, rate);
  model->rate(.5, std::span<const Dual<8>>(dual), 0, dual_rate);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!same(rate[i], dual_rate[i].a)) std::abort();
  for (const Explanation form : {Explanation::text, Explanation::latex, Explanation::cpp})
    if (explain(*model, form, "fuzz").empty()) std::abort();
  return 0;
}
