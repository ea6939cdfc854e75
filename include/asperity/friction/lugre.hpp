#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// The bristle with Stribeck limit and micro-damping:
///   adot = v - |v| K a/g(v),  f = K a + B adot + D v                                  [xiong2013 (3.3), (4.1)]
template <class S = double, int Dim = 1>
struct LuGre : Stribeck<S> {
  static constexpr About about{
      .name = "lugre",
      .kind = Kind::friction,
      .title = "bristle with Stribeck limit and micro-damping: the control engineer's classic",
      .equation = "adot = v - |v| K a/g(v)\nf = K a + B adot + D v\ng(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "canudas1995; xiong2013 (3.3), (4.1)",
      .deviation =
          "when the load has fallen so far that K |a| > 1.25 F_s load, K a is cut to that and the rest of a is lost in 10 ms",
      .step = "implicit Euler in closed form",
      .use = "friction compensation and comparison with the literature",
      .avoid = "holding under vibration; large steps at speed with an explicit solver (T <= 2.785 g/(K |v|))",
      .cannot = "hold: it drifts with every cycle of the load",
      .quirks = Quirk::drifts,
      .quirk_note = "drifts by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] for each cycle of the load between f1 and f2 (F = F_s)",
  };
  using Scalar = S;
  using Input = Slip<S, Dim>;
  using Force = Vec<S, Dim>;
  struct State {
    Vec<S, Dim> a{};
  };
  static constexpr int dimension = Dim;

  S K = S(1e5);
  S B = S(1e2);
  S D = S(0.0);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S speed = magnitude(slip.v);
    const auto r = bristle(this->F_s * slip.load, this->limit(speed) * slip.load, K, z.a, slip.v, speed, tau);
    return {r.f + B * r.slip + D * slip.v, {r.rate}};
  }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * dot(z.a, z.a); }

  /// The bristle is borne up to 1.25 F_s, and yields at |v| (1 + 1.25 F_s/g) at most.
  constexpr S bound(const State& z, const Input& slip, const S&) const noexcept {
    const S speed = magnitude(slip.v);
    const S highest = this->F_s * slip.load, elastic = K * magnitude(z.a);
    return max(highest, borne(highest, elastic) * elastic) + (B * (S(1.0) + S(1.25) * this->F_s / this->limit(speed)) + D) * speed;
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("K", K, "N/m", Role::stiffness | positive, "bristle stiffness");
    field("B", B, "N s/m", Role::damping | nonnegative, "micro-damping of the bristle");
    field("D", D, "N s/m", Role::viscosity | nonnegative, "viscous friction");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    this->limit_relations(relation);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "bristle deflection", z.a...);
  }
};

}  // namespace asperity
