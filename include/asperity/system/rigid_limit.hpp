// The rigid limit: a stiffness under which the largest load moves what is held by a nanometre. For the implicit methods, which take
// any stiffness. See docs/guides/implicit.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "asperity/system/network.hpp"

namespace asperity {

/// How far the largest load may move what is held, m or rad.
inline constexpr double rigid_displacement = 1e-9;

struct RigidStiffness {
  double K = 0;     // N/m
  double beta = 0;  // s, damping time
  bool bounded = false;
};

/// K = load/displacement, but K h^2/M <= 1e10: an implicit step solves (M + h^2 K) v+ = ..., and of the 16 digits of a double 6 are
/// then left for the motion of the mass. beta is that of the damping K beta = 2 sqrt(K M), under which a knock dies out without a
/// swing.
inline RigidStiffness rigid_stiffness(double load, double mass, double step, double displacement = rigid_displacement) {
  const double wanted = load / displacement, stiffest = 1e10 * mass / (step * step);
  const double K = std::min(wanted, stiffest);
  return {K, 2 * std::sqrt(mass / K), wanted > stiffest};
}

/// A contact relaxes ten times as fast as it is damped: struck, it resists ten times as stiffly.
inline constexpr double rigid_relaxation = 0.1;  // alpha/beta

/// A law that is as good as rigid under a load, on a mass, at the step of an implicit method.
template <class Law>
Law rigid(Law law, double load, double mass, double step, double displacement = rigid_displacement) {
  const RigidStiffness found = rigid_stiffness(load, mass, step, displacement);
  law.K = found.K;
  law.beta = found.beta;
  if constexpr (requires { law.alpha; }) law.alpha = rigid_relaxation * found.beta;
  return law;
}

/// The largest force that each part of a network may have to carry at rest. Friction with a limit of its own: that limit. A
/// contact: the weights of all bodies that elements connect to it and the largest inputs that push them during the run, one on top
/// of the other; its friction: its share of that. Moments, springs and bodies on a given course are not counted. NaN: of an arm,
/// whose weight does not push at one place.
std::vector<double> largest_loads(const Network& network, double duration);

}  // namespace asperity
