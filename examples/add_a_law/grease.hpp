#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// A film of grease between bristles: Dahl's bristle that also relaxes at rest, at the rate of a recovery velocity V:
///   adot = v - (|v| + V) K a/F,  f = K a
/// Dragged slowly it is a damper F/V, dragged fast it is Coulomb friction F. A law made up for this guide.
template <class S = double>
struct Grease : Coulomb<S> {
  static constexpr About about{
      .name = "grease",
      .kind = Kind::friction,
      .title = "a bristle in grease: viscous when dragged slowly, Coulomb friction when dragged fast",
      .equation = "adot = v - (|v| + V) K a/F\nf = K a",
      .source = "dahl1968, with a recovery velocity",
      .deviation = "a falling load as in dahl",
      .step = "implicit Euler in closed form",
      .use = "a lubricated joint that feels elastic when shaken",
      .avoid = "anything that has to stand still",
      .cannot = "hold: it relaxes at rest",
      .quirks = Quirk::creeps | Quirk::drifts,
      .quirk_note = "creeps at V P/(F - P) under a constant load P < F",
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    S a{};
  };
  static constexpr int dimension = 1;

  S K = S(1e5);
  S V = S(1e-3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S limit = this->F * slip.load;
    const auto r = bristle(limit, limit, K, z.a, slip.v, abs(slip.v) + V, tau);
    return {r.f, {r.rate}};
  }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * z.a * z.a; }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return S(1.25) * this->F * slip.load; }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("K", K, "N/m", Role::stiffness | positive, "bristle stiffness");
    field("V", V, "m/s", Role::speed | positive, "recovery velocity: how fast the film relaxes at rest");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "bristle deflection", z.a...);
  }
};

}  // namespace asperity
