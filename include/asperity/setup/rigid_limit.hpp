// The rigid limit: a stiffness under which the largest load moves what is held by a nanometre. For the implicit methods, which take
// any stiffness. See docs/guides/implicit.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/parameters.hpp"
#include "asperity/setup/network.hpp"

namespace asperity {

/// How far the largest load may move what is held, m or rad.
inline constexpr double rigid_displacement = 1e-9;

/// Laws whose bristle yields on its way to the limit F give way by (F/K) ln(F/(F - f)) under f: up to this share of the limit, K
/// displacement/F = ln 20 is enough.                                                            [kikuuwe_yamamoto (11), integrated]
inline constexpr double bristle_share = 0.95;

struct RigidStiffness {
  double load = 0, displacement = 0;  // N, and m by which it gives way under it
  double K = 0;                       // N/m, there
  double beta = 0;                    // s, damping time
  bool bounded = false;
};

/// K = slope load/displacement, but K h^2/M <= 1e10: an implicit step solves (M + h^2 K) v+ = ..., and of the 16 digits of a double
/// 6 are then left for the motion of the mass. beta is that of the damping K beta = 2 sqrt(K M), under which a knock dies out
/// without a swing. `slope` is lambda for a force that grows as d^lambda.
inline RigidStiffness rigid_stiffness(double load, double mass, double step, double displacement = rigid_displacement,
                                      double slope = 1) {
  const double wanted = slope * load / displacement, stiffest = 1e10 * mass / (step * step);
  const double K = std::min(wanted, stiffest);
  return {load, slope * load / K, K, 2 * std::sqrt(mass / K), wanted > stiffest};
}

/// A contact relaxes ten times as fast as it is damped: struck, it resists ten times as stiffly.
inline constexpr double rigid_relaxation = 0.1;  // alpha/beta

/// Whether a parameter makes a law stiff: its stiffness, or the length by which it gives way; and whether it is one of those that
/// the rigid limit chooses: its damping and the memory of a contact, too.
bool is_stiffness(const Parameter& parameter);
bool is_rigid_parameter(const Parameter& parameter, Kind kind);
/// Why a law has no rigid limit; nothing if it has one.
std::optional<std::string> why_not_rigid(const About& law, const std::vector<Parameter>& parameters);

struct RigidParameter {
  std::string name;
  std::vector<double> values;
  std::string why;  // empty: it is the stiffness
};
struct RigidLaw {
  RigidStiffness stiffness;
  std::vector<RigidParameter> parameters;
};
/// The numbers of a law that is as good as rigid under a load, on a mass, at the step of an implicit method. One rule for all laws
/// that have a stiffness, by what they say of themselves; those parameters that are not `open` stay. `elastic` is the stiffness of
/// the law as it is, from which lengths are scaled. docs/guides/implicit.md has the table.
RigidLaw rigid_law(const About& law, const std::vector<Parameter>& parameters, double elastic,
                   const std::function<bool(const std::string&)>& open, double load, double mass, double step,
                   double displacement = rigid_displacement);

/// The law itself.
template <class Law>
Law rigid(Law law, double load, double mass, double step, double displacement = rigid_displacement) {
  const auto all = [](const std::string&) { return true; };
  const double elastic = statics::stiffness(law, 1.0).K;
  for (const RigidParameter& p : rigid_law(Law::about, parameters_of(law), elastic, all, load, mass, step, displacement).parameters)
    set_parameter(law, p.name, p.values);
  return law;
}

/// The largest force that each part of a network may have to carry at rest. Friction with a limit of its own: that limit. A
/// contact: the weights of all bodies that elements connect to it and the largest inputs that push them during the run, one on top
/// of the other; its friction: its share of that. Moments, springs and bodies on a given course are not counted. NaN: of an arm,
/// whose weight does not push at one place.
std::vector<double> largest_loads(const Network& network, double duration);

}  // namespace asperity
