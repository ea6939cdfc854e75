#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// Spring and damper that exist only while the bodies overlap, d = -gap:
///   f = K d + B ddot for d >= 0, else 0                                                [xiong2013 (3.6), (5.1)]
///   clamped: f = max(0, K d + B ddot) for d >= 0                                       [xiong2013 (3.7)]
template <class S = double, bool Clamped = false>
struct KelvinVoigt {
  static constexpr About about{
      .name = Clamped ? "kelvin_voigt_clamped" : "kelvin_voigt",
      .kind = Kind::contact,
      .title = Clamped ? "spring and damper that push only" : "spring and damper while the bodies overlap",
      .equation =
          Clamped ? "f = max(0, K d + B ddot) if d >= 0, else 0;   d = -gap" : "f = K d + B ddot if d >= 0, else 0;   d = -gap",
      .source = Clamped ? "xiong2013 (3.7)" : "xiong2013 (3.6), (5.1)",
      .step = "no state: the force at the given gap and rate",
      .use = Clamped ? "penalty contacts with a known restitution (closed form)" : "comparison",
      .avoid = "touch must be smooth",
      .cannot = Clamped ? "touch without a jump" : "touch without a jump; let go without pulling",
      .quirks = Clamped ? Quirk::jumps_on_touch : Quirk::jumps_on_touch | Quirk::sticky,
      .quirk_note = Clamped ? "the force jumps to B v at touch" : "the force jumps to B v at touch and pulls before release",
      .odd = false,
  };
  using Scalar = S;
  using Input = Gap<S>;
  using Force = S;
  using State = NoState;
  static constexpr int dimension = 1;

  S K = S(1e5);
  S B = S(1e2);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State&, const Input& in, const S& /*tau*/) const noexcept {
    const S pull = -K * in.gap - B * in.rate;
    const S f = Clamped ? max(S(0.0), pull) : pull;
    return {select(in.gap <= S(0.0), f, S(0.0)), {}};
  }

  constexpr S energy(const State&, const Input& in) const noexcept {
    const S d = max(S(0.0), -in.gap);
    return S(0.5) * K * d * d;
  }
  constexpr S bound(const State&, const Input& in, const S&) const noexcept { return K * max(S(0.0), -in.gap) + B * abs(in.rate); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", Role::stiffness | positive, "stiffness");
    field("B", B, "N s/m", Role::damping | nonnegative, "damping");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

template <class S = double>
using KelvinVoigtClamped = KelvinVoigt<S, true>;

}  // namespace asperity
