#pragma once

#include "asperity/contact/hertz.hpp"

namespace asperity {

/// Hertz contact with damping that grows with the indentation:  f = K d^lambda (1 + b2 ddot)        [xiong2013 (5.2)]
template <class S = double>
struct HuntCrossley : Hertz<S> {
  static constexpr About about{
      .name = "hunt_crossley",
      .kind = Kind::contact,
      .title = "Hertz contact with damping that grows with the indentation",
      .equation = "f = K d^lambda (1 + b2 ddot) if d > 0, else 0;   d = -gap",
      .source = "hunt1975; xiong2013 (5.2)",
      .step = "no state: the force at the given gap and rate",
      .use = "impacts with a restitution that falls with speed",
      .avoid = "bodies that are pulled apart",
      .cannot = "let go cleanly: pulled faster than 1/b2 it holds back; leave an indentation behind",
      .quirks = Quirk::sticky,
      .quirk_note = "pulls when the surfaces separate faster than 1/b2",
      .odd = false,
  };
  using Scalar = S;
  using Input = Gap<S>;
  using Force = S;
  using State = NoState;
  static constexpr int dimension = 1;

  S b2 = S(0.35);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& in, const S& tau) const noexcept {
    return {Hertz<S>::react(z, in, tau).f * (S(1.0) - b2 * in.rate), {}};
  }
  constexpr S bound(const State& z, const Input& in, const S& tau) const noexcept {
    return Hertz<S>::bound(z, in, tau) * (S(1.0) + b2 * abs(in.rate));
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    Hertz<S>::describe(field);
    field("b2", b2, "s/m", Role::shape | nonnegative, "damping factor");
  }
};

}  // namespace asperity
