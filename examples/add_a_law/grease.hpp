#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// A film of grease: a spring in series with a damper, stiff when shaken, viscous when dragged (the Maxwell element):
///   adot = v - K a+/D,  f = K a+,  a+ = a + tau adot
/// Solved for adot, the look-ahead appears in the denominator only.
template <class S = double>
struct Grease {
  static constexpr About about{
      .name = "grease",
      .kind = Kind::friction,
      .title = "a spring in series with a damper: stiff when shaken, viscous when dragged",
      .equation = "adot = v - K a/D\nf = K a",
      .source = "maxwell1867",
      .step = "implicit Euler in closed form",
      .use = "a lubricated joint that feels elastic at high frequency",
      .avoid = "anything that has to stand still",
      .cannot = "hold; depend on the load",
      .quirks = Quirk::creeps,
      .quirk_note = "creeps at P/D under a constant load P",
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    S a{};
  };
  static constexpr int dimension = 1;

  S K = S(1e4);
  S D = S(50.0);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S adot = (D * slip.v - K * z.a) / (D + tau * K);
    return {K * (z.a + tau * adot), {adot}};
  }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * K * z.a * z.a; }
  constexpr S bound(const State& z, const Input& slip, const S&) const noexcept { return max(K * abs(z.a), D * abs(slip.v)); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", positive, "stiffness of the film");
    field("D", D, "N s/m", positive, "viscosity of the film");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "shear of the film", z.a...);
  }
};

}  // namespace asperity
