#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// The first bristle law:  adot = v - |v| K a/F,  f = K a                             [Dahl 1968; kikuuwe_yamamoto (11)]
template <class S = double, int D = 1>
struct Dahl : Coulomb<S> {
  static constexpr About about{
      .name = "dahl",
      .kind = Kind::friction,
      .title = "one bristle that yields gradually: smooth hysteresis, no hold",
      .equation = "adot = v - |v| K a/F\nf = K a",
      .source = "dahl1968; kikuuwe_yamamoto (11)",
      .deviation =
          "when the load has fallen so far that K |a| > 1.25 F load, the force is cut to that and the rest of a is lost in 10 ms",
      .step = "implicit Euler in closed form",
      .use = "smooth rolling-bearing hysteresis, comparison",
      .avoid = "anything that must hold under a varying load",
      .cannot = "hold: it drifts with every cycle of the load; Stribeck effect",
      .quirks = Quirk::drifts,
      .quirk_note = "drifts by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] for each cycle of the load between f1 and f2",
  };
  using Scalar = S;
  using Input = Slip<S, D>;
  using Force = Vec<S, D>;
  struct State {
    Vec<S, D> a{};
  };
  static constexpr int dimension = D;

  S K = S(1e5);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S limit = this->F * slip.load;
    const auto r = bristle(limit, limit, K, z.a, slip.v, magnitude(slip.v), tau);
    return {r.f, {r.rate}};
  }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * dot(z.a, z.a); }
  constexpr S bound(const State& z, const Input& slip, const S&) const noexcept {
    const S limit = this->F * slip.load, elastic = K * magnitude(z.a);
    return max(limit, borne(limit, elastic) * elastic);
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("K", K, "N/m", Role::stiffness | positive, "bristle stiffness");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "bristle deflection", z.a...);
  }
};

}  // namespace asperity
