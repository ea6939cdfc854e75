// The control-loop face of every law: one call a sample. No allocation, no exception, no global.
#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// z += h zdot
template <class Law>
constexpr void advance(typename Law::State& z, const typename Law::State& rate, const typename Law::Scalar& h) noexcept {
  each_state<Law>([&](auto& x, const auto& xdot) { x = x + h * xdot; }, z, rate);
}

/// One sample of length h: the state moves to its end, the force is the one at its end. With tau = h the answer of react() is
/// the implicit Euler step of the set-valued law in closed form; a law without one documents what it does instead.
template <class Law>
constexpr auto step(const Law& law, typename Law::State& z, const typename Law::Input& in, const typename Law::Scalar& h) noexcept {
  const auto reaction = law.react(z, in, h);
  advance<Law>(z, reaction.rate, h);
  if constexpr (Hybrid<Law>) law.transit(z, in);
  return reaction.f;
}

}  // namespace asperity
