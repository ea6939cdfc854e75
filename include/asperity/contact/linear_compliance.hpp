#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// The relaxed unilateral contact:  0 in K (e+ + beta edot) - dio(gap + e+ + alpha edot),  e+ = e + tau edot
/// By Theorem 2 of xiong2013 one maximum, in both time worlds: the look-ahead adds to alpha and to beta.
///   edot = max(-e/(beta + tau), -(gap + e)/(alpha + tau)),  f = K max(0, e - (beta + tau)(gap + e)/(alpha + tau))
template <class S, class State>
constexpr Reaction<S, State> unilateral(const S& K, const S& alpha, const S& beta, const S& e, const S& gap) noexcept {
  const S push = -(gap + e) / alpha;
  return {K * max(S(0.0), e + beta * push), {max(-e / beta, push)}};
}

/// Contact that neither jumps on touch nor glues on release: linear, with memory            [xiong2013 (3.13), (3.14)]
/// It is the standard linear solid: K parallel to a Maxwell element K (beta/alpha - 1) of relaxation time alpha.
template <class S = double>
struct LinearCompliance {
  static constexpr About about{
      .name = "linear_compliance",
      .kind = Kind::contact,
      .title = "contact that neither jumps on touch nor glues on release; the standard linear solid",
      .equation =
          "edot = max(-e/(beta + tau), -(gap + e)/(alpha + tau))\n"
          "f = K max(0, e - (beta + tau)(gap + e)/(alpha + tau))",
      .source = "xiong2013 (3.14); xiong2012 (15)",
      .step = "implicit Euler of the set-valued law in closed form",
      .use = "the default contact: floors, walls, grippers",
      .avoid = "restitution that must fall with the impact speed (use nonlinear_compliance)",
      .cannot = "be passive with beta < alpha",
      .odd = false,
  };
  using Scalar = S;
  using Input = Gap<S>;
  using Force = S;
  struct State {
    S e{};
  };
  static constexpr int dimension = 1;

  S K = S(1e5);
  S alpha = S(2e-3);
  S beta = S(4e-3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& in, const S& tau) const noexcept {
    return unilateral<S, State>(K, alpha + tau, beta + tau, z.e, in.gap);
  }

  /// The state of what has been indented by d for long.
  constexpr State resting(const S& d) const noexcept { return {d}; }

  /// Of the spring and of the Maxwell branch, at the surface: the indentation, or what the relaxing material still shows of it.
  constexpr S energy(const State& z, const Input& in) const noexcept {
    const S d = max(-in.gap, z.e * (S(1.0) - alpha / beta));
    return S(0.5) * K * (d * d + (beta / alpha - S(1.0)) * (d - z.e) * (d - z.e));
  }
  constexpr S bound(const State& z, const Input& in, const S&) const noexcept {
    return K * (beta / alpha) * (max(S(0.0), -in.gap) + max(S(0.0), -z.e));
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", Role::stiffness | positive, "stiffness at rest");
    field("alpha", alpha, "s", Role::time | positive, "relaxation time: the smaller, the less it bounces");
    field("beta", beta, "s", Role::damping | positive, "damping time");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    relation("beta", beta, ">=", "alpha", alpha);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("e", "m", "indentation remembered by the material", z.e...);
  }
};

}  // namespace asperity
