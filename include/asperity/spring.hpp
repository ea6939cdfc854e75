#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// A spring's motion: how far it is stretched, and how fast.
template <class S>
struct Stretch {
  S x{};  // m
  S v{};  // m/s
};

/// Spring and damper, straight or curved (Duffing):  f = K x + K3 x^3 + B v, against the stretch
template <class S = double>
struct Spring {
  static constexpr About about{
      .name = "spring",
      .kind = Kind::spring,
      .title = "spring and damper, straight or curved",
      .equation = "f = K x + K3 x^3 + B v",
      .source = "xiong2013 (3.38) for the curved one",
      .step = "no state: the force at the given stretch",
      .use = "what connects bodies without friction or contact",
      .avoid = "contact: it pulls as well as pushes",
      .cannot = "slip or let go",
  };
  using Scalar = S;
  using Input = Stretch<S>;
  using Force = S;
  using State = NoState;
  static constexpr int dimension = 1;

  S K = S(0.0);
  S K3 = S(0.0);
  S B = S(0.0);

  constexpr State start() const noexcept { return {}; }
  constexpr Reaction<Force, State> react(const State&, const Input& in, const S& /*tau*/) const noexcept {
    return {(K + K3 * in.x * in.x) * in.x + B * in.v, {}};
  }
  constexpr S energy(const State&, const Input& in) const noexcept {
    const S square = in.x * in.x;
    return S(0.5) * (K + S(0.5) * K3 * square) * square;
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", Role::stiffness | Range{}, "stiffness");
    field("K3", K3, "N/m^3", Role::shape | Range{}, "cubic stiffness");
    field("B", B, "N s/m", Role::damping | nonnegative, "damping");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

}  // namespace asperity
