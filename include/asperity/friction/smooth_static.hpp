#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// A smooth static characteristic with a Stribeck peak:
///   Fs(v) = d v + F_c tanh(v/v_t) + F_D g(v),   g(v) = (v/v_sp) exp(-(v/(sqrt2 v_sp))^2 + 1/2),
///   F_D = F_s - F_c tanh(v_sp/v_t) - d v_sp                                          [specker2014 (1)-(11)]
/// Deviation: F_D is not allowed below zero, so that a small load cannot make the curve push.
template <class S = double>
struct SmoothStatic {
  static constexpr About about{
      .name = "smooth_static",
      .kind = Kind::friction,
      .title = "smooth static curve with Stribeck peak and viscous part",
      .equation =
          "f = d v + F_c tanh(v/v_t) + F_D g(v)\n"
          "g(v) = (v/v_sp) exp(1/2 - v^2/(2 v_sp^2)),  F_D = F_s - F_c tanh(v_sp/v_t) - d v_sp",
      .source = "specker2014 (1)-(11)",
      .deviation = "F_D is clipped at zero, so that at small load the curve stays dissipative",
      .step = "no state: the force at the given velocity",
      .use = "steady sliding, smooth optimisation, the static part of `specker`",
      .avoid = "whenever something has to stand still",
      .cannot = "hold; show any hysteresis",
      .quirks = Quirk::creeps | Quirk::drifts,
      .quirk_note = "creeps at the velocity where the curve equals the load",
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  using State = NoState;
  static constexpr int dimension = 1;

  S F_c = S(1.0);
  S F_s = S(1.4);
  S d = S(0.1);
  S v_t = S(5e-3);
  S v_sp = S(1e-2);

  constexpr State start() const noexcept { return {}; }

  constexpr S curve(const S& v, const S& load) const noexcept {
    const S peak = max(S(0.0), load * (F_s - F_c * tanh(v_sp / v_t)) - d * v_sp);
    const S x = v / v_sp;
    return d * v + load * F_c * tanh(v / v_t) + peak * x * exp(S(0.5) - S(0.5) * x * x);
  }

  constexpr Reaction<Force, State> react(const State&, const Input& slip, const S& /*tau*/) const noexcept {
    return {curve(slip.v, slip.load), {}};
  }

  constexpr S energy(const State&, const Input&) const noexcept { return S(0.0); }

  /// The three terms at their largest.
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return d * abs(slip.v) + slip.load * (F_c + F_s); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("F_c", F_c, "N", Role::limit | positive, "kinetic friction");
    field("F_s", F_s, "N", Role::limit | positive, "friction at the Stribeck peak");
    field("v_t", v_t, "m/s", Role::speed | positive, "velocity over which friction builds up");
    field("v_sp", v_sp, "m/s", Role::speed | positive, "velocity of the Stribeck peak");
    field("d", d, "N s/m", Role::viscosity | nonnegative, "viscous friction");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    relation("F_s", F_s, ">=", "F_c", F_c);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

}  // namespace asperity
