#pragma once

#include "asperity/contact/linear_compliance.hpp"

namespace asperity {

/// Backward Euler of the stiff unilateral contact 0 in K (e + beta edot) - dio(gap + e): the linear compliance with alpha = 0
/// and nothing but the step in its place.                          [xiong2013 (3.12); Kikuuwe and Fujimoto 2007]
template <class S = double>
struct ImplicitContact {
  static constexpr About about{
      .name = "implicit_contact",
      .kind = Kind::contact,
      .title = "backward Euler of spring-damper contact: for sampled time only",
      .equation = "edot = max(-e/(beta + h), -(gap + e)/h)\nf = K max(0, e - (beta + h)(gap + e)/h)",
      .source = "xiong2013 (3.12); kikuuwe2007",
      .step = "implicit Euler of the set-valued law in closed form",
      .use = "haptic walls in a sampled loop",
      .avoid = "ODE solvers: it needs a step",
      .cannot = "run as an ODE; touch without a jump as the step goes to zero",
      .quirks = Quirk::jumps_on_touch,
      .quirk_note = "the force jumps to K beta v at touch",
      .discrete = true,
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
  S beta = S(4e-3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& in, const S& tau) const noexcept {
    return unilateral<S, State>(K, tau, beta + tau, z.e, in.gap);
  }

  /// The state of what has been indented by d for long.
  constexpr State resting(const S& d) const noexcept { return {d}; }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * z.e * z.e; }
  constexpr S bound(const State& z, const Input& in, const S& tau) const noexcept {
    return K * (S(1.0) + beta / tau) * (max(S(0.0), -in.gap) + max(S(0.0), -z.e));
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", Role::stiffness | positive, "stiffness");
    field("beta", beta, "s", Role::damping | nonnegative, "damping time");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("e", "m", "indentation of the proxy", z.e...);
  }
};

}  // namespace asperity
