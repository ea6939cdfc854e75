// The makers behind make_integrator: heavy headers stay in the file of their method.
#pragma once

#include <cmath>

#include "asperity/integrate/integrator.hpp"
#include "asperity/integrate/runge_kutta.hpp"

namespace asperity::detail {

std::unique_ptr<Integrator> make_fixed_step(Method method, RateFunction rate, IntegratorOptions options);
std::unique_ptr<Integrator> make_implicit(int order, RateFunction rate, IntegratorOptions options);
std::unique_ptr<Integrator> make_dopri5(RateFunction rate, IntegratorOptions options);
std::unique_ptr<Integrator> make_auto(RateFunction rate, IntegratorOptions options);

extern const bool has_cvode;
std::unique_ptr<Integrator> make_cvode(RateFunction rate, IntegratorOptions options);

/// Index of the first entry that is not finite; the size if there is none.
inline std::size_t first_non_finite(std::span<const double> x) noexcept {
  double sum = 0;  // one pass without a branch: 0 x is 0 for every finite x
  for (const double number : x) sum += 0 * number;
  if (sum == 0) return x.size();
  std::size_t i = 0;
  while (std::isfinite(x[i])) ++i;
  return i;
}
inline bool all_finite(std::span<const double> x) noexcept { return first_non_finite(x) == x.size(); }

}  // namespace asperity::detail
