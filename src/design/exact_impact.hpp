// Impacts in closed form, law by law: a law of which nothing stands here is simulated.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/contact/hunt_crossley.hpp"
#include "asperity/contact/kelvin_voigt.hpp"
#include "asperity/contact/linear_compliance.hpp"
#include "asperity/design/impact.hpp"
#include "asperity/design/restitution.hpp"
#include "asperity/law_list.hpp"

namespace asperity::design {

/// of(law, mass, speed); NaN for what has no closed form.
template <class Law>
struct ExactImpact;

inline Rebound in_si(const ImpactShape& shape, double omega, double mass, double speed) {
  const double length = speed / omega;
  return {shape.restitution, shape.contact_time / omega, shape.deepest * length, shape.residual * length,
          shape.peak_force * mass * speed * omega};
}

template <>
struct ExactImpact<LinearCompliance<>> {
  static constexpr bool minds_the_speed = false;
  static Rebound of(const LinearCompliance<>& law, double mass, double speed) {
    const double omega = std::sqrt(law.K / mass);
    return in_si(linear_impact(law.alpha / law.beta, omega * law.beta), omega, mass, speed);
  }
};

/// The one that is not clamped pulls until the surface is back, in the units of ImpactShape: half a swing,
///   t_c = pi/sqrt(1 - zeta^2),  restitution exp(-zeta t_c);  from zeta = 1 on it never lets go.
template <bool Clamped>
struct ExactImpact<KelvinVoigt<double, Clamped>> {
  static constexpr bool minds_the_speed = false;
  static Rebound of(const KelvinVoigt<double, Clamped>& law, double mass, double speed) {
    const double omega = std::sqrt(law.K / mass), zeta = law.B / (2 * mass * omega);
    ImpactShape shape = kelvin_voigt_impact(zeta);
    if constexpr (!Clamped) {
      shape.contact_time = zeta < 1 ? std::numbers::pi / std::sqrt(1 - zeta * zeta) : std::numeric_limits<double>::infinity();
      shape.restitution = zeta < 1 ? std::exp(-zeta * shape.contact_time) : 0;
      shape.residual = 0;
    }
    return in_si(shape, omega, mass, speed);
  }
};

template <>
struct ExactImpact<Hertz<>> {
  static constexpr bool minds_the_speed = false;
  static Rebound of(const Hertz<>& law, double mass, double speed) {
    const double length = std::pow(mass * speed * speed / law.K, 1 / (law.lambda + 1)),
                 deepest = hertz_deepest(law.lambda) * length;
    return {1, hertz_contact_time(law.lambda) * length / speed, deepest, 0, law.K * std::pow(deepest, law.lambda)};
  }
};

template <>
struct ExactImpact<HuntCrossley<>> {
  static constexpr bool minds_the_speed = true;
  static Rebound of(const HuntCrossley<>& law, double mass, double speed) {
    const double length = std::pow(mass * speed * speed / law.K, 1 / (law.lambda + 1));
    const double D = law.b2 * speed, unknown = std::numeric_limits<double>::quiet_NaN();
    return {hunt_crossley_restitution(D), unknown, hunt_crossley_deepest(D, law.lambda) * length, 0, unknown};
  }
};

/// The laws of which something stands here.
using ExactImpacts = LawList<LinearCompliance<>, KelvinVoigt<>, KelvinVoigtClamped<>, Hertz<>, HuntCrossley<>>;

}  // namespace asperity::design
