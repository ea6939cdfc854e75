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
  // One pass without a branch: 0 x is 0 for every finite x. Several sums, so that none waits for the one before.
  constexpr std::size_t sums = 8;
  double sum[sums] = {};
  std::size_t next = 0;
  for (; next + sums <= x.size(); next += sums)
    for (std::size_t k = 0; k < sums; ++k) sum[k] += 0 * x[next + k];
  for (; next < x.size(); ++next) sum[0] += 0 * x[next];
  double all = 0;
  for (const double one : sum) all += one;
  if (all == 0) return x.size();
  std::size_t i = 0;
  while (std::isfinite(x[i])) ++i;
  return i;
}
inline bool all_finite(std::span<const double> x) noexcept { return first_non_finite(x) == x.size(); }

}  // namespace asperity::detail
