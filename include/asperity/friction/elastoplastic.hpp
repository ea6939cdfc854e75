#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// LuGre with an elastic range in which the bristle does not yield:
///   adot = v (1 - A(a, v) K a sgn(v)/g(v)),  f = K a + B adot + D v,  a_ss = g(v)/K
///   A = 0 if a v <= 0 or |a| <= a_ba;  1 if |a| >= a_ss;  else 1/2 + 1/2 sin(pi (|a| - (a_ss + a_ba)/2)/(a_ss - a_ba))
/// [Dupont, Hayward, Armstrong, Altpeter 2002; named in xiong2013 4.1.1]
/// Deviation: a_ba scales with the load, as a_ss does; a falling load as in lugre. With look-ahead A is taken at a + tau v, the
/// rest is implicit.
template <class S = double>
struct Elastoplastic : Stribeck<S> {
  static constexpr About about{
      .name = "elastoplastic",
      .kind = Kind::friction,
      .title = "bristle with a purely elastic range: LuGre that holds small loads",
      .equation =
          "adot = v (1 - A(a,v) K a sgn(v)/g(v))\nf = K a + B adot + D v,  a_ss = g(v)/K\n"
          "A = 0 if a v <= 0 or |a| <= a_ba;  1 if |a| >= a_ss;\n"
          "    else 1/2 + 1/2 sin(pi (|a| - (a_ss + a_ba)/2)/(a_ss - a_ba))",
      .source = "dupont2002; named in xiong2013 4.1.1",
      .deviation = "a_ba scales with the load; a falling load as in lugre",
      .step = "A at the predicted deflection a + h v, then implicit Euler in closed form",
      .use = "LuGre models that must not drift under small vibration",
      .avoid = "presliding hysteresis with nested loops",
      .cannot = "hold loads above K a_ba; nonlocal memory",
      .quirks = Quirk::drifts,
      .quirk_note = "drifts with each cycle of a load that exceeds K a_ba; below that it holds",
      .implicit = false,
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    S a{};
  };
  static constexpr int dimension = 1;

  S K = S(1e5);
  S B = S(1e2);
  S D = S(0.0);
  S a_ba = S(7e-6);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S g = this->limit(abs(slip.v)) * slip.load, highest = this->F_s * slip.load;
    const S a_ss = g / K;
    const S ba = a_ba * slip.load;
    const S ahead = borne(highest, K * abs(z.a)) * z.a + tau * slip.v;
    const S x = sat(S(0.5), ratio(abs(ahead) - S(0.5) * (a_ss + ba), a_ss - ba));
    const S A = select(ahead * slip.v > S(0.0), S(0.5) + S(0.5) * sin(S(3.14159265358979323846) * x), S(0.0));
    const auto r = bristle(highest, g, K, z.a, slip.v, A * abs(slip.v), tau);
    return {r.f + B * r.slip + D * slip.v, {r.rate}};
  }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * z.a * z.a; }

  constexpr S bound(const State& z, const Input& slip, const S&) const noexcept {
    const S speed = abs(slip.v);
    const S highest = this->F_s * slip.load, elastic = K * abs(z.a);
    return max(highest, borne(highest, elastic) * elastic) + (B * (S(1.0) + S(1.25) * this->F_s / this->limit(speed)) + D) * speed;
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("K", K, "N/m", Role::stiffness | positive, "bristle stiffness");
    field("B", B, "N s/m", Role::damping | nonnegative, "micro-damping of the bristle");
    field("D", D, "N s/m", Role::viscosity | nonnegative, "viscous friction");
    field("a_ba", a_ba, "m", Role::length | nonnegative, "deflection up to which the bristle is purely elastic (at load 1)");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    this->limit_relations(relation);
    relation("a_ba", a_ba, "<", "F_c/K", this->F_c / K);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "bristle deflection", z.a...);
  }
};

}  // namespace asperity
