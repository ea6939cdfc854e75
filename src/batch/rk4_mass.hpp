// A mass on a friction law, one step of the classical Runge-Kutta method; for a number or for a batch of them.
#pragma once

#include "asperity/law.hpp"

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
    return {v, (force - friction.f) / mass, friction.rate};
  }

  constexpr MassOnLaw moved(const S& h, const Rate& k) const noexcept {
    MassOnLaw next{x + h * k.x, v + h * k.v, z};
    each_state<Law>([&](S& to, const S& rate) { to = to + h * rate; }, next.z, k.z);
    return next;
  }

  /// The external force at the beginning, the middle and the end of the step.
  constexpr void step(const Law& law, const S& mass, const S& begin, const S& middle, const S& end, const S& h) noexcept {
    const S half = S(0.5) * h, sixth = h / S(6.0);
    const Rate k1 = rate(law, mass, begin);
    const Rate k2 = moved(half, k1).rate(law, mass, middle);
    const Rate k3 = moved(half, k2).rate(law, mass, middle);
    const Rate k4 = moved(h, k3).rate(law, mass, end);
    const auto add = [&](S& y, const S& a, const S& b, const S& c, const S& d) { y = y + sixth * (a + S(2.0) * (b + c) + d); };
    add(x, k1.x, k2.x, k3.x, k4.x);
    add(v, k1.v, k2.v, k3.v, k4.v);
    each_state<Law>(add, z, k1.z, k2.z, k3.z, k4.z);
    if constexpr (Hybrid<Law>) law.transit(z, {v, S(1.0)});
  }
};

}  // namespace asperity
