// The impact of a mass on the linear compliance, without gravity, in the units of a world.
#pragma once

#include <cmath>

#include "asperity/design/impact.hpp"

namespace asperity::testing {

struct Restitution {
  double e;     // speed after over speed before
  double time;  // in touch, s
};

inline Restitution restitution(double M, double K, double alpha, double beta) {
  const double omega = std::sqrt(K / M);
  const auto shape = design::linear_impact(alpha / beta, omega * beta);
  return {shape.restitution, shape.contact_time / omega};
}

}  // namespace asperity::testing
