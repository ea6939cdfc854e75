#pragma once

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace asperity::design {

/// The zero of a function that changes sign between low and high, to so many bits.
template <class F>
double zero_between(F f, double low, double high, int bits = 52) {
  const double at_low = f(low), at_high = f(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if (!((at_low < 0) != (at_high < 0)) || std::isnan(at_low) || std::isnan(at_high))
    throw std::runtime_error(
        "these numbers are too far apart to be computed with: choose stiffness, mass, speed and times closer to 1");
  std::uintmax_t rounds = 200;
  const auto [a, b] =
      boost::math::tools::toms748_solve(f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(bits), rounds);
  return (a + b) / 2;
}

}  // namespace asperity::design
