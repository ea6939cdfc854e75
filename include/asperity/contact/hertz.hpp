#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// Elastic contact of curved surfaces:  f = K d^lambda for d = -gap > 0, else 0             [Hertz; lambda = 3/2 for spheres]
template <class S = double>
struct Hertz {
  static constexpr About about{
      .name = "hertz",
      .kind = Kind::contact,
      .title = "elastic contact of curved surfaces, no loss",
      .equation = "f = K d^lambda if d > 0, else 0;   d = -gap",
      .source = "hertz1882",
      .step = "no state: the force at the given gap",
      .use = "lossless impacts, reference for contact time",
      .avoid = "anything that must come to rest",
      .cannot = "dissipate: restitution is 1",
      .odd = false,
  };
  using Scalar = S;
  using Input = Gap<S>;
  using Force = S;
  using State = NoState;
  static constexpr int dimension = 1;

  S K = S(1e6);
  S lambda = S(1.5);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State&, const Input& in, const S& /*tau*/) const noexcept {
    return {K * pow(max(S(0.0), -in.gap), lambda), {}};
  }

  constexpr S energy(const State&, const Input& in) const noexcept {
    const S d = max(S(0.0), -in.gap);
    return K * d * pow(d, lambda) / (lambda + S(1.0));
  }
  constexpr S bound(const State&, const Input& in, const S&) const noexcept { return K * pow(max(S(0.0), -in.gap), lambda); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m^lambda", Role::stiffness | positive, "stiffness");
    field("lambda", lambda, "1", Role::exponent | between(1, 5), "exponent: 1 flat, 3/2 spheres");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

}  // namespace asperity
