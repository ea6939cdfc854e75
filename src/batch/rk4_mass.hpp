// A mass on a friction law, one step of the classical Runge-Kutta method; for a number or for a batch of them.
#pragma once

#include "asperity/step.hpp"

namespace asperity {

template <class Law>
struct MassOnLaw {
  using S = typename Law::Scalar;

  S x{}, v{};
  typename Law::State z;

  struct Rate {
    S x, v;
    typename Law::State z;
  };

  constexpr Rate rate(const Law& law, const S& mass, const S& force) const noexcept {
    const auto friction = law.react(z, {v, S(1.0)}, S(0.0));
    return {v, (S(1.0) / mass) * (force - friction.f), friction.rate};
  }

  /// this += h k
  constexpr void move(const S& h, const Rate& k) noexcept {
    x = x + h * k.x;
    v = v + h * k.v;
    advance<Law>(z, k.z, h);
  }

  /// The external force at the beginning, the middle and the end of the step. A loop over the four stages, not four copies of the
  /// law: the code of a large law has to stay in the cache.
  constexpr void step(const Law& law, const S& mass, const S& begin, const S& middle, const S& end, const S& h) noexcept {
    const S force[] = {begin, middle, middle, end};
    const S ahead[] = {S(0.5) * h, S(0.5) * h, h};
    const S weight[] = {h / S(6.0), h / S(3.0), h / S(3.0), h / S(6.0)};
    const MassOnLaw from = *this;
    MassOnLaw trial = from;
    for (int stage = 0; stage < 4; ++stage) {
      const Rate k = trial.rate(law, mass, force[stage]);
      move(weight[stage], k);
      if (stage == 3) break;
      trial = from;
      trial.move(ahead[stage], k);
    }
    if constexpr (Hybrid<Law>) law.transit(z, {v, S(1.0)});
  }
};

}  // namespace asperity
