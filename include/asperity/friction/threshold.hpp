#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// Coulomb friction with a velocity threshold, the classical linear regularisation:
///   f = F v/V for |v| <= V, else F v/|v|                                             [xiong2013 (1.4), (3.41)]
template <class S = double, int D = 1>
struct Threshold {
  static constexpr About about{
      .name = "threshold",
      .kind = Kind::friction,
      .title = "Coulomb friction, made viscous below a threshold velocity",
      .equation = "f = F v/V   if |v| <= V\nf = F v/|v| otherwise",
      .source = "xiong2013 (1.4), (3.41)",
      .step = "no state: the force at the given velocity",
      .use = "as the baseline to compare with; for sliding that never stops",
      .avoid = "whenever something has to stand still",
      .cannot = "hold: any load, however small, moves it at the speed V load/F",
      .quirks = Quirk::creeps | Quirk::drifts,
      .quirk_note = "creeps at V P/F under a constant load P < F",
  };
  using Scalar = S;
  using Input = Slip<S, D>;
  using Force = Vec<S, D>;
  using State = NoState;
  static constexpr int dimension = D;

  S F = S(1.0);
  S V = S(1e-3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State&, const Input& slip, const S& /*tau*/) const noexcept {
    return {F * slip.load * sat(S(1.0), slip.v / V), {}};
  }

  constexpr S energy(const State&, const Input&) const noexcept { return S(0.0); }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return F * slip.load; }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("F", F, "N", Role::limit | positive, "sliding friction");
    field("V", V, "m/s", Role::speed | positive, "threshold velocity");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

}  // namespace asperity
